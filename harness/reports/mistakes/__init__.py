"""Where answers go wrong: what was sent where something else was right."""

"""Commands about plans before runs."""

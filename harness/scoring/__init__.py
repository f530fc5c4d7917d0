"""From the record of an episode to its scores."""

"""Evaluators: pure functions from what was recorded of an episode to what it is worth."""

"""A small split of a task set, for a first look."""

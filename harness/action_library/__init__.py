"""The actions on any page of the web that a driver of one's own shows: ``from harness import ActionLibrary``."""

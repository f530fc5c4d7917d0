"""Commands about tasks and task sets."""

"""Commands about single papers."""

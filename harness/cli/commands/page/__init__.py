"""Commands about one page."""

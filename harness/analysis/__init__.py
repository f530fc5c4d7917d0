"""A run as tables of scores, and what can be said of them."""

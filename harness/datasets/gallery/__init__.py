"""A page with a picture of every task of a set."""

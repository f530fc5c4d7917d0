"""Outputs that a model wrote before, done again, and how far doing so agrees with the original."""

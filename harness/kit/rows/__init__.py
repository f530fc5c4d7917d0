"""Rows of data written to files, as lines of JSON or as tables."""

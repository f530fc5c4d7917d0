"""Filters of the templates about runs."""

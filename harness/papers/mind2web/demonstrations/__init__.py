"""Demonstrations: how a task was done on a website, each step with the page before it and its acceptable elements."""

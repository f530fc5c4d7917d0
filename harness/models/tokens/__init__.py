"""Tokens of texts and pictures, counted before a request is sent."""

"""Solvers that ask a model: how it is asked, and what becomes of its replies."""

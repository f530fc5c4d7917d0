"""Solvers that call models, replay recorded outputs, or hand the page to programs from outside."""

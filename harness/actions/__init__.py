"""The action library: what a solver can do on a page, and how a model's text becomes such calls."""

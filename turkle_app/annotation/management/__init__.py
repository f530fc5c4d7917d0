"""Commands of tasks done by hand."""

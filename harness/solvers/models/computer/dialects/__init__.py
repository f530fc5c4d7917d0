"""One module a dialect, or a family of them."""

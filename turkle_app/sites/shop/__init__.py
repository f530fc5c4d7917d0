"""A shop: search with filters, a cart, a checkout in steps, and an account."""

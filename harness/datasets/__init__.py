"""Published task sets: fetch, verify and lint them."""

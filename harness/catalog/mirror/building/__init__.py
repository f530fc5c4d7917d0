"""How the mirror is collected: which packages serve which addresses, and fetching them."""

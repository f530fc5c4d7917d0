"""Tasks on websites: how a person records one, and what becomes of it as its site changes."""

"""How fast the harness is: ``make bench``. Figures are for people to read; tests assert none of them."""

"""For those who change the code."""

"""Numbers, tables and names as text for people."""

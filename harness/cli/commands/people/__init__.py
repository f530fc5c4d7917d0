"""Commands about runs beside people."""

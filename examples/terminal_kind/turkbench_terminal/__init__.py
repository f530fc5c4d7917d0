"""Questions that are answered in a terminal, as a kind of task; and a solver of some."""

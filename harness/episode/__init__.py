"""One page from open to read back: what a solver is and is given, the live actions, limits."""

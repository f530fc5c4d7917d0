"""Programs and assistants from outside as solvers: they are started, given a page, and held to its limits."""

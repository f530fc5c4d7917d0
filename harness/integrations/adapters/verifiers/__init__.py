"""Pages for verifiers: a task set, the harness that plays it, and the environment of both (``vf-eval turkbench``)."""

"""What ``import turkbench`` offers: evaluation from Python, a run that is there, tasks, a model for a solver."""

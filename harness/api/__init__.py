"""What ``import harness`` offers: evaluation from Python, a run that is there, tasks, a model for one's own solver."""

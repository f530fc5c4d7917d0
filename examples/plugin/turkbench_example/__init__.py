"""A solver, an encoding and a metric for the harness."""

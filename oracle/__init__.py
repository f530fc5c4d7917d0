"""Solvers that need no model: the oracle, do-nothing and other baselines; the sanity check."""

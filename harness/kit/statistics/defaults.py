"""What is taken where nobody says otherwise."""

from __future__ import annotations

DRAWS = 10_000
"""Of a bootstrap."""
POWER = 0.8
"""The chance of showing a difference that is there."""
ALPHA = 0.05
"""The level of a two-sided test: the chance of showing a difference that is not there."""
CORRELATION = 0.5
"""Of two solvers' scores, where only one is known: the middle of the 0.3 to 0.7 that Miller (2024, arXiv:2411.00640)
reports for the scores of models on the questions of an evaluation. Differences then vary as much as scores do."""

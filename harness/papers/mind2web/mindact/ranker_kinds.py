"""The names of rankers; without what they need, for commands that only list them."""

from __future__ import annotations

RANDOM = "random"
ORDER = "order"
LEXICAL = "lexical"
LEARNED = "learned"
CROSS_ENCODER = "cross-encoder"
BI_ENCODER = "bi-encoder"
FLOORS = (RANDOM, ORDER, LEXICAL)
"""They have learned nothing, and need nothing."""
WITH_A_PLACE = (f"{LEARNED}:FILE", f"{CROSS_ENCODER}:DIR", f"{BI_ENCODER}:DIR")
"""As they are asked for, with where they are."""
USUAL = LEXICAL
"""Whose best a model is asked about, unless its user says otherwise."""

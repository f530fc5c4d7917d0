"""Shares and their differences as text."""

from __future__ import annotations

NOTHING = "–"
"""Stands where nothing could be measured."""
UNKNOWN = "unknown"
"""Stands for a number that there is, and that nobody told: it is not 0."""


def percent(share: float | None) -> str:
    """A share as a number of per cent with one decimal; ``NOTHING`` for None."""
    return NOTHING if share is None else f"{100 * share:.1f}"


def points(difference: float | None, digits: int = 1) -> str:
    """A difference of shares in points of per cent, with its sign; ``NOTHING`` for None."""
    return NOTHING if difference is None else f"{100 * difference:+.{digits}f}"

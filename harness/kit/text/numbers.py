"""Numbers as text: shares, their differences, counts with their nouns."""

from __future__ import annotations

from collections.abc import Mapping

NOTHING = "–"
"""Stands where nothing could be measured."""
UNKNOWN = "unknown"
"""Stands for a number that there is, and that nobody told: it is not 0."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
"""Seconds."""


def percent(share: float | None) -> str:
    """A share as a number of per cent with one decimal; ``NOTHING`` for None."""
    return NOTHING if share is None else f"{100 * share:.1f}"


def points(difference: float | None, digits: int = 1) -> str:
    """A difference of shares in points of per cent, with its sign; ``NOTHING`` for None."""
    return NOTHING if difference is None else f"{100 * difference:+.{digits}f}"


def counted(number: int, one: str, many: str = "") -> str:
    """A count with its noun: ``1 episode``, ``2,000 episodes``.

    Args:
        number: How many.
        one: The noun of one.
        many: The noun of several, if it does not only take an s.
    """
    return f"{number:,} {noun(number, one, many)}"


def in_range(least: int, most: int) -> str:
    """Two counts as one text: ``3`` where they are equal, else ``3 to 5``."""
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def noun(number: int, one: str, many: str = "") -> str:
    """The noun for a count, as for ``counted``."""
    return one if number == 1 else many or f"{one}s"


def spread(counts: Mapping[int, int]) -> str:
    """The least, the median and the most of numbers: ``1–3–7``; one number if all are equal.

    Args:
        counts: Number -> how often it occurs.
    """
    if not counts:
        return NOTHING
    values = sorted(counts)
    half, seen = sum(counts.values()) / 2, 0
    for median in values:
        seen += counts[median]
        if seen >= half:
            break
    return str(median) if len(values) == 1 else f"{values[0]:,}–{median:,}–{values[-1]:,}"


def duration(seconds: float | None) -> str:
    """A time in its two largest units; ``UNKNOWN`` for None."""
    if seconds is None:
        return UNKNOWN
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02d} s"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02d} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"

"""Lengths of time and shares as text."""

from __future__ import annotations

import math

from django import template

from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, percent
from harness.reports import wording

register = template.Library()


@register.filter
def duration(seconds: float | None) -> str:
    """Return seconds as "12 s", "3 min 20 s", "2 h 5 min" or "3 d 4 h"; "unknown" for None."""
    if seconds is None:
        return "unknown"
    whole = round(seconds)
    for size, unit, smaller, below in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {unit} {rest} {below}" if rest else f"{whole // size} {unit}"
    return f"{whole} s"


@register.filter
def clock(seconds: float) -> str:
    """Return seconds as "4:05" or "1:00:05", rounded up: what a clock shows that counts down."""
    whole = max(0, math.ceil(seconds))
    minutes = f"{whole // 60 % 60:02d}:{whole % 60:02d}"
    return f"{whole // 3600}:{minutes}" if whole >= 3600 else minutes.removeprefix("0")


@register.filter
def unlocalized(number: float) -> str:
    """Return a number as JavaScript reads it."""
    return repr(float(number))


@register.filter
def share(number: float | None) -> str:
    """Return a share in per cent, as "66.7"; "–" for None, which is unknown."""
    return percent(number)


@register.filter
def limits(estimate: Estimate) -> str:
    """Return the limits of the interval of a share, as "50.0 to 75.0"; "–" without one."""
    return NOTHING if estimate.low is None else f"{percent(estimate.low)} to {percent(estimate.high)}"


@register.filter
def points(difference: float) -> str:
    """Return a difference of shares in points with its sign, as "−2.5"."""
    return wording.points(difference)

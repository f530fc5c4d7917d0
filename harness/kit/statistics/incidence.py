"""How many of what can happen once have happened by each moment, where some could not be watched to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class IncidencePoint:
    """One moment.

    Attributes:
        at: The moment.
        at_risk: How many had not happened before it, and were still watched at it.
        happened: To how many of them it happened then.
        censored: How many others were watched no longer than that.
        share: The estimated share to which it has happened by then, from 0 to 1.
    """

    at: int
    at_risk: int
    happened: int
    censored: int
    share: float


def cumulative_incidence(
    happened: Sequence[int], censored: Sequence[int], never: int = 0
) -> tuple[IncidencePoint, ...]:
    """The share to which something has happened, moment by moment.

    One less the product over moments of the share of those at risk to which it did not happen. What can no more happen,
    since something else has decided it, stays at risk (Fine and Gray, 1999): taking it out would count it as if it went
    the way of the others. Only what was cut off leaves. With nothing cut off it is the plain share.

    Args:
        happened: The moment at which it happened to each to which it did; none below 0.
        censored: The last moment at which each was watched that was cut off before it happened.
        never: How many others there are, to which it can no more happen.

    Returns:
        A point for each moment from 0 to the last one at which anything happened or was cut off, as long as there are
        any at risk; empty if there is nothing.
    """
    events, losses = Counter(happened), Counter(censored)
    at_risk = len(happened) + len(censored) + never
    last = max((*happened, *censored, 0))
    left = 1.0
    points = []
    for moment in range(last + 1):
        if not at_risk:
            break
        left *= 1 - events[moment] / at_risk
        points.append(IncidencePoint(moment, at_risk, events[moment], losses[moment], 1 - left))
        at_risk -= events[moment] + losses[moment]
    return tuple(points)

"""Numbers as the pages about runs show them. What is not known says so; it is never 0."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import template
from django.utils.html import format_html

from harness.kit import text
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import UNKNOWN
from harness.reports import wording
from harness.reports.watch.episode_table import IndexedEpisode
from harness.reports.watch.judged_list import JudgedEpisodes, SaidOfEpisode
from harness.reports.watch.search_terms import Snippet

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """Return a share as per cent with one decimal, a dash for None."""
    return wording.percent(share)


@register.filter
def of_episode(judged: JudgedEpisodes, episode: IndexedEpisode) -> tuple[SaidOfEpisode, ...]:
    """Return what judges said of an episode."""
    return judged.of(episode.task, episode.index)


@register.filter
def found_in(snippets: Mapping[tuple[str, int], Snippet], episode: IndexedEpisode) -> Snippet | None:
    """Return where what was searched for stands in an episode; None if that is not shown."""
    return snippets.get((episode.folder, episode.index))


@register.filter
def points(difference: float | None) -> str:
    """Return a difference of shares in points, with its sign."""
    return wording.points(difference)


@register.filter
def difference(first: float, second: float) -> str:
    """Return the second share less the first in points."""
    return wording.points(second - first)


@register.filter
def means_and_marks(row: Mapping[str, Any]) -> list[tuple[float, bool]]:
    """Return the means of a row of several runs, each with whether it is marked."""
    return list(zip(row["means"], row["best"], strict=True))


@register.filter
def interval(estimate: Estimate | dict[str, float | None] | None) -> str:
    """Return the limits of an estimate as per cent, a dash if it has none."""
    return _limits(estimate, wording.percent)


@register.filter
def interval_of_points(estimate: Estimate | dict[str, float | None] | None) -> str:
    """Return the limits of a difference in points."""
    return _limits(estimate, wording.points)


def _limits(estimate: Estimate | dict[str, float | None] | None, write: object) -> str:
    if isinstance(estimate, dict):
        estimate = Estimate(**estimate)  # type: ignore[arg-type]
    return wording.interval(estimate, write)  # type: ignore[arg-type]


@register.filter
def count(number: float | None) -> str:
    """Return a whole number with its thousands apart; in words if it is not known."""
    return UNKNOWN if number is None else wording.count(number)


@register.filter
def dollars(amount: float | Decimal | None) -> str:
    """Return US dollars; in words if they are not known."""
    return UNKNOWN if amount is None else wording.dollars(float(amount))


@register.filter
def chance(p: float | None) -> str:
    """Return a p-value."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


@register.filter
def duration(seconds: float | None) -> str:
    """Return a time in its two largest units; in words if it is not known."""
    return text.duration(seconds)


@register.filter
def rate(amount: float | None) -> str:
    """Return how many there were in a unit of time; in words if that is not known."""
    return UNKNOWN if amount is None else f"{amount:.3g}"


@register.filter
def width(share: float | None) -> str:
    """Return a share as a width in CSS."""
    return f"{100 * min(1.0, max(0.0, share or 0.0)):.2f}%"


@register.filter
def moment(text: str) -> str:
    """Return a time of ISO 8601 as an element that says it in UTC; a script of the pages says it in local time.

    What is no such time, or one of no known zone, stays as it is.
    """
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        return text
    if not time.tzinfo:
        return text
    utc = time.astimezone(datetime.UTC)
    shown = f"{utc:%Y-%m-%d %H:%M} UTC"
    return format_html('<time datetime="{}">{}</time>', utc.isoformat(timespec="seconds"), shown)


@register.filter
def letter(place: int) -> str:
    """Return the letter of a run that is compared with A: B for the first."""
    return chr(ord("A") + place)


@register.filter
def words(name: str) -> str:
    """Return the name of an outcome as words."""
    return name.replace("_", " ")

"""The ways of many episodes through a website: how many went from which of its parts to which, visit by visit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from harness.analysis.site_courses import EpisodeCourse

MOST_VISITS = 6
"""Visits that are told apart; an episode with more goes on to ``FURTHER``."""
MOST_PLACES = 6
"""Places at one visit that are told apart; the others are ``OTHERS``."""
OTHERS = "others"
FURTHER = "further visits"

FlowKind = Literal["place", "reached", "missed", "unknown"]
_ENDS: dict[bool | None, tuple[FlowKind, str]] = {
    True: ("reached", "goal reached"),
    False: ("missed", "not reached"),
    None: ("unknown", "not known"),
}


@dataclass(frozen=True, order=True)
class FlowStop:
    """A place at one visit, or how episodes ended.

    Attributes:
        column: Which visit, from 0; an end stands behind the last visit before it.
        name: The place, or the end in words.
        kind: What it is.
    """

    column: int
    name: str
    kind: FlowKind = "place"


@dataclass(frozen=True)
class Flow:
    """Episodes that went from one stop to the next.

    Attributes:
        start: From where.
        end: To where.
        episodes: How many.
    """

    start: FlowStop
    end: FlowStop
    episodes: int


@dataclass(frozen=True)
class SiteFlows:
    """The ways of episodes.

    Attributes:
        flows: From stop to stop; by column, the widest first.
        episodes: How many episodes they are of.
        nowhere: How many more there are of which no visit is known.
    """

    flows: tuple[Flow, ...]
    episodes: int
    nowhere: int


def flows_of(courses: Iterable[EpisodeCourse]) -> SiteFlows:
    """The ways of episodes through a website."""
    there = list(courses)
    told = [each for each in there if each.places]
    shown = [_shown(each.places) for each in told]
    known = _most_visited(shown)
    counts: Counter[tuple[FlowStop, FlowStop]] = Counter()
    for course, places in zip(told, shown, strict=True):
        stops = [FlowStop(column, place if place in known[column] else OTHERS) for column, place in enumerate(places)]
        kind, words = _ENDS[course.reached]
        stops.append(FlowStop(len(stops), words, kind))
        counts.update(pairwise(stops))
    flows = sorted(counts.items(), key=lambda each: (each[0][0].column, -each[1], each[0]))
    return SiteFlows(
        tuple(Flow(start, end, episodes) for (start, end), episodes in flows), len(told), len(there) - len(told)
    )


def _shown(places: Sequence[str]) -> list[str]:
    return [*places[:MOST_VISITS], *([FURTHER] if len(places) > MOST_VISITS else [])]


def _most_visited(ways: Sequence[Sequence[str]]) -> dict[int, set[str]]:
    """The places of each column that are told apart."""
    columns: dict[int, Counter[str]] = {}
    for way in ways:
        for column, place in enumerate(way):
            columns.setdefault(column, Counter())[place] += 1
    return {
        column: {name for name, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_PLACES]}
        for column, counts in columns.items()
    }

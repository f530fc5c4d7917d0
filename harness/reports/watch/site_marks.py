"""What happened on a website's pages during each step of an episode, and which key nodes were met then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.kit.text import shorten
from harness.records.episode import Episode
from harness.records.site_record import Moment, SiteRecord
from harness.scoring.evaluators.text_match import is_met

_SAID = 80
"""Characters of what an element says or holds, in a line about it."""


@dataclass(frozen=True)
class StepMarks:
    """What came of one step on the site.

    Attributes:
        address: The address of the tab in which something happened last; empty if nothing has yet.
        tab: That tab, from 1.
        events: What happened during the step, in words and in order.
        met: The key nodes that were met first then: number from 1, and name.
    """

    address: str
    tab: int
    events: tuple[str, ...] = ()
    met: tuple[tuple[int, str], ...] = ()


def marks_of(episode: Episode) -> Mapping[int | None, StepMarks]:
    """What came of each step of an episode; of None: before the first one.

    What a program did past the actions belongs to no step: of an episode with such deeds the mark of None is the start
    alone.

    Args:
        episode: Any; of a form there are none.
    """
    site = episode.site
    if site is None:
        return {}
    met = nodes_by_moment(site)
    during: dict[int | None, list[int]] = {}
    for place, moment in enumerate(site.moments):
        during.setdefault(moment.step, []).append(place)
    if episode.unseen:
        during[None] = during.get(None, [])[:1]
    found: dict[int | None, StepMarks] = {}
    at = StepMarks("", 1)
    for step in (None, *range(len(episode.steps))):
        places = during.get(step, [])
        moments = [site.moments[place] for place in places]
        here = next((moment for moment in reversed(moments) if moment.kind != "closed"), None)
        at = StepMarks(
            here.url if here else at.address,
            here.tab + 1 if here else at.tab,
            tuple(_events(moments)),
            tuple(node for place in places for node in met.get(place, ())),
        )
        found[step] = at
    return found


def event_words(moment: Moment) -> str:
    """What happened at a moment, in words."""
    if moment.kind == "acted":
        element = moment.element
        if element is None:
            return moment.event
        held = f" with {shorten(element.value, _SAID)!r}" if element.value else ""
        name = f" “{shorten(element.text, _SAID)}”" if element.text else ""
        return f"{moment.event} on {element.tag}{name}{held}"
    words = {"opened": "opened", "moved": "went to another address", "closed": "was closed"}
    return f"tab {moment.tab + 1} {words[moment.kind]}"


def _events(moments: Sequence[Moment]) -> Iterator[str]:
    for moment in moments:
        words = event_words(moment)
        yield f"{words}: {moment.url}" if moment.kind in ("opened", "moved") and moment.url else words


def nodes_by_moment(site: SiteRecord) -> Mapping[int, Sequence[tuple[int, str]]]:
    """The key nodes that were met, number from 1 and name, by the place of the moment that met each first."""
    found: dict[int, list[tuple[int, str]]] = {}
    nodes = next((each for each in site.evaluations if each.evaluator == "key_nodes"), None)
    for number, part in enumerate(nodes.parts if nodes else (), start=1):
        if is_met(part.score) and part.moment is not None:
            found.setdefault(part.moment, []).append((number, part.name))
    return found

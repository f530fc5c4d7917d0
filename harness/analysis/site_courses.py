"""How episodes on websites went, step by step: when each key node was met, and where they went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from harness.analysis.site_groups import in_order, level_name, site_name
from harness.analysis.site_scores import ended_itself
from harness.kit.statistics.incidence import IncidencePoint, cumulative_incidence
from harness.records.episode import Episode
from harness.records.site_record import EvaluatedPart, SiteRecord
from harness.scoring.evaluators.addresses import host_of
from harness.scoring.evaluators.text_match import is_met

_MOST_OF_A_NAME = 40
NodeState = Literal["met", "missed", "unknown", "untimed"]


@dataclass(frozen=True)
class NodeTime:
    """When a key node was met.

    Attributes:
        state: ``met``; ``missed`` by all that was done; ``unknown`` if that could not be told; ``untimed`` where what
            was done is not known step by step.
        step: Of ``met``: the step that met it, from 1; 0 for before the first.
    """

    state: NodeState
    step: int = 0


@dataclass(frozen=True)
class EpisodeCourse:
    """How one episode went.

    Attributes:
        site: The site it was on.
        level: How hard its task is said to be.
        steps: How many steps it took; None if not known.
        is_ended_by_itself: Whether the agent said that it was done; False if a limit or an error ended it.
        nodes: Its key nodes in the order of its task.
        places: The parts of the site that it went to, in order; the same one once in a row.
        reached: Whether its main evaluator says that the goal was reached; None if that is not known.
    """

    site: str
    level: str
    steps: int | None
    is_ended_by_itself: bool
    nodes: tuple[NodeTime, ...]
    places: tuple[str, ...]
    reached: bool | None


@dataclass(frozen=True)
class NodeCurve:
    """How many key nodes were met by each step.

    Attributes:
        points: By step, from 0 (before the first one).
        nodes: How many key nodes are in it.
        unknown: How many are not, since nobody could tell whether they were met.
        untimed: How many are not, since what was done is not known step by step.
    """

    points: tuple[IncidencePoint, ...]
    nodes: int
    unknown: int
    untimed: int


def course_of(episode: Episode, site: SiteRecord) -> EpisodeCourse:
    """How an episode on a website went."""
    nodes = next((each for each in site.evaluations if each.evaluator == "key_nodes"), None)
    main = site.main
    return EpisodeCourse(
        site=site_name(site.task),
        level=level_name(site.task),
        steps=episode.effort_in_steps,
        is_ended_by_itself=ended_itself(episode),
        nodes=tuple(_time(episode, part) for part in nodes.parts) if nodes else (),
        places=tuple(_places(site)),
        reached=main.success if main else None,
    )


def curve_of(courses: Iterable[EpisodeCourse]) -> NodeCurve:
    """How many key nodes of episodes were met by each step.

    A node that was not met is cut off at the last step of an episode that a limit or an error ended: it might have been
    met later. Of an episode that its agent ended it never will be, and stays among those that can be met.
    """
    happened: list[int] = []
    censored: list[int] = []
    never = unknown = untimed = 0
    for course in courses:
        for node in course.nodes:
            if node.state == "met":
                happened.append(node.step)
            elif node.state == "unknown":
                unknown += 1
            elif node.state == "untimed" or course.steps is None:
                untimed += 1
            elif course.is_ended_by_itself:
                never += 1
            else:
                censored.append(course.steps)
    points = cumulative_incidence(happened, censored, never)
    return NodeCurve(points, len(happened) + len(censored) + never, unknown, untimed)


def place_of(url: str, home: str) -> str:
    """The part of a site that an address is of: the first part of its path, with the host's name if that is another.

    Args:
        url: The address of a tab.
        home: The host at which the task begins.
    """
    try:
        first = urlsplit(url).path.strip("/").split("/")[0]
    except ValueError:
        return url[:_MOST_OF_A_NAME]
    host = host_of(url)
    return ("" if host == home else host or urlsplit(url).scheme + ":") + f"/{first}"[:_MOST_OF_A_NAME]


def _time(episode: Episode, part: EvaluatedPart) -> NodeTime:
    met = is_met(part.score)
    if met is None:
        return NodeTime("unknown")
    if episode.unseen:
        return NodeTime("untimed")
    if not met:
        return NodeTime("missed")
    if part.step is None:
        return NodeTime("met", 0)
    # What a stranger's run says of steps that there are not is no time.
    return NodeTime("met", part.step + 1) if 0 <= part.step < len(episode.steps) else NodeTime("untimed")


def _places(site: SiteRecord) -> Iterator[str]:
    home = host_of(site.task.start)
    last = None
    for moment in site.moments:
        if moment.kind == "closed" or not moment.url:
            continue
        place = place_of(moment.url, home)
        if place != last:
            yield place
            last = place


@dataclass(frozen=True)
class NodeTiming:
    """One place among the key nodes of the tasks of a level.

    Attributes:
        level: The level.
        number: Which node of its task, from 1.
        met: Step -> in how many episodes it was met then; 0 is before the first one.
        missed: In how many it was not met.
        unknown: Of how many it is not known whether or when.
    """

    level: str
    number: int
    met: Mapping[int, int]
    missed: int
    unknown: int

    @property
    def episodes(self) -> int:
        """How many episodes have such a node."""
        return sum(self.met.values()) + self.missed + self.unknown


def timings_of(courses: Iterable[EpisodeCourse]) -> tuple[NodeTiming, ...]:
    """At which steps nodes were met: by level, then in the order of the tasks."""
    seen: dict[tuple[str, int], Counter[int | str]] = {}
    for course in courses:
        for number, node in enumerate(course.nodes, start=1):
            what = node.step if node.state == "met" else node.state
            seen.setdefault((course.level, number), Counter())[what] += 1
    levels = in_order(level for level, _ in seen)
    places = sorted(seen, key=lambda place: (levels.index(place[0]), place[1]))
    return tuple(_timing(level, number, seen[level, number]) for level, number in places)


def _timing(level: str, number: int, seen: Counter[int | str]) -> NodeTiming:
    met = {step: count for step, count in seen.items() if isinstance(step, int)}
    return NodeTiming(level, number, dict(sorted(met.items())), seen["missed"], seen["unknown"] + seen["untimed"])

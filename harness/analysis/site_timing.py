"""At which steps each key node was met: the first, the second and so on of the tasks of each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.analysis.site_courses import EpisodeCourse
from harness.analysis.site_groups import in_order


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

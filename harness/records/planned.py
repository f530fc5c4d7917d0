"""The instances that a run was to play: ``sample.json`` of its directory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from harness.kit.files.codec import Count
from harness.kit.files.writing import path_name
from harness.records.episode import SCHEMA, Episode
from harness.records.provenance import fingerprint_of

SAMPLE_FILE = "sample.json"


@dataclass(frozen=True)
class Place:
    """One instance.

    Attributes:
        index: Its place in its table, from 0.
        id: Its id.
    """

    index: Count
    id: str


@dataclass(frozen=True, kw_only=True)
class PlannedSample:
    """The content of a ``sample.json``.

    Attributes:
        schema: The version of the format.
        tasks: Task to its chosen instances.
        elsewhere: Of a shard: task to the instances of the other shards of its run.
    """

    schema: Literal[4] = SCHEMA
    tasks: Mapping[str, tuple[Place, ...]]
    elsewhere: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, instances: Iterable[tuple[str, int, str]], elsewhere: Iterable[tuple[str, int, str]] = ()
    ) -> PlannedSample:
        """The sample of these instances: task, index and id of each; ``elsewhere`` are those of other shards."""
        return cls(tasks=_by_task(instances), elsewhere=_by_task(elsewhere))

    def __len__(self) -> int:
        return sum(map(len, self.tasks.values()))

    def instances(self) -> Iterator[tuple[str, int, str]]:
        """Task, index and id of each of its instances."""
        return _flat(self.tasks)

    def whole(self) -> PlannedSample:
        """That of the run of which it is a shard."""
        return PlannedSample.of([*_flat(self.tasks), *_flat(self.elsewhere)])

    def fingerprint(self) -> str:
        """The ``sample`` of ``run.json``: a hash over task names and instance ids."""
        return fingerprint_of(sorted((task, place.id) for task, places in self.tasks.items() for place in places))


def _by_task(instances: Iterable[tuple[str, int, str]]) -> dict[str, tuple[Place, ...]]:
    tasks: dict[str, list[Place]] = {}
    for task, index, ident in sorted(instances):
        tasks.setdefault(task, []).append(Place(index, ident))
    return {task: tuple(places) for task, places in tasks.items()}


def _flat(tasks: Mapping[str, tuple[Place, ...]]) -> Iterator[tuple[str, int, str]]:
    return ((task, place.index, place.id) for task, places in tasks.items() for place in places)


class EpisodeFilter:
    """Tells whether episodes are those that were planned."""

    def __init__(self, places: Mapping[str, Mapping[int, str]]) -> None:
        """Know what was planned.

        Args:
            places: Task -> index -> id of its chosen instances.
        """
        self._places = places

    @classmethod
    def of(cls, sample: PlannedSample) -> EpisodeFilter:
        """That of a sample."""
        return cls({task: {place.index: place.id for place in places} for task, places in sample.tasks.items()})

    def within(self, folders: Collection[str]) -> EpisodeFilter:
        """The same for the episodes of some tasks alone, by the names of their folders."""
        return EpisodeFilter({task: places for task, places in self._places.items() if path_name(task) in folders})

    def takes(self, episode: Episode) -> bool:
        """Whether it was planned: its task, index and id."""
        return self._places.get(episode.task, {}).get(episode.index) == episode.id

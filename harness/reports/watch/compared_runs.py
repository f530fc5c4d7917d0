"""Runs side by side, each with the first: by task, by field and by instance."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.comparison import LEFT_OUT, SCORE, DivergentInstance, NothingShared, compare
from harness.analysis.many_runs import side_by_side
from harness.analysis.seeds import Result, group
from harness.analysis.shared_instances import share
from harness.analysis.site_groups import REACHED
from harness.episode.registry import SOLVERS
from harness.kit.files.writing import path_name
from harness.reports.watch.index_tables import indexed_run

FARTHEST = 50
"""Instances that differ most that are listed."""
_ALONE = 20
"""Instances that only one run has right that are listed beside their number, which leads to all."""
_EQUAL = 1e-9


Which: TypeAlias = Literal[
    "fields-both",
    "fields-only-first",
    "fields-only-second",
    "fields-neither",
    "goals-both",
    "goals-only-first",
    "goals-only-second",
    "goals-neither",
    "better",
    "equal",
    "worse",
    "tasks-better",
    "tasks-equal",
    "tasks-worse",
]
"""What is counted of two runs: fields that are right, goals of websites that are reached, instances and tasks of which
the second has a better, an equal or a worse score."""


@dataclass(frozen=True)
class SharedInstance:
    """An instance in two runs.

    Attributes:
        task: Its task.
        folder: The name of its folder in ``episodes/``.
        index: Its place in the first run's table.
        index_second: Its place in the second's.
        fields: Names of the fields that it is counted for; empty where it is counted as a whole.
        first: The first run's score of the instance.
        second: The second's.
    """

    task: str
    folder: str
    index: int
    index_second: int
    fields: tuple[str, ...]
    first: float
    second: float


@dataclass(frozen=True)
class InstancePage:
    """A part of the instances of two runs that a number counts.

    Attributes:
        instances: These.
        count: How many there are in all.
        fields: How many fields they are counted for; 0 where they are counted as a whole.
        tasks: Of how many tasks they are.
    """

    instances: tuple[SharedInstance, ...]
    count: int
    fields: int
    tasks: int


def compared(folders: Sequence[Path]) -> dict[str, Any]:
    """Compare runs with the first of them, as their indices know them.

    Args:
        folders: Run directories, at least two.

    Returns:
        ``names``: of the runs; ``measure``: what is compared; ``comparisons``: as ``Comparison.to_json``, one for each
        run but the first, the tasks from the largest difference; with ``only_first`` and ``only_second``: lists of
        ``SharedInstance``, and ``instances``: how many are better, equal and worse. Each of ``farthest`` has ``folder``
        and ``index_second``, too. ``many``: ``harness.analysis.many_runs.ManyRuns`` of more than two runs; None of two,
        and where they have no instance in common.

    Raises:
        NotARun: one of them cannot be read.
        NothingShared: they have no scored instance in common.
    """
    results = [_result(folder) for folder in folders]
    workers = {"crowd", SOLVERS.place("crowd")}
    measure = LEFT_OUT if any(each.runs[0].solver in workers for each in results) else SCORE
    made = compare(results, measure=measure, farthest=FARTHEST)
    comparisons = []
    for other, comparison in zip(results[1:], made, strict=True):
        shared = _Shared(results[0], other, measure)
        comparisons.append(
            {
                **comparison.to_json(),
                "tasks": sorted(comparison.tasks, key=lambda task: -abs(task.difference)),
                "farthest": _with_places(other, comparison.farthest),
                "only_first": shared.page("fields-only-first", 0, _ALONE).instances,
                "only_second": shared.page("fields-only-second", 0, _ALONE).instances,
                "instances": shared.counts(),
            }
        )
    many = None
    if len(results) > 2:
        with contextlib.suppress(NothingShared):
            many = side_by_side(results, measure)
    return {"names": [each.name for each in results], "measure": measure, "comparisons": comparisons, "many": many}


def shared_instances(
    folders: Sequence[Path], which: Which, measure: str, *, first: int, size: int, state: str
) -> InstancePage:
    """The instances of two runs that a number of their comparison counts.

    Args:
        folders: The two run directories.
        which: Which number.
        measure: As ``compared`` says it.
        first: The first that is wanted, from 0.
        size: How many.
        state: Tells the runs as they are now from what they were: while it is the same, nothing is read again.

    Raises:
        NotARun: one of them cannot be read.
    """
    return _shared_of(*folders, measure, state).page(which, first, size)


@lru_cache(maxsize=1)
def _shared_of(first: Path, second: Path, measure: str, state: str) -> _Shared:
    del state
    return _Shared(_result(first), _result(second), measure)


def _result(folder: Path) -> Result:
    """A run as a result of its own, also where it is one of several seeds."""
    run, _ = indexed_run(folder)
    (result,) = group([run])
    return replace(result, name=f"{result.name} [{folder.resolve().name}]")


def _with_places(second: Result, farthest: Sequence[DivergentInstance]) -> list[dict[str, Any]]:
    """Instances with the names of their folders, and where they stand in the second run's tables."""
    table = second.instances
    places = dict(
        zip(zip(table["task"].astype(object), table["id"], strict=True), map(int, table["index"]), strict=True)
    )
    return [
        {**asdict(each), "folder": path_name(each.task), "index_second": places[each.task, each.id]}
        for each in farthest
    ]


class _Shared:
    """What two results share, row by row."""

    def __init__(self, first: Result, second: Result, measure: str) -> None:
        shared = share((first, second), (first.name, second.name), measure)
        pairs = zip((first, second), shared.instances, strict=True)
        self._instances = [each.instances.iloc[rows] for each, rows in pairs]
        self._scores = [each[measure].to_numpy() for each in self._instances]
        self._places = shared.places
        fields = [each.fields.iloc[rows] for each, rows in zip((first, second), shared.fields, strict=True)]
        self._names = fields[0]["name"].astype(object).to_numpy()
        self._reachable = fields[0]["ceiling"].to_numpy() > _EQUAL
        self._right = [each[measure].to_numpy() > each["ceiling"].to_numpy() - _EQUAL for each in fields]

    def counts(self) -> dict[str, int]:
        """How many instances are better, equal and worse in the second."""
        ahead = self._ahead(self._scores[1] - self._scores[0])
        return {name: int((ahead == sign).sum()) for name, sign in _SIGNS.items()}

    def page(self, which: Which, first: int, size: int) -> InstancePage:
        """As ``shared_instances``."""
        fields: dict[int, list[str]] = {}
        if which.startswith("fields-"):
            chosen = self._reachable & _beside(self._right, which.removeprefix("fields-"))
            for place, name in zip(self._places[chosen], self._names[chosen], strict=True):
                fields.setdefault(int(place), []).append(str(name))
            order = sorted(fields, key=lambda place: (-len(fields[place]), place))
        else:
            apart = -np.abs(self._scores[1] - self._scores[0]).round(9)
            whole = self._whole(which)
            order = [int(place) for place in np.argsort(apart, kind="stable") if whole[place]]
        listed = tuple(self._instance(place, fields.get(place, [])) for place in order[first : first + size])
        tasks = len(set(self._instances[0]["task"].astype(object).iloc[order]))
        return InstancePage(listed, len(order), sum(map(len, fields.values())), tasks)

    def _whole(self, which: Which) -> NDArray[np.bool_]:
        """Of each instance whether it is counted as a whole."""
        if which.startswith("goals-"):
            reached = [each["reached"].astype(object).to_numpy() for each in self._instances]
            known = (self._instances[0]["site"].astype(object).to_numpy() != "") & np.logical_and.reduce(
                [each != REACHED[None] for each in reached]
            )
            so = _beside([each == REACHED[True] for each in reached], which.removeprefix("goals-"))
            return np.asarray(known & so, dtype=bool)
        differences = self._scores[1] - self._scores[0]
        if which.startswith("tasks-"):
            tasks = self._instances[0]["task"].astype(object).to_numpy()
            differences = pd.Series(differences).groupby(tasks).transform("mean").to_numpy()
        return np.asarray(self._ahead(differences) == _SIGNS[which.removeprefix("tasks-")], dtype=bool)

    @staticmethod
    def _ahead(differences: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(np.abs(differences) <= _EQUAL, 0.0, np.sign(differences))

    def _instance(self, place: int, fields: Sequence[str]) -> SharedInstance:
        task = str(self._instances[0]["task"].iloc[place])
        index, index_second = (int(each["index"].iloc[place]) for each in self._instances)
        first, second = (float(each[place]) for each in self._scores)
        return SharedInstance(task, path_name(task), index, index_second, tuple(fields), first, second)


_SIGNS = {"better": 1.0, "equal": 0.0, "worse": -1.0}


def _beside(pair: Sequence[NDArray[np.bool_]], which: str) -> NDArray[np.bool_]:
    """Where both, one or none of two are so."""
    first, second = pair
    found = {
        "both": first & second,
        "only-first": first & ~second,
        "only-second": second & ~first,
        "neither": ~first & ~second,
    }
    return found[which]

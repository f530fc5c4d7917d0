"""Runs side by side, each with the first: by task, by field and by instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.analysis.comparison import LEFT_OUT, SCORE, DivergentInstance, compare
from harness.analysis.seeds import Result, group
from harness.analysis.shared_instances import share
from harness.episode.registry import SOLVERS
from harness.kit.files.writing import path_name
from harness.reports.watch.index_tables import indexed_run

FARTHEST = 50
"""Instances that differ most, and instances that only one run has right, that are listed."""
_EQUAL = 1e-9


@dataclass(frozen=True)
class RightAlone:
    """An instance of which one run has fields right that the other has wrong.

    Attributes:
        task: Its task.
        folder: The name of its folder in ``episodes/``.
        index: Its place in the first run's table.
        index_second: Its place in the second's.
        fields: Names of the fields that one run alone has right: whose score reaches the field's ceiling.
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


def compared(folders: Sequence[Path]) -> dict[str, Any]:
    """Compare runs with the first of them, as their indices know them.

    Args:
        folders: Run directories, at least two.

    Returns:
        ``names``: of the runs; ``measure``: what is compared; ``comparisons``: as ``Comparison.to_json``, one for each
        run but the first, the tasks from the largest difference; with ``only_first`` and ``only_second``: lists of
        ``RightAlone``. Each of ``farthest`` has ``folder`` and ``index_second``, too.

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
        only_first, only_second = _right_alone(results[0], other, measure)
        comparisons.append(
            {
                **comparison.to_json(),
                "tasks": sorted(comparison.tasks, key=lambda task: -abs(task.difference)),
                "farthest": _with_places(other, comparison.farthest),
                "only_first": only_first,
                "only_second": only_second,
            }
        )
    return {"names": [each.name for each in results], "measure": measure, "comparisons": comparisons}


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


def _right_alone(first: Result, second: Result, measure: str) -> tuple[list[RightAlone], list[RightAlone]]:
    """The instances of which the first alone, and the second alone, has fields right; most fields first."""
    shared = share((first, second), (first.name, second.name), measure)
    mine, others = (each.instances.iloc[rows] for each, rows in zip((first, second), shared.instances, strict=True))
    fields = [each.fields.iloc[rows] for each, rows in zip((first, second), shared.fields, strict=True)]
    reachable = fields[0]["ceiling"].to_numpy() > _EQUAL
    right = [each[measure].to_numpy() > each["ceiling"].to_numpy() - _EQUAL for each in fields]
    names = fields[0]["name"].astype(object).to_numpy()

    def alone(where: np.ndarray[Any, np.dtype[np.bool_]]) -> list[RightAlone]:
        by_place: dict[int, list[str]] = {}
        for place, name in zip(shared.places[where], names[where], strict=True):
            by_place.setdefault(int(place), []).append(str(name))
        most = sorted(by_place, key=lambda place: (-len(by_place[place]), place))[:FARTHEST]
        return [
            RightAlone(
                task=(task := str(mine["task"].iloc[place])),
                folder=path_name(task),
                index=int(mine["index"].iloc[place]),
                index_second=int(others["index"].iloc[place]),
                fields=tuple(by_place[place]),
                first=float(mine[measure].iloc[place]),
                second=float(others[measure].iloc[place]),
            )
            for place in most
        ]

    return alone(reachable & right[0] & ~right[1]), alone(reachable & right[1] & ~right[0])

"""Tasks by difficulty: their rank by score, and those where a solver that understands nothing comes close to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import pandas as pd

from harness.kit.statistics.estimate import Estimate

FLOORS = ("do_nothing", "constant", "copy")
"""Measures of solvers that understand nothing."""
CLOSE = 0.05
"""How near to people a floor makes a task trivial."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class RankedTask:
    """A task among the others.

    Attributes:
        task: Its name.
        place: 1 is the hardest; equals share one; None without a score.
        tied: Whether another has the same place.
        score: Its score; None without any.
    """

    task: str
    place: int | None
    tied: bool
    score: float | None


@dataclass(frozen=True)
class CloseFloor:
    """A solver that understands nothing, in a task where it comes close to people.

    Attributes:
        task: The task.
        floor: Which of ``FLOORS``.
        floor_score: Its score.
        against: ``crowd``; ``solver`` where the workers cannot be scored.
        against_score: The score of these on the same instances.
    """

    task: str
    floor: str
    floor_score: float
    against: Literal["crowd", "solver"]
    against_score: float


def ranked(scores: Mapping[str, Estimate]) -> tuple[RankedTask, ...]:
    """The tasks from the hardest to the easiest, those without a score behind them; equals share a place.

    Args:
        scores: Task -> its score.
    """
    scored = sorted((score.value, task) for task, score in scores.items() if score.value is not None)
    found: list[RankedTask] = []
    last = 0.0
    for place, (score, task) in enumerate(scored, start=1):
        tied = bool(found) and score - last < _ROUNDING
        if tied:
            found[-1] = replace(found[-1], tied=True)
        found.append(RankedTask(task, found[-1].place if tied else place, tied, score))
        last = score
    unscored = [RankedTask(task, None, False, None) for task, score in scores.items() if score.value is None]
    return (*found, *unscored)


def close_floors(task: str, instances: pd.DataFrame, solver: str) -> Iterator[CloseFloor]:
    """The floors that come close to people in a task, on the instances whose workers can be scored.

    Where there are none, floors stand beside the solver instead, unless it is a floor itself.

    Args:
        task: The task's name.
        instances: Its rows, as in ``harness.analysis.score_table.ScoreTable``.
        solver: The solver's name.
    """
    against: Literal["crowd", "solver"] = "crowd"
    beside = instances[instances["crowd"].notna()]
    if beside.empty:
        against, beside = "solver", instances[instances["score"].notna()]
    if beside.empty or (against == "solver" and solver.replace("-", "_") in FLOORS):
        return
    level = float(beside["crowd" if against == "crowd" else "score"].mean())
    for floor in FLOORS:
        score = float(beside[floor].mean())
        if score >= level - CLOSE - _ROUNDING:
            yield CloseFloor(task, floor, score, against, level)

"""What a comparison of two solvers can show: from the variance of results that are there to designs that are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.analysis.comparison import differences
from harness.analysis.seeds import Result
from harness.kit.errors import UserError
from harness.kit.statistics.estimate import ALPHA, CORRELATION, POWER
from harness.kit.statistics.sample_size import Components, Tasks, components, fewest, instances_needed, power
from harness.kit.statistics.sample_size import smallest_difference as least_found
from harness.kit.statistics.significance import MIN_CLUSTERS

MOST_TASKS = 1_000_000
"""More tasks than this are not looked for."""


class NoVariance(UserError):
    """Results do not tell how much differences vary; the message says why."""


@dataclass(frozen=True)
class VarianceBasis:
    """How much the paired difference of two solvers varies from instance to instance and from task to task.

    Attributes:
        parts: Its variances, of scores from 0 to 1.
        correlation: Of the two solvers: as it was found in two results, or taken for one.
        tasks: How many tasks the results have.
        instances: How many instances a task has: the harmonic mean, by which means over tasks are as sure as with equal
            numbers.
        dropped: Of two results: why -> how many instances are not in both.
    """

    parts: Components
    correlation: float | None
    tasks: int
    instances: int
    dropped: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the attributes' names as its keys."""
        return asdict(self)


@dataclass(frozen=True)
class RequiredSize:
    """What showing a difference takes.

    Attributes:
        difference: The true difference of two headlines, from 0 to 1.
        these_tasks: Instances of each of the tasks at hand, if they are all that matters; None if none suffices.
        like_these: The same if they are a sample of tasks that matter; None if there are too few, however many
            instances they have.
        tasks: Tasks that it then takes, with as many instances each as there are now; None if more than ``MOST_TASKS``.
    """

    difference: float
    these_tasks: int | None
    like_these: int | None
    tasks: int | None


@dataclass(frozen=True)
class Design:
    """So many tasks of so many instances, and the smallest difference that they show.

    Attributes:
        tasks: Tasks.
        instances: Instances of each.
        these_tasks: The difference, from 0 to 1, if the tasks are all that matters; None with one instance each.
        like_these: If they are a sample; None with fewer tasks than a test takes.
    """

    tasks: int
    instances: int
    these_tasks: float | None
    like_these: float | None


def basis_of_two(first: Result, second: Result, measure: str, split: str | None = None) -> VarianceBasis:
    """From the paired differences of two results.

    Args:
        first: One result.
        second: The other.
        measure: The column that is compared.
        split: Only tasks of this split; None for all.

    Raises:
        harness.analysis.comparison.NothingShared: they have no scored instance in common.
        NoVariance: they tell nothing.
    """
    shared, dropped = differences(first, second, measure)
    chosen = _of_split(shared, split)
    parts = _components(chosen, "difference")
    if not parts.within + parts.between:
        raise NoVariance(f"{first.name} and {second.name} score the same everywhere: that tells nothing of differences")
    one, other = _components(chosen, "first"), _components(chosen, "second")
    sums = (one.within + other.within, one.between + other.between)
    correlation = 1 - (parts.within + parts.between) / sum(sums) if sum(sums) else None
    return VarianceBasis(parts, correlation, *_size(chosen), dropped)


def basis_of_one(
    result: Result, measure: str, correlation: float = CORRELATION, split: str | None = None
) -> VarianceBasis:
    """From one result, for a second solver that varies as much and is right and wrong on partly the same.

    Args:
        result: The result.
        measure: The column that is compared.
        correlation: Of the two solvers' scores, below 1.
        split: Only tasks of this split; None for all.

    Raises:
        NoVariance: it tells nothing.
    """
    scored = result.instances[result.instances[measure].notna()]
    chosen = _of_split(scored, split)
    parts = _components(chosen, measure)
    if not parts.within + parts.between:
        raise NoVariance(
            f"{result.name} scores the same everywhere: that tells nothing of how much others differ from it"
        )
    return VarianceBasis(parts.of_difference(correlation), correlation, *_size(chosen), {})


def required_size(
    basis: VarianceBasis, difference: float, *, wanted: float = POWER, level: float = ALPHA
) -> RequiredSize:
    """What it takes to show a difference.

    Args:
        basis: How much differences vary, and what there is.
        difference: The true difference of the headlines, above 0.
        wanted: The chance of showing it.
        level: Of the two-sided test.
    """

    def instances(kind: Tasks) -> int | None:
        return instances_needed(basis.parts, difference, basis.tasks, wanted=wanted, level=level, kind=kind)

    return RequiredSize(
        difference=difference,
        these_tasks=instances("fixed"),
        like_these=instances("random") if basis.tasks >= MIN_CLUSTERS else None,
        tasks=tasks_needed(basis.parts, difference, basis.instances, wanted=wanted, level=level),
    )


def tasks_needed(
    parts: Components, difference: float, instances: int, *, wanted: float = POWER, level: float = ALPHA
) -> int | None:
    """The fewest tasks, of so many instances each, with which a comparison over tasks like these shows a difference.

    Args:
        parts: How much differences vary.
        difference: The true difference of the headlines, above 0.
        instances: Instances of each task.
        wanted: The chance of showing it.
        level: Of the two-sided test.

    Returns:
        At least as many as the test on tasks takes; None if more than ``MOST_TASKS``.
    """

    def enough(tasks: int) -> bool:
        return power(parts, difference, tasks, instances, level=level) >= wanted

    return fewest(enough, MIN_CLUSTERS, MOST_TASKS)


def design(parts: Components, tasks: int, instances: int, *, wanted: float = POWER, level: float = ALPHA) -> Design:
    """The smallest difference that so many tasks of so many instances show; arguments as for ``tasks_needed``."""

    def least(kind: Tasks) -> float:
        return least_found(parts, tasks, instances, wanted=wanted, level=level, kind=kind)

    return Design(
        tasks=tasks,
        instances=instances,
        these_tasks=least("fixed") if instances > 1 else None,
        like_these=least("random") if tasks >= MIN_CLUSTERS else None,
    )


def _of_split(instances: pd.DataFrame, split: str | None) -> pd.DataFrame:
    if split is None:
        return instances
    chosen = instances[instances["split"] == split]
    if not len(chosen):
        known = ", ".join(sorted(set(instances["split"].astype(str)))) or "none"
        raise NoVariance(f"no scored instance is of the split {split!r}; there are: {known}")
    return chosen


def _components(instances: pd.DataFrame, column: str) -> Components:
    codes = pd.factorize(instances["task"])[0].astype(np.int64)
    try:
        return components(instances[column].to_numpy(), codes)
    except ValueError as error:
        raise NoVariance(str(error)) from error


def _size(instances: pd.DataFrame) -> tuple[int, int]:
    """Tasks, and the harmonic mean of their instances."""
    counts = instances["task"].astype(object).value_counts()
    return len(counts), max(1, round(len(counts) / float((1 / counts).sum())))

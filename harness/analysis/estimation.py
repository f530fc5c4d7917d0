"""The scores of a group with intervals: its own, and those of people on the same labels.

``harness.statistics.clustered`` makes the intervals; tasks are the clusters, and instances the items in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.aggregation import Groups, Over, Rows
from harness.analysis.in_place import IN_PLACE
from harness.statistics.clustered import EstimationOptions, mean_of_items_many, ratio_of_means_many, ratio_of_one_many
from harness.statistics.estimate import Estimate

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Measure: TypeAlias = Literal["score", "of_ceiling"]
_Mean: TypeAlias = Callable[[Floats, Floats, Ints, EstimationOptions], list[Estimate]]
"""Numerators and denominators (items x measures each), the cluster of each item, how -> an estimate per measure."""


def _over_tasks(numerators: Floats, denominators: Floats, clusters: Ints, how: EstimationOptions) -> list[Estimate]:
    return ratio_of_means_many(numerators, denominators, clusters, **how)


def _over_one_task(numerators: Floats, denominators: Floats, _clusters: Ints, how: EstimationOptions) -> list[Estimate]:
    """The interval holds for further instances of the task."""
    return ratio_of_one_many(numerators, denominators, **how)


def _over_items(numerators: Floats, denominators: Floats, clusters: Ints, how: EstimationOptions) -> list[Estimate]:
    return mean_of_items_many(numerators, denominators, clusters, **how)


_MEANS: Mapping[Over, _Mean] = {
    "tasks": _over_tasks,
    "one task": _over_one_task,
    "instances": _over_items,
    "fields": _over_items,
}


@dataclass(frozen=True)
class Estimates:
    """The scores of a group with their intervals.

    Attributes:
        score: What was sent, on all rows with a score.
        of_ceiling: The share of the ceiling that it reaches: a ratio of two means, on the same rows.
        own_left_out: What was sent with each worker left out in turn, on the rows whose workers can be scored.
        crowd: The workers' own score, on the same rows and labels.
        gap: The last but one less the last, pair by pair.
    """

    score: Estimate
    of_ceiling: Estimate
    own_left_out: Estimate
    crowd: Estimate
    gap: Estimate


def estimates_of(rows: Rows, how: EstimationOptions) -> Estimates:
    """All estimates of a group; ``how`` says with which draws, seed and level."""
    return asked_estimates(rows, how, IN_PLACE)()


def asked_estimates(rows: Rows, how: EstimationOptions, pool: Executor) -> Callable[[], Estimates]:
    """Ask for all estimates of a group, as ``estimates_of`` gives them.

    Args:
        rows: The group.
        how: With which draws, seed and level.
        pool: What makes them; those of a single task, which need no draws, are made here.

    Returns:
        What waits for them.
    """
    mean, pool = _MEANS[rows.over], IN_PLACE if rows.over == "one task" else pool
    items = _Items.of(rows.rows, ("score", "ceiling"))
    own_scores = pool.submit(mean, items.sums[:, [0, 0]], items.over("score", "of_ceiling"), items.clusters, how)
    both = _Items.of(rows.rows, ("own_left_out", "crowd"))
    own, crowd = both.sums[:, [0]], both.sums[:, [1]]
    # A difference of scores lies between -1 and 1. Halved and moved up it lies where scores do, and shares their draws.
    numerators = np.hstack([own, crowd, (own - crowd + both.counts) / 2])
    denominators = np.broadcast_to(both.counts, numerators.shape)
    beside_people = pool.submit(mean, numerators, denominators, both.clusters, how)

    def found() -> Estimates:
        score, of_ceiling = own_scores.result()
        own_left_out, of_crowd, gap = beside_people.result()
        return Estimates(score, of_ceiling, own_left_out, of_crowd, _moved_back(gap))

    return found


def estimate_of(rows: Rows, measure: Measure, how: EstimationOptions) -> Estimate:
    """One estimate of a group alone, up to rounding as in ``estimates_of``."""
    return asked_estimate(rows, measure, how, IN_PLACE)()


def asked_estimate(rows: Rows, measure: Measure, how: EstimationOptions, pool: Executor) -> Callable[[], Estimate]:
    """Ask for one estimate of a group alone, as ``estimate_of`` gives it; gives what waits for it."""
    items = _Items.of(rows.rows, ("score", "ceiling"))
    asked = pool.submit(_MEANS[rows.over], items.sums[:, [0]], items.over(measure), items.clusters, how)
    return lambda: asked.result()[0]


def headline_estimates(
    groups: Groups[Rows], how: EstimationOptions | None = None, pool: Executor = IN_PLACE
) -> tuple[Estimate, Mapping[str, Estimate]]:
    """The headline; and split -> the mean over its tasks, of several splits. ``pool`` is what makes them."""
    several = groups.splits if len(groups.splits) > 1 else {}
    overall = asked_estimate(groups.overall, "score", how or {}, pool)
    splits = {split: asked_estimate(rows, "score", how or {}, pool) for split, rows in several.items()}
    return overall(), {split: asked() for split, asked in splits.items()}


@dataclass(frozen=True)
class _Items:
    """Sums over what belongs to each instance: itself, or its fields.

    Attributes:
        sums: Instances x columns.
        counts: How much each sums up; of shape (instances, 1).
        clusters: The task of each.
    """

    sums: Floats
    counts: Floats
    clusters: Ints

    @classmethod
    def of(cls, rows: pd.DataFrame, columns: Sequence[str]) -> _Items:
        """The items of those rows whose columns all hold numbers."""
        values = rows[list(columns)].to_numpy(dtype=np.float64)
        known = ~np.isnan(values).any(axis=1)
        values, tasks = values[known], rows["task_code"].to_numpy()[known]
        _, first, place = np.unique(rows["instance"].to_numpy()[known], return_index=True, return_inverse=True)
        counts = np.bincount(place, minlength=len(first)).astype(np.float64)
        sums = [np.bincount(place, values[:, column], minlength=len(first)) for column in range(len(columns))]
        return cls(np.stack(sums, axis=1), counts[:, None], tasks[first])

    def over(self, *measures: Measure) -> Floats:
        """What each measure is over, of items of score and ceiling: how many they are, or their ceilings."""
        return np.hstack([self.counts if measure == "score" else self.sums[:, [1]] for measure in measures])


def _moved_back(estimate: Estimate) -> Estimate:
    value, low, high = (
        None if each is None else 2 * each - 1 for each in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)

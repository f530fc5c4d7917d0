"""The scores of a group with intervals: its own, and those of people on the same labels.

``harness.statistics.clustered`` makes the intervals; tasks are the clusters, and instances the items in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.aggregation import Groups, Over, Rows
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
    mean = _MEANS[rows.over]
    items = _Items.of(rows.rows, ("score", "ceiling"))
    score, of_ceiling = mean(items.sums[:, [0, 0]], items.over("score", "of_ceiling"), items.clusters, how)
    both = _Items.of(rows.rows, ("own_left_out", "crowd"))
    own, crowd = both.sums[:, [0]], both.sums[:, [1]]
    # A difference of scores lies between -1 and 1. Halved and moved up it lies where scores do, and shares their draws.
    numerators = np.hstack([own, crowd, (own - crowd + both.counts) / 2])
    denominators = np.broadcast_to(both.counts, numerators.shape)
    own_left_out, of_crowd, gap = mean(numerators, denominators, both.clusters, how)
    return Estimates(score, of_ceiling, own_left_out, of_crowd, _moved_back(gap))


def estimate_of(rows: Rows, measure: Measure, how: EstimationOptions) -> Estimate:
    """One estimate of a group alone, up to rounding as in ``estimates_of``."""
    items = _Items.of(rows.rows, ("score", "ceiling"))
    return _MEANS[rows.over](items.sums[:, [0]], items.over(measure), items.clusters, how)[0]


def headline_estimates(
    groups: Groups[Rows], how: EstimationOptions | None = None
) -> tuple[Estimate, Mapping[str, Estimate]]:
    """The headline; and split -> the mean over its tasks, of several splits."""
    several = groups.splits if len(groups.splits) > 1 else {}
    splits = {split: estimate_of(rows, "score", how or {}) for split, rows in several.items()}
    return estimate_of(groups.overall, "score", how or {}), splits


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

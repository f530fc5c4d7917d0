"""Scores with intervals: means over tasks, over items, and over one task's instances, beside people on the same labels.

Three ways of averaging, one shape of result. ``harness.statistics.clustered`` makes the intervals; tasks are the
clusters, and instances the items in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.means import Numbers
from harness.statistics.clustered import How, mean_of_items_many, ratio_of_means_many, ratio_of_one_many
from harness.statistics.estimate import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mean = Callable[[Floats, Floats, Ints, How], list[Estimate]]
"""Numerators and denominators (items x measures each), the cluster of each item, how -> an estimate per measure."""
_ESTIMATED = ("score", "of_ceiling")
_PEOPLE = ("own_left_out", "crowd", "gap")


def over_tasks(numerators: Floats, denominators: Floats, clusters: Ints, how: How) -> list[Estimate]:
    """Every task weighs alike, and so does every instance of a task: the headline."""
    return ratio_of_means_many(numerators, denominators, clusters, **how)


def over_items(numerators: Floats, denominators: Floats, clusters: Ints, how: How) -> list[Estimate]:
    """Every instance, or every field, weighs alike."""
    return mean_of_items_many(numerators, denominators, clusters, **how)


def over_one_task(numerators: Floats, denominators: Floats, _clusters: Ints, how: How) -> list[Estimate]:
    """Every instance of a single task weighs alike; the interval holds for further instances of it."""
    return ratio_of_one_many(numerators, denominators, **how)


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


def estimated(rows: pd.DataFrame, mean: Mean, how: How) -> Numbers:
    """The scores of some rows with their intervals.

    Args:
        rows: A row an instance, or a row a field: ``instance`` (number), ``task_code``, ``score``, ``ceiling``,
            ``own_left_out`` and ``crowd``; NaN where nothing was measured.
        mean: How to average.
        how: Draws, seed and level.

    Returns:
        ``score`` and ``of_ceiling`` over the rows with a score; ``own_left_out``, ``crowd`` and ``gap``, the first less
        the second, over those whose workers can be scored. Each is an ``Estimate`` as a JSON object.
    """
    scored = _Items.of(rows, ("score", "ceiling"))
    numerators = scored.sums[:, [0, 0]]
    denominators = np.hstack([scored.counts, scored.sums[:, [1]]])
    found = dict(zip(_ESTIMATED, mean(numerators, denominators, scored.clusters, how), strict=True))
    found |= _beside_people(rows, mean, how)
    return {name: estimate.to_json() for name, estimate in found.items()}


def _beside_people(rows: pd.DataFrame, mean: Mean, how: How) -> Mapping[str, Estimate]:
    both = _Items.of(rows, ("own_left_out", "crowd"))
    own, crowd = both.sums[:, [0]], both.sums[:, [1]]
    # A difference of scores lies between -1 and 1. Halved and moved up it lies where scores do, and shares their draws.
    moved = (own - crowd + both.counts) / 2
    numerators = np.hstack([own, crowd, moved])
    estimates = mean(numerators, np.broadcast_to(both.counts, numerators.shape), both.clusters, how)
    found = dict(zip(_PEOPLE, estimates, strict=True))
    return {**found, "gap": _moved_back(found["gap"])}


def _moved_back(estimate: Estimate) -> Estimate:
    value, low, high = (
        None if each is None else 2 * each - 1 for each in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)

"""The scores of a group with intervals: its own, and those of people on the same labels.

``harness.kit.statistics.clustered`` makes the intervals; tasks are the clusters, and instances the items in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.aggregation import Groups, Over, Rows
from harness.analysis.episode_pass import IN_PLACE
from harness.kit.statistics.bootstrap import Sample
from harness.kit.statistics.clustered import (
    EstimationOptions,
    estimates_alike,
    ratio_of_one_many,
    sample_of_means,
    sample_of_sums,
)
from harness.kit.statistics.estimate import Estimate

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Measure: TypeAlias = Literal["score", "of_ceiling"]
_SAMPLES: Mapping[Over, Callable[[Floats, Floats, Ints], Sample]] = {
    "tasks": sample_of_means,
    "instances": sample_of_sums,
    "fields": sample_of_sums,
}
"""What a bootstrap draws from: numerators, denominators (items x measures each), the cluster of each item -> that."""


class Bootstraps:
    """Bootstraps that are asked for one by one and made together.

    Those of samples whose clusters have the same sizes, as have instances and their fields, share their draws.
    """

    def __init__(self, how: EstimationOptions, pool: Executor = IN_PLACE) -> None:
        """Begin with none.

        Args:
            how: With which draws, seed and level.
            pool: What makes them.
        """
        self.how = how
        self._pool = pool
        self._batch = _Batch(how, pool)

    def ask(self, sample: Sample) -> Callable[[], list[Estimate]]:
        """Ask for the estimates of a sample; gives what waits for them, and has all made that were asked for."""
        batch, sizes = self._batch, sample.sizes.tobytes()
        alike = batch.samples.setdefault(sizes, [])
        alike.append(sample)
        place = len(alike) - 1

        def found() -> list[Estimate]:
            if self._batch is batch:
                self._batch = _Batch(self.how, self._pool)
            return batch.made[sizes].result()[place]

        return found


class _Batch:
    """Samples by the sizes of their clusters, and their estimates, which are made once these are looked at."""

    def __init__(self, how: EstimationOptions, pool: Executor) -> None:
        self.samples: dict[bytes, list[Sample]] = {}
        self._how = how
        self._pool = pool

    @cached_property
    def made(self) -> Mapping[bytes, Future[list[list[Estimate]]]]:
        return {sizes: self._pool.submit(estimates_alike, alike, self._how) for sizes, alike in self.samples.items()}


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
    return asked_estimates(rows, Bootstraps(how))()


def asked_estimates(rows: Rows, bootstraps: Bootstraps) -> Callable[[], Estimates]:
    """Ask for all estimates of a group, as ``estimates_of`` gives them, up to rounding.

    Args:
        rows: The group.
        bootstraps: What is asked.

    Returns:
        What waits for them.
    """
    items = _Items.of(rows.rows, ("score", "ceiling"))
    own_scores = _asked(rows.over, items.sums[:, [0, 0]], items.over("score", "of_ceiling"), items.clusters, bootstraps)
    both = _Items.of(rows.rows, ("own_left_out", "crowd"))
    own, crowd = both.sums[:, [0]], both.sums[:, [1]]
    # A difference of scores lies between -1 and 1. Halved and moved up it lies where scores do, and shares their draws.
    numerators = np.hstack([own, crowd, (own - crowd + both.counts) / 2])
    denominators = np.broadcast_to(both.counts, numerators.shape)
    beside_people = _asked(rows.over, numerators, denominators, both.clusters, bootstraps)

    def found() -> Estimates:
        score, of_ceiling = own_scores()
        own_left_out, of_crowd, gap = beside_people()
        return Estimates(score, of_ceiling, own_left_out, of_crowd, _moved_back(gap))

    return found


def estimate_of(rows: Rows, measure: Measure, how: EstimationOptions) -> Estimate:
    """One estimate of a group alone, up to rounding as in ``estimates_of``."""
    return asked_estimate(rows, measure, Bootstraps(how))()


def asked_estimate(rows: Rows, measure: Measure, bootstraps: Bootstraps) -> Callable[[], Estimate]:
    """Ask for one estimate of a group alone, as ``estimate_of`` gives it; gives what waits for it."""
    items = _Items.of(rows.rows, ("score", "ceiling"))
    asked = _asked(rows.over, items.sums[:, [0]], items.over(measure), items.clusters, bootstraps)
    return lambda: asked()[0]


def headline_estimates(
    groups: Groups[Rows], how: EstimationOptions | None = None, pool: Executor = IN_PLACE
) -> tuple[Estimate, Mapping[str, Estimate]]:
    """The headline; and split -> the mean over its tasks, of several splits. ``pool`` is what makes them."""
    several = groups.splits if len(groups.splits) > 1 else {}
    bootstraps = Bootstraps(how or {}, pool)
    overall = asked_estimate(groups.overall, "score", bootstraps)
    splits = {split: asked_estimate(rows, "score", bootstraps) for split, rows in several.items()}
    return overall(), {split: asked() for split, asked in splits.items()}


def _asked(
    over: Over, numerators: Floats, denominators: Floats, clusters: Ints, bootstraps: Bootstraps
) -> Callable[[], list[Estimate]]:
    """Ask for the estimates of each measure. That of a single task holds for further instances of it: no draws."""
    if over == "one task":
        found = ratio_of_one_many(numerators, denominators, **bootstraps.how)
        return lambda: found
    return bootstraps.ask(_SAMPLES[over](numerators, denominators, clusters))


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

"""Means of clustered items with intervals: instances belong to tasks, and tasks are what a score generalises over.

Every function comes in two forms: for one measure, and as ``..._many`` for several measures of the same items, which
share one resampling and so cost little more than one. Equal seeds give equal results; the many give what the one
gives for each column, up to rounding.

All take the keywords of ``EstimationOptions``, and what the data do not allow has one answer for all
(docs/explanation/statistics.md, "How the limits are found"):

- no items, or denominators that add up to 0: ``value`` is None;
- fewer than two clusters (for ``..._of_one``: items): a value without limits, method ``NO_INTERVAL``;
- items that are all equal: method ``EXACT`` if they have two bounds, else no limits;
- draws that would not hold a studentised interval, as of few clusters or of clusters that nearly all agree, and the
  items of one cluster: method ``STUDENT``;
- clusters that agree though their items differ: method ``PERCENTILE``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.kit.statistics.bootstrap import Draws, Floats, Sample, linearised_error, resample_alike
from harness.kit.statistics.estimate import DRAWS, NO_INTERVAL, Estimate
from harness.kit.statistics.intervals import (
    IntervalLimits,
    is_steady,
    percentile,
    student_t,
    studentised,
    without_variance,
)

LEVEL = 0.95
SCORES: IntervalLimits = (0.0, 1.0)
"""Bounds of scores."""
DIFFERENCES: IntervalLimits = (-1.0, 1.0)
"""Bounds of differences of scores."""
AMOUNTS: IntervalLimits = (0.0, math.inf)
"""Bounds of times, costs and counts."""
UNBOUNDED: IntervalLimits = (-math.inf, math.inf)

STUDENTISED = "studentised bootstrap"
STUDENT = "Student t"
PERCENTILE = "percentile bootstrap"
EXACT = "exact bound"

_ROUNDING = 1e-9
_MOST_UNDEFINED = 0.01
"""Share of draws whose denominator may be 0."""


class EstimationOptions(TypedDict, total=False):
    """How to estimate.

    Attributes:
        draws: Of the bootstrap; ``DRAWS`` if not given. What is of one cluster is not resampled.
        seed: Of the bootstrap; 0.
        level: The share of such intervals that should hold the true value; ``LEVEL``.
        bounds: The range of the estimate by its nature; ``SCORES``. Limits are cut to it, provided that every item
            lies within: its numerator between the bounds times its denominator. Differences and amounts need theirs.
    """

    draws: int
    seed: int
    level: float
    bounds: IntervalLimits


def mean_of_clusters(values: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]) -> Estimate:
    """The mean over clusters of the means of their items: the headline of a run.

    Args:
        values: One per item, finite.
        clusters: The cluster of each item, as any integer.
        **how: See ``EstimationOptions``.

    Returns:
        The estimate; its interval holds for tasks like these, not for these tasks alone.

    Raises:
        ValueError: If the arrays differ in length or hold anything that is not finite.
    """
    return mean_of_clusters_many(_column(values), clusters, **how)[0]


def mean_of_clusters_many(values: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]) -> list[Estimate]:
    """``mean_of_clusters`` of each column; values: items x measures."""
    return estimates(sample_of_means(values, np.ones(len(np.asarray(values))), clusters), how)


def mean_of_items(
    sums: ArrayLike, counts: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]
) -> Estimate:
    """The total of the sums over the total of the counts: a mean over instances, over fields, or over one kind's.

    Args:
        sums: Per item (instance) the sum over what is averaged: its score, or the scores of its fields.
        counts: How many they are: 1, or its fields. Not negative.
        clusters: The cluster of each item, as any integer.
        **how: See ``EstimationOptions``.

    Returns:
        The estimate, as that of ``mean_of_clusters``.

    Raises:
        ValueError: If the arrays differ in length or hold anything that is not finite, or if a count is negative.
    """
    return mean_of_items_many(_column(sums), counts, clusters, **how)[0]


def mean_of_items_many(
    sums: ArrayLike, counts: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]
) -> list[Estimate]:
    """``mean_of_items`` of each column; sums: items x measures, counts: one per item, or items x measures."""
    return estimates(sample_of_sums(sums, counts, clusters), how)


def sample_of_sums(sums: ArrayLike, counts: ArrayLike, clusters: ArrayLike) -> Sample:
    """What ``mean_of_items_many`` estimates from; arguments and errors as there."""
    items, codes = _checked(sums, clusters)
    numbers = _denominators(counts, items)
    if (numbers < 0).any():
        raise ValueError("a count is negative")
    return Sample.sums(items, numbers, codes)


def ratio_of_means(
    numerators: ArrayLike, denominators: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]
) -> Estimate:
    """One mean over clusters divided by another: score over ceiling, skill, cost per point.

    Args:
        numerators: One per item, finite.
        denominators: One per item, finite.
        clusters: The cluster of each item, as any integer.
        **how: See ``EstimationOptions``.

    Returns:
        The estimate, as that of ``mean_of_clusters``.

    Raises:
        ValueError: If the arrays differ in length or hold anything that is not finite.
    """
    return ratio_of_means_many(_column(numerators), denominators, clusters, **how)[0]


def ratio_of_means_many(
    numerators: ArrayLike, denominators: ArrayLike, clusters: ArrayLike, **how: Unpack[EstimationOptions]
) -> list[Estimate]:
    """``ratio_of_means`` of each column; denominators: one per item, or items x measures."""
    return estimates(sample_of_means(numerators, denominators, clusters), how)


def sample_of_means(numerators: ArrayLike, denominators: ArrayLike, clusters: ArrayLike) -> Sample:
    """What ``ratio_of_means_many`` estimates from; arguments and errors as there."""
    items, codes = _checked(numerators, clusters)
    return Sample.means(items, _denominators(denominators, items), codes)


def mean_of_one(values: ArrayLike, **how: Unpack[EstimationOptions]) -> Estimate:
    """The mean of the items of one cluster: a task. Its interval holds for further items of this cluster.

    Args:
        values: One per item, finite.
        **how: See ``EstimationOptions``.

    Raises:
        ValueError: If a value is not finite.
    """
    return mean_of_one_many(_column(values), **how)[0]


def mean_of_one_many(values: ArrayLike, **how: Unpack[EstimationOptions]) -> list[Estimate]:
    """``mean_of_one`` of each column; values: items x measures."""
    return ratio_of_one_many(values, np.ones(len(np.asarray(values))), **how)


def ratio_of_one(numerators: ArrayLike, denominators: ArrayLike, **how: Unpack[EstimationOptions]) -> Estimate:
    """One mean over the items of one cluster divided by another: a task's score over its ceiling.

    Args:
        numerators: One per item, finite.
        denominators: One per item, finite.
        **how: See ``EstimationOptions``.

    Raises:
        ValueError: If the arrays differ in length or hold anything that is not finite.
    """
    return ratio_of_one_many(_column(numerators), denominators, **how)[0]


def ratio_of_one_many(
    numerators: ArrayLike, denominators: ArrayLike, **how: Unpack[EstimationOptions]
) -> list[Estimate]:
    """``ratio_of_one`` of each column; denominators: one per item, or items x measures."""
    items, codes = _checked(numerators, np.arange(len(np.asarray(numerators))))
    sample = Sample.means(items, _denominators(denominators, items), codes)
    found = [_estimate(sample.measure(place), how, _of_error) for place in range(items.shape[1])]
    return [replace(estimate, clusters=min(1, estimate.items)) for estimate in found]


def _column(values: ArrayLike) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"one number per item is needed, not an array of shape {column.shape}")
    return column[:, None]


def _checked(values: ArrayLike, clusters: ArrayLike) -> tuple[Floats, NDArray[np.int64]]:
    items, codes = np.asarray(values, dtype=np.float64), np.asarray(clusters)
    if items.ndim != 2 or codes.shape != items.shape[:1]:
        raise ValueError(f"items x measures and a cluster per item are needed, not {items.shape} and {codes.shape}")
    if codes.size and not np.issubdtype(codes.dtype, np.integer):
        raise ValueError(f"clusters are integers, not {codes.dtype}")
    _finite(items)
    return items, codes.astype(np.int64)


def _denominators(values: ArrayLike, items: Floats) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    found = found[:, None] if found.ndim == 1 else found
    if found.shape not in {items.shape, (len(items), 1)}:
        raise ValueError(f"denominators of shape {found.shape} do not fit numerators of shape {items.shape}")
    _finite(found)
    return found


def _finite(values: Floats) -> None:
    if not np.isfinite(values).all():
        raise ValueError("a value is not a finite number: leave out the items that have none")


Method: TypeAlias = Callable[[Sample, float, IntervalLimits], tuple[IntervalLimits, str]]
"""Limits of a sample with variance, at a level and between bounds, and how they were found."""


def estimates(sample: Sample, how: EstimationOptions) -> list[Estimate]:
    """One estimate per measure of a sample, by one bootstrap, which is not run if no measure needs it."""
    return estimates_alike([sample], how)[0]


def estimates_alike(samples: Sequence[Sample], how: EstimationOptions) -> list[list[Estimate]]:
    """What ``estimates`` gives for each of several samples, up to rounding, by one bootstrap.

    Args:
        samples: Their clusters have the same sizes, in the same order.
        how: The same for all.
    """
    draws = cache(lambda: resample_alike(samples, how.get("draws", DRAWS), how.get("seed", 0)))

    def method(number: int, place: int) -> Method:
        return lambda measure, level, bounds: _of_draws(measure, draws()[number].measure(place), level, bounds)

    return [
        [_estimate(sample.measure(place), how, method(number, place)) for place in range(sample.numerators.shape[1])]
        for number, sample in enumerate(samples)
    ]


def _estimate(measure: Sample, how: EstimationOptions, method: Method) -> Estimate:
    level, bounds = how.get("level", LEVEL), how.get("bounds", SCORES)
    value, clusters = measure.ratio(), len(measure.sizes)
    estimate = Estimate(value, None, None, clusters, len(measure.numerators))
    if value is None or clusters < 2:
        return estimate
    within = bounds if measure.lies_within(bounds) else UNBOUNDED
    if measure.is_constant():
        limits, name = without_variance(value, within, clusters, level), EXACT
    else:
        limits, name = method(measure, level, within)
    if name == NO_INTERVAL:
        return estimate
    low, high = max(limits[0], within[0]), min(limits[1], within[1])
    if not (math.isfinite(low) and math.isfinite(high)):
        return estimate
    return replace(estimate, low=low, high=high, method=name)


def _of_draws(measure: Sample, draws: Draws, level: float, bounds: IntervalLimits) -> tuple[IntervalLimits, str]:
    defined = np.isfinite(draws.shifts[:, 0])
    if defined.mean() < 1 - _MOST_UNDEFINED:
        return UNBOUNDED, NO_INTERVAL
    shifts, errors = draws.shifts[defined, 0], draws.errors[defined, 0]
    value, error = _value_and_error(measure)
    if error <= _ROUNDING * np.abs(shifts).max():
        return percentile(value + shifts, level), PERCENTILE
    if not is_steady(errors, error, level):
        return _of_error(measure, level, bounds)
    return studentised(shifts, errors, value, error, level), STUDENTISED


def _of_error(measure: Sample, level: float, bounds: IntervalLimits) -> tuple[IntervalLimits, str]:
    value, error = _value_and_error(measure)
    # A trace of rounding can put a value on its bound, where the scale ends.
    inside = bounds if bounds[0] < value < bounds[1] else UNBOUNDED
    return student_t(value, error, len(measure.sizes) - 1, inside, level), STUDENT


def _value_and_error(measure: Sample) -> tuple[float, float]:
    numerators, denominators = measure.totals()
    return float(numerators.sum() / denominators.sum()), float(linearised_error(numerators, denominators)[0])

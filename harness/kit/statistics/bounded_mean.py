"""Whether the mean of a few bounded numbers is above a limit: a test that holds where they hardly differ, too.

Student's test takes the spread that it sees for the spread that there is. Of thirty answers that are all as good as
people's it sees none, and is sure of everything, though a fault that hits one answer in twenty would be missed one time
in five. This test adds one more number at the worst bound, and weighs all of them at random (Gaffke 2005, *Three test
statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable*, Mathematical Methods of
Statistics 14, 451-467). Of numbers that are 0 or 1 it is the exact test of Clopper and Pearson; of many numbers that
differ it comes near Student's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.intervals import IntervalLimits

WEIGHTINGS = 10_000
"""Random weights that are tried."""
LEAST_P = 1 / (WEIGHTINGS + 1)
"""No p-value is below, however many the numbers."""
_AT_ONCE = 4_000_000
"""Weights that are held at once."""
_MOST_KEPT = 100
"""Weights of so many numbers are kept: fields of a task, and its workers, have nearly the same number of them."""
_ROUNDING = 1e-12


@dataclass(frozen=True)
class BoundedMean:
    """What numbers tell of their mean.

    Attributes:
        value: Their own mean; None without numbers.
        items: How many they are.
        lowered: Means with one more number at the lower bound, by random weights, sorted.
        raised: The same at the upper bound.
    """

    value: float | None
    items: int
    lowered: Floats
    raised: Floats

    def p_above(self, limit: float) -> float:
        """The p-value of the hypothesis that the true mean is at most ``limit``: a small one says it is above."""
        return _share(np.searchsorted(self.lowered, limit + _ROUNDING, side="right"))

    def p_below(self, limit: float) -> float:
        """The p-value of the hypothesis that the true mean is at least ``limit``: a small one says it is below."""
        return _share(WEIGHTINGS - np.searchsorted(self.raised, limit - _ROUNDING, side="left"))

    def limits(self, level: float) -> IntervalLimits:
        """Limits of the true mean, each of them crossed with a chance of half of what ``level`` leaves."""
        tail = (1 - level) / 2
        return float(np.quantile(self.lowered, tail)), float(np.quantile(self.raised, 1 - tail))


def bounded_mean(values: ArrayLike, bounds: IntervalLimits) -> BoundedMean:
    """Weigh numbers.

    Args:
        values: Independent numbers within the bounds.
        bounds: The least and the most that a number can be, by its nature.

    Raises:
        ValueError: A value is not finite, or outside of the bounds.
    """
    numbers = np.sort(np.asarray(values, dtype=np.float64))
    least, most = bounds
    if not np.isfinite(numbers).all() or (numbers.size and (numbers[0] < least or numbers[-1] > most)):
        raise ValueError(f"a value is not a number from {least} to {most}")
    size = len(numbers)
    inside, added = _weighed(numbers) if size <= _MOST_KEPT else _weighed_alike(numbers)
    value = float(numbers.mean()) if size else None
    return BoundedMean(value, size, *(np.sort(inside + added * bound) for bound in bounds))


def _weighed(numbers: Floats) -> tuple[Floats, Floats]:
    """The weighted sum of numbers, and the weight of the one more, an entry a weighting."""
    weights = _weights(len(numbers))
    return weights[:, 1:] @ numbers, weights[:, 0]


def _weighed_alike(numbers: Floats) -> tuple[Floats, Floats]:
    """The same of many numbers: equal ones share a weight, which is as the sum of theirs would be."""
    different, counts = np.unique(numbers, return_counts=True)
    chance = np.random.default_rng(len(numbers))
    rows = max(1, _AT_ONCE // (len(different) + 1))
    parts = []
    for first in range(0, WEIGHTINGS, rows):
        shape = (min(rows, WEIGHTINGS - first), len(different) + 1)
        drawn = chance.standard_gamma(np.array([1, *counts], dtype=np.float64), shape)
        parts.append(np.stack([drawn[:, 1:] @ different, drawn[:, 0]]) / drawn.sum(axis=1))
    inside, added = np.concatenate(parts, axis=1)
    return inside, added


@lru_cache(maxsize=2)
def _weights(size: int) -> Floats:
    """Weights of the bound and of each number that sum to 1, uniform among all such: a row a weighting."""
    drawn = np.random.default_rng(size).standard_exponential((WEIGHTINGS, size + 1))
    drawn /= drawn.sum(axis=1, keepdims=True)
    return drawn


def _share(count: np.intp | NDArray[np.intp]) -> float:
    # One more, so that p keeps its level however few weightings there are.
    return (int(count) + 1) / (WEIGHTINGS + 1)

"""Intervals of numbers that are no ratio of cluster totals, such as a slope or kappa: one cluster is left out in turn.

The variance is (T - 1) / T times the sum of squares of what leaving out each of the T clusters changes: for a line it
is the cluster-robust CV3, which errs on the safe side with few clusters (MacKinnon, Nielsen and Webb 2023,
doi:10.1002/jae.2969).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.estimate import NO_INTERVAL, Estimate
from harness.kit.statistics.intervals import IntervalLimits, student_t

JACKKNIFE = "jackknife, Student t"
_ROUNDING = 1e-9


def left_out(totals: NDArray[np.float64]) -> Floats:
    """The totals of all clusters but one, for each that can be left out.

    Args:
        totals: What each cluster adds; clusters x anything.
    """
    rest: Floats = totals.sum(axis=0) - totals
    return rest


def jackknife_error(value: Floats | float, without: Floats) -> Floats:
    """The standard error.

    Args:
        value: The number, or several.
        without: The same without each cluster; clusters x numbers.
    """
    clusters = len(without)
    error: Floats = np.sqrt((clusters - 1) / clusters * ((without - value) ** 2).sum(axis=0))
    return error


def jackknife_estimate(
    value: float,
    without: Floats,
    items: int,
    *,
    bounds: IntervalLimits,
    taken: int = 1,
    level: float = 0.95,
) -> Estimate:
    """A number with limits of Student's t.

    Args:
        value: The number.
        without: The same without each cluster; not finite where it has no meaning then.
        items: Items in the clusters.
        bounds: Between which the true value lies; infinite where there is none.
        taken: Parameters that the data determine, which degrees of freedom are taken off for.
        level: The share of such intervals that should hold the true value.

    Returns:
        The estimate; without limits where a cluster cannot be left out, where hardly any degree of freedom is left, and
        where leaving any out changes nothing, which would claim certainty.
    """
    clusters = len(without)
    bare = Estimate(value, None, None, clusters, items, NO_INTERVAL)
    if clusters - taken < 2 or not np.isfinite(without).all():
        return bare
    error = float(jackknife_error(value, without))
    if error <= _ROUNDING * max(1.0, abs(value)):
        return bare
    inside = bounds if bounds[0] < value < bounds[1] else (-np.inf, np.inf)
    low, high = student_t(value, error, clusters - taken, inside, level)
    return Estimate(value, max(low, bounds[0]), min(high, bounds[1]), clusters, items, JACKKNIFE)

"""Intervals of numbers that are no ratio of cluster totals, such as a slope or kappa; and kappa itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.clustered import DIFFERENCES, LEVEL
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


_NO_ROOM = 1e-12


def cohens_kappa(first: ArrayLike, second: ArrayLike, clusters: ArrayLike, *, level: float = LEVEL) -> Estimate:
    """Cohen's kappa: the share of items on which two judges agree, less what chance would give, over the rest.

    With p_o the share of items that both put into the same category, and p_e the sum over categories of the product of
    the shares that each of them gives it, it is (p_o - p_e) / (1 - p_e) (Cohen 1960, doi:10.1177/001316446002000104).

    Args:
        first: The category of each item by the first judge, as an integer from 0.
        second: The same by the second.
        clusters: The cluster of each item, as any integer.
        level: The share of such intervals that should hold the true value.

    Returns:
        The estimate, with limits by the jackknife over clusters. No value without items, or where both put everything
        into one and the same category: nothing is left that chance would not give.

    Raises:
        ValueError: If the arrays differ in length.
    """
    one, two, codes = (np.asarray(each, dtype=np.int64) for each in (first, second, clusters))
    if not (one.shape == two.shape == codes.shape) or one.ndim != 1:
        raise ValueError(f"two categories and a cluster per item are needed, not {one.shape}, {two.shape}")
    if not one.size:
        return Estimate(None, None, None, 0, 0)
    _, place = np.unique(codes, return_inverse=True)
    size = int(max(one.max(), two.max())) + 1
    tables = np.zeros((int(place.max()) + 1, size, size))
    np.add.at(tables, (place, one, two), 1.0)
    value = float(_kappa(tables.sum(axis=0)))
    if not np.isfinite(value):
        return Estimate(None, None, None, len(tables), len(one))
    return jackknife_estimate(value, _kappa(left_out(tables)), len(one), bounds=DIFFERENCES, level=level)


def _kappa(table: NDArray[np.float64]) -> Floats:
    """Of one table of counts, or of each in a stack; NaN where it is not defined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = table / table.sum(axis=(-2, -1), keepdims=True)
        agreed = np.trace(shares, axis1=-2, axis2=-1)
        chance = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
        room = np.where(1 - chance > _NO_ROOM, 1 - chance, np.nan)
        kappa: Floats = (agreed - chance) / room
        return kappa

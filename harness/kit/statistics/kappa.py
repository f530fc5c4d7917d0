"""How far two judges agree beyond chance, for items that come in clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.clustered import DIFFERENCES, LEVEL
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.jackknife import jackknife_estimate, left_out

_ROUNDING = 1e-12


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
        room = np.where(1 - chance > _ROUNDING, 1 - chance, np.nan)
        kappa: Floats = (agreed - chance) / room
        return kappa

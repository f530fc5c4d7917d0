"""A straight line through clustered items: how much one number changes with another, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.clustered import LEVEL, UNBOUNDED
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.jackknife import jackknife_error, jackknife_estimate, left_out

_ROUNDING = 1e-9
_TAKEN = 2
"""Parameters of a line."""


@dataclass(frozen=True)
class LineFit:
    """A line y = intercept + slope x.

    Attributes:
        slope: What y changes by where x is greater by one.
        intercept: y at x = 0.
        intercept_without: The intercept without each cluster.
        slope_without: The slope without each cluster; with the intercepts what intervals are made of.
        level: Of the intervals.
    """

    slope: Estimate
    intercept: float
    intercept_without: tuple[float, ...]
    slope_without: tuple[float, ...]
    level: float

    def at(self, x: ArrayLike) -> Floats:
        """The line's height at each x."""
        heights: Floats = self.intercept + (self.slope.value or 0.0) * np.asarray(x, dtype=np.float64)
        return heights

    def band(self, x: ArrayLike) -> tuple[Floats, Floats] | None:
        """The limits of the line's height at each x, one by one; None where the slope has none."""
        if self.slope.low is None:
            return None
        places = np.asarray(x, dtype=np.float64)
        without = np.array(self.intercept_without)[:, None] + np.array(self.slope_without)[:, None] * places
        middle = self.at(places)
        reach = float(stdtrit(len(without) - _TAKEN, (1 + self.level) / 2)) * jackknife_error(middle, without)
        return middle - reach, middle + reach


def fit_line(x: ArrayLike, y: ArrayLike, clusters: ArrayLike, *, level: float = LEVEL) -> LineFit | None:
    """Fit a line by least squares, in which each cluster weighs alike, however many items it has.

    Args:
        x: One per item, finite.
        y: One per item, finite.
        clusters: The cluster of each item, as any integer. With one item in each this is the common line.
        level: The share of such intervals that should hold the true value.

    Returns:
        The line. Its intervals are those of the jackknife over clusters with T - 2 degrees of freedom: they hold for
        clusters like these. None if no x differs, or there is nothing.

    Raises:
        ValueError: If the arrays differ in length or hold anything that is not finite.
    """
    xs, ys, codes = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), np.asarray(clusters)
    if not (xs.shape == ys.shape == codes.shape) or xs.ndim != 1:
        raise ValueError(f"an x, a y and a cluster per item are needed, not {xs.shape}, {ys.shape} and {codes.shape}")
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        raise ValueError("a value is not a finite number: leave out the items that have none")
    if not xs.size:
        return None
    # About the middle, so that the sums of squares keep their digits.
    _, place, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    middle = np.bincount(place, xs / sizes[place]).mean(), np.bincount(place, ys / sizes[place]).mean()
    dx, dy = xs - middle[0], ys - middle[1]
    moments = np.stack([np.ones_like(dx), dx, dy, dx * dx, dx * dy], axis=1) / sizes[place][:, None]
    totals: Floats = np.stack([np.bincount(place, column) for column in moments.T], axis=1).astype(np.float64)
    slope, intercept = _line(totals.sum(axis=0), *middle)
    if not np.isfinite(slope):
        return None
    slopes, intercepts = _line(left_out(totals), *middle)
    estimate = jackknife_estimate(float(slope), slopes, len(xs), bounds=UNBOUNDED, taken=_TAKEN, level=level)
    return LineFit(estimate, float(intercept), tuple(map(float, intercepts)), tuple(map(float, slopes)), level)


def _line(totals: NDArray[np.float64], middle_x: float, middle_y: float) -> tuple[Floats, Floats]:
    """Slope and intercept for sums of 1, x, y, x x and x y about a middle; NaN where no x differs."""
    weight, x, y, xx, xy = np.moveaxis(totals, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = xx - x * x / weight
        spread = np.where(spread > _ROUNDING * np.maximum(1.0, xx), spread, np.nan)
        slope = (xy - x * y / weight) / spread
        return slope, middle_y + y / weight - slope * (middle_x + x / weight)

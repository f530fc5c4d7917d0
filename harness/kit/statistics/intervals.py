"""Limits from the draws of a bootstrap (percentile, BCa, studentised), from a standard error, or without variance.

Each takes one measure. ``docs/notes/statistics.md`` compares their coverage.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit, ndtr, ndtri, stdtrit

from harness.kit.statistics.bootstrap import Floats

IntervalLimits = tuple[float, float]
_MOST_EXPONENT = 700.0
"""A double holds no more than e to the 709."""


def percentile(ratios: Floats, level: float) -> IntervalLimits:
    """The central part of the draws (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13).

    Args:
        ratios: R* of each draw, finite.
        level: The share of intervals that should hold the true value, such as 0.95.
    """
    tail = (1 - level) / 2
    return order_statistic(ratios, tail), order_statistic(ratios, 1 - tail)


def bca(ratios: Floats, value: float, left_out: Floats, level: float) -> IntervalLimits:
    """Percentiles corrected for bias and acceleration (Efron 1987, doi:10.1080/01621459.1987.10478410).

    Args:
        ratios: R* of each draw, finite.
        value: R of the sample.
        left_out: R without one cluster at a time: the jackknife that the acceleration is estimated from.
        level: As for ``percentile``.
    """
    below = ((ratios < value).mean() + (ratios <= value).mean()) / 2
    bias = ndtri(np.clip(below, 1 / len(ratios), 1 - 1 / len(ratios)))
    shifts = left_out.mean() - left_out
    spread = (shifts**2).sum()
    acceleration = (shifts**3).sum() / (6 * spread**1.5) if spread > 0 else 0.0
    tail = ndtri((1 - level) / 2)
    low, high = (ndtr(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in (tail, -tail))
    return order_statistic(ratios, float(low)), order_statistic(ratios, float(high))


def studentised(shifts: Floats, errors: Floats, value: float, error: float, level: float) -> IntervalLimits:
    """Bootstrap-t: how many of *its own* standard errors the drawn ratio lies from the sample's (Efron 1981).

    The double variance of a two-stage draw is in numerator and denominator alike, which is why this keeps its level
    however much the clusters differ (Davison and Hinkley, Bootstrap Methods and their Application, sections 2.4, 3.8).
    A draw without variance that misses the value is infinitely far away, so that a limit can be infinite.

    Args:
        shifts: R* - R of each draw, finite.
        errors: The standard error of R* of each draw.
        value: R of the sample.
        error: Its standard error, positive.
        level: As for ``percentile``.
    """
    tiny = error * 1e-6
    distances = np.zeros_like(shifts)
    with np.errstate(divide="ignore"):
        np.divide(shifts, np.where(errors > tiny, errors, 0.0), out=distances, where=np.abs(shifts) > tiny)
    tail = (1 - level) / 2
    return (
        value - order_statistic(distances, 1 - tail) * error,
        value - order_statistic(distances, tail) * error,
    )


def is_steady(errors: Floats, error: float, level: float) -> bool:
    """Whether the draws allow a studentised interval: few of them have next to no variance of their own.

    With few clusters, or when nearly all agree, a draw can miss the clusters that differ. Its own error is then far too
    small, its distance far too large, and as soon as such draws reach into the tails they alone decide the limits.

    Args:
        errors: The standard error of R* of each draw.
        error: The standard error of R.
        level: As for ``percentile``.
    """
    return bool((errors < error / 4).mean() <= (1 - level) / 10)


def student_t(value: float, error: float, degrees: int, bounds: IntervalLimits, level: float) -> IntervalLimits:
    """Student's t on a scale without bounds, and back.

    Between two bounds the scale is the logit, above a lower bound the logarithm, else that of the value itself; the
    error is carried over by its derivative. So the limits keep to the bounds, and are lopsided near them as the
    distribution is. Source: the logit interval of survey statistics (Korn and Graubard, Analysis of Health Surveys,
    section 2.9; Dean and Pagano 2015, doi:10.1093/jssam/smv024).

    Args:
        value: R, strictly between the bounds.
        error: Its standard error.
        degrees: Independent units less one.
        bounds: Between which the true value lies; infinite where there is none.
        level: As for ``percentile``.
    """
    low, high = bounds
    reach = float(stdtrit(degrees, (1 + level) / 2)) * error
    if math.isinf(low):
        return value - reach, value + reach
    if math.isinf(high):
        factor = math.exp(min(reach / (value - low), _MOST_EXPONENT))
        return low + (value - low) / factor, low + (value - low) * factor
    width = high - low
    place = (value - low) / width
    middle, reach = math.log(place / (1 - place)), reach / width / (place * (1 - place))
    return low + width * float(expit(middle - reach)), low + width * float(expit(middle + reach))


def without_variance(value: float, bounds: IntervalLimits, units: int, level: float) -> IntervalLimits:
    """Limits for a mean of bounded units that are all equal, where resampling would claim certainty.

    If a unit equals the value with probability q, so do all n with q^n; q is at least a^(1/n) unless something rarer
    than a = (1 - level) / 2 has happened. The rest, 1 - q, may lie anywhere between the bounds. At a bound this is the
    exact interval of Clopper and Pearson (doi:10.1093/biomet/26.4.404) for n of n.

    Args:
        value: What every unit equals.
        bounds: Between which units lie.
        units: Independent units.
        level: As for ``percentile``.
    """
    rest = 1 - math.pow((1 - level) / 2, 1 / units)
    low, high = bounds
    return value - rest * (value - low), value + rest * (high - value)


def order_statistic(values: Floats, share: float) -> float:
    """The (n + 1) share-th smallest value: unlike an interpolated quantile it can be infinite."""
    place = round((len(values) + 1) * share) - 1
    place = min(max(place, 0), len(values) - 1)
    return float(np.partition(values, place)[place])

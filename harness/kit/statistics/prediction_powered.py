"""A rate from many verdicts of a judge that may be biased, and the truth of a few: prediction-powered inference."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.bounded_mean import bounded_mean
from harness.kit.statistics.clustered import LEVEL
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.intervals import IntervalLimits

PREDICTION_POWERED = "prediction-powered"
"""The method of its estimates."""


@dataclass(frozen=True)
class CorrectedMean:
    """A mean that a judge's bias does not move.

    Attributes:
        estimate: The mean with its interval; no interval with fewer than two clusters of known truth.
        weight: How much the judge counts, from 0 (only the known truth is used) to 1.
        bias: By how much the judge's mean exceeds the truth's, where that is known.
    """

    estimate: Estimate
    weight: float
    bias: float


def corrected_mean(
    truth: ArrayLike, verdicts: ArrayLike, clusters: ArrayLike, *, level: float = LEVEL
) -> CorrectedMean:
    """The mean of a truth that is known of some items, from a judge's verdicts on all of them.

    With n items whose truth Y is known, N others, the judge's verdict F on all and a weight w, it is
    w * mean_N(F) + mean_n(Y - w * F): what the judge says of the others, less what it says too much where the truth is
    known (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023, Science 382:669, doi:10.1126/science.adi6000). The
    weight that makes its variance least is cov_n(Y, F) / ((1 + n / N) var(F)), kept within 0 and 1 (PPI++:
    Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453, section 6). Whose truth is known must have been drawn by
    chance. The variance is that of the items' influences summed by cluster; the limits are Student's with one degree of
    freedom less than there are clusters of known truth. Where all that is known is alike there is no variance to see,
    and the limits are those of ``bounded_mean`` for one number a cluster.

    Args:
        truth: Of each item from 0 to 1; NaN where it is not known.
        verdicts: The judge's of each item, from 0 to 1.
        clusters: The cluster (task) of each item, as any integer.
        level: The share of such intervals that should hold the true value.

    Returns:
        The mean, cut to 0 and 1. If the truth of every item is known, it is the mean of the truth.

    Raises:
        ValueError: the arrays differ in length, a verdict is not finite, or no truth is known.
    """
    known, said, codes = np.asarray(truth, np.float64), np.asarray(verdicts, np.float64), np.asarray(clusters)
    if not (known.shape == said.shape == codes.shape) or known.ndim != 1:
        raise ValueError(f"a truth, a verdict and a cluster per item are needed, not {known.shape}, {said.shape}")
    if not np.isfinite(said).all():
        raise ValueError("a verdict is not a finite number: leave out the items that have none")
    labelled = ~np.isnan(known)
    if not labelled.any():
        raise ValueError("the truth of no item is known")
    weight = _weight(known[labelled], said, labelled)
    value, influences = _value_and_influences(known, said, labelled, weight)
    bias = float((said[labelled] - known[labelled]).mean())
    clusters_in_all, clusters_known = len(np.unique(codes)), len(np.unique(codes[labelled]))
    estimate = Estimate(_cut(value), None, None, clusters_in_all, len(said))
    if clusters_known > 1:
        reach = float(stdtrit(clusters_known - 1, (1 + level) / 2)) * _error(influences, codes, clusters_known)
        low, high = (value - reach, value + reach) if reach else _limits_of_alike(value, clusters_known, level)
        estimate = replace(estimate, low=_cut(low), high=_cut(high), method=PREDICTION_POWERED)
    return CorrectedMean(estimate, weight, bias)


def _limits_of_alike(value: float, clusters: int, level: float) -> IntervalLimits:
    """The limits of a mean of which each cluster says the same: not all others need to."""
    return bounded_mean([_cut(value)] * clusters, (0.0, 1.0)).limits(level)


def _cut(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _weight(known: Floats, said: Floats, labelled: NDArray[np.bool_]) -> float:
    others = int((~labelled).sum())
    spread = float(said.var(ddof=1)) if len(said) > 1 else 0.0
    if not others or len(known) < 2 or spread == 0:
        return 0.0
    together = float(np.cov(known, said[labelled])[0, 1])
    return min(max(together / ((1 + len(known) / others) * spread), 0.0), 1.0)


def _value_and_influences(
    known: Floats, said: Floats, labelled: NDArray[np.bool_], weight: float
) -> tuple[float, Floats]:
    """The mean, and what each item adds to its deviation from what is estimated."""
    influences = np.zeros_like(said)
    rest = known[labelled] - weight * said[labelled]
    influences[labelled] = (rest - rest.mean()) / len(rest)
    value = float(rest.mean())
    if weight:
        others = weight * said[~labelled]
        influences[~labelled] = (others - others.mean()) / len(others)
        value += float(others.mean())
    return value, influences


def _error(influences: Floats, codes: NDArray[np.int64], labelled_clusters: int) -> float:
    _, place = np.unique(codes, return_inverse=True)
    totals = np.bincount(place, weights=influences)
    # The clusters of known truth are the fewer ones, and what they tell weighs most.
    return math.sqrt(labelled_clusters / (labelled_clusters - 1) * float((totals**2).sum()))

"""Two-stage bootstrap of a ratio of cluster totals: clusters are drawn, then items within each cluster drawn.

Every estimate here is one ratio, the sum over clusters of Y_t over the sum of X_t. A mean over clusters has the mean
of the cluster's items as Y_t and 1 as X_t, a mean over items has sums and counts, and a ratio of two means has both
cluster means. So one resampling and one standard error serve them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_BLOCK = 4_000_000
"""Entries of the largest array of clusters that is made at once: 32 MB."""
_CACHED = 65_536
"""Items that are drawn at once: what stays in the processor's cache is counted several times faster."""
_ROUNDING = 1e-9
"""What is smaller, as a share, is a trace of rounding."""


@dataclass(frozen=True)
class Sample:
    """Items of one or several measures, in the order of their clusters.

    Attributes:
        numerators: What each item adds to its cluster's Y_t; items x measures.
        denominators: What it adds to X_t; items x measures, or items x 1 if all measures share them.
        sizes: Items of each cluster.
    """

    numerators: Floats
    denominators: Floats
    sizes: NDArray[np.int64]

    @classmethod
    def sums(cls, numerators: Floats, denominators: Floats, clusters: NDArray[np.int64]) -> Sample:
        """Clusters weigh as much as they hold: Y_t and X_t are sums over the items.

        Args:
            numerators: Items x measures.
            denominators: Items x measures, or items x 1.
            clusters: The cluster of each item, as any integer.
        """
        order = np.argsort(clusters, kind="stable")
        _, sizes = np.unique(clusters, return_counts=True)
        return cls(numerators[order], denominators[order], sizes.astype(np.int64))

    @classmethod
    def means(cls, numerators: Floats, denominators: Floats, clusters: NDArray[np.int64]) -> Sample:
        """Clusters weigh alike: Y_t and X_t are means over the items. Arguments as those of ``sums``."""
        sample = cls.sums(numerators, denominators, clusters)
        share = np.repeat(1.0 / sample.sizes, sample.sizes)[:, None]
        return cls(sample.numerators * share, sample.denominators * share, sample.sizes)

    @property
    def starts(self) -> NDArray[np.int64]:
        """The first item of each cluster."""
        return np.cumsum(self.sizes) - self.sizes

    def measure(self, place: int) -> Sample:
        """One measure alone."""
        shared = self.denominators.shape[1] == 1
        denominators = self.denominators if shared else self.denominators[:, [place]]
        return Sample(self.numerators[:, [place]], denominators, self.sizes)

    def ratio(self) -> float | None:
        """R of the first measure; None without items, or if the denominators add up to 0."""
        total = float(self.denominators[:, 0].sum())
        if abs(total) <= _ROUNDING * float(np.abs(self.denominators[:, 0]).sum()):
            return None
        return float(self.numerators[:, 0].sum()) / total

    def is_constant(self) -> bool:
        """Whether every item of the first measure is R times its denominator: resampling would change nothing."""
        ratio = self.ratio() or 0.0
        apart = np.abs(self.numerators - ratio * self.denominators).max()
        return bool(apart <= _ROUNDING * max(np.abs(self.numerators).max(), np.abs(self.denominators).max()))

    def lies_within(self, bounds: tuple[float, float]) -> bool:
        """Whether every numerator lies between the bounds times its denominator."""
        spare = _ROUNDING * np.abs(self.denominators).max()
        low, high = (0.0 if not np.isfinite(bound) else bound * self.denominators - self.numerators for bound in bounds)
        return bool((self.denominators >= 0).all() and np.all(low <= spare) and np.all(high >= -spare))

    def totals(self) -> tuple[Floats, Floats]:
        """Y_t and X_t: clusters x measures each."""
        sums = [np.add.reduceat(part, self.starts, axis=0) for part in (self.numerators, self.denominators)]
        return sums[0], np.broadcast_to(sums[1], sums[0].shape)


@dataclass(frozen=True)
class Draws:
    """What the bootstrap gave.

    Attributes:
        shifts: R* - R, by how much the ratio of a draw differs from the sample's; draws x measures. NaN where the
            drawn denominators add up to 0.
        errors: The linearised standard error of R*, from the drawn clusters; the same shape.
    """

    shifts: Floats
    errors: Floats

    def measure(self, place: int) -> Draws:
        """The draws of one measure alone."""
        return Draws(self.shifts[:, [place]], self.errors[:, [place]])


def linearised_error(numerators: Floats, denominators: Floats) -> Floats:
    """The cluster-robust standard error of sum(Y_t) / sum(X_t).

    With e_t = Y_t - R X_t it is sqrt(T / (T - 1) * sum(e_t^2)) / sum(X_t): the variance of a ratio by linearisation
    (Cochran, Sampling Techniques, 3rd ed., section 6.4). For a mean over clusters it is the standard deviation of the
    cluster means over the root of T. All that differs within clusters is in it, since it moves the totals.

    Args:
        numerators: Y_t; clusters x measures, two clusters at least.
        denominators: X_t; the same shape.

    Returns:
        One per measure.
    """
    clusters = len(numerators)
    ratio = numerators.sum(axis=0) / denominators.sum(axis=0)
    squares = ((numerators - ratio * denominators) ** 2).sum(axis=0)
    error: Floats = np.sqrt(clusters / (clusters - 1) * squares) / np.abs(denominators.sum(axis=0))
    return error


def resample(sample: Sample, draws: int, seed: int) -> Draws:
    """Draw clusters with replacement, and for each drawn cluster as many of its items as it has.

    A cluster that is drawn twice gets its items drawn twice. All measures of a sample share the draws, and equal seeds
    give equal draws for samples with clusters of equal sizes.

    Args:
        sample: Two clusters or more.
        draws: How often.
        seed: Of the random numbers.

    Returns:
        The draws. The time is proportional to items x draws; memory stays below 200 MB for a hundred measures.
    """
    random = np.random.default_rng(seed)
    sums, counts = sample.numerators.sum(axis=0), sample.denominators.sum(axis=0)
    ratio = np.divide(sums, counts, out=np.zeros_like(sums), where=counts != 0)
    # What is summed are deviations from the estimate, so that the sums of squares keep their digits.
    deviations = sample.numerators - ratio * sample.denominators
    block = max(1, _BLOCK // len(sample.sizes))
    parts = [_block(sample, deviations, min(block, draws - start), random) for start in range(0, draws, block)]
    shifts, errors = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Draws(shifts, errors)


def _block(sample: Sample, deviations: Floats, draws: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """R* - R and the standard error of R* of some draws."""
    clusters = len(sample.sizes)
    chosen = random.integers(0, clusters, size=(draws, clusters), dtype=np.int32)
    times = np.bincount((chosen + np.arange(draws)[:, None] * clusters).ravel(), minlength=draws * clusters).reshape(
        draws, clusters
    )
    sums = _Sums(draws, deviations.shape[1], sample.denominators.shape[1])
    alone = sample.sizes == 1
    if alone.any():
        items = sample.starts[alone]
        sums.add_fixed(times[:, alone].astype(np.float64), deviations[items], sample.denominators[items])
    for cluster in np.flatnonzero(~alone):
        items = slice(sample.starts[cluster], sample.starts[cluster] + sample.sizes[cluster])
        both = np.hstack([deviations[items], sample.denominators[items]])
        sums.add(times[:, cluster], _totals(both, int(times[:, cluster].sum()), random))
    return sums.results(clusters)


def _totals(items: Floats, times: int, random: np.random.Generator) -> Floats:
    """Column sums over so many samples of the items with replacement; times x columns."""
    size = len(items)
    block = max(1, _CACHED // size)
    parts = [np.empty((0, items.shape[1]))]
    for start in range(0, times, block):
        rows = min(block, times - start)
        drawn = random.integers(0, size, size=(rows, size), dtype=np.uint16 if size <= 2**16 else np.uint32)
        places = drawn + np.arange(rows)[:, None] * size
        parts.append(np.bincount(places.ravel(), minlength=rows * size).reshape(rows, size) @ items)
    return np.concatenate(parts)


class _Sums:
    """Sums over the drawn clusters of each draw: of e, x, e e, e x and x x, of which ratio and error are made.

    Those of x alone have one column if all measures share their denominators.
    """

    def __init__(self, draws: int, measures: int, denominators: int) -> None:
        widths = (measures, denominators, measures, measures, denominators)
        self._sums = [np.zeros((draws, width)) for width in widths]

    def add_fixed(self, times: Floats, deviations: Floats, denominators: Floats) -> None:
        """Add clusters that are the same whenever they are drawn, as often as each draw drew them."""
        for place, terms in enumerate(_terms(deviations, denominators)):
            self._sums[place] += times @ terms

    def add(self, times: NDArray[np.int64], totals: Floats) -> None:
        """Add a cluster: how often each draw drew it, and its totals for each time, in the order of the draws."""
        drawn = np.flatnonzero(times)
        if not drawn.size:
            return
        starts = (np.cumsum(times) - times)[drawn]
        deviations, denominators = np.hsplit(totals, [self._sums[0].shape[1]])
        for place, terms in enumerate(_terms(deviations, denominators)):
            self._sums[place][drawn] += np.add.reduceat(terms, starts, axis=0)

    def results(self, clusters: int) -> tuple[Floats, Floats]:
        """R* - R and the standard error of R*, draws x measures each."""
        e, x, ee, ex, xx = self._sums
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = np.where(x == 0, np.nan, e / x)
            squares = np.maximum(ee - 2 * shift * ex + shift**2 * xx, 0.0)
            return shift, np.sqrt(clusters / (clusters - 1) * squares) / np.abs(x)


def _terms(e: Floats, x: Floats) -> tuple[Floats, ...]:
    return e, x, e * e, e * x, x * x

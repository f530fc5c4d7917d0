"""Two-stage bootstrap of a ratio of cluster totals: clusters are drawn, then items within each cluster drawn.

Every estimate here is one ratio, the sum over clusters of Y_t over the sum of X_t. A mean over clusters has the mean
of the cluster's items as Y_t and 1 as X_t, a mean over items has sums and counts, and a ratio of two means has both
cluster means. So one resampling and one standard error serve them all.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    return resample_alike([sample], draws, seed)[0]


def resample_alike(samples: Sequence[Sample], draws: int, seed: int) -> list[Draws]:
    """What ``resample`` gives for each of several samples, up to rounding, in little more than the time of one.

    What is drawn depends on the sizes of the clusters alone, so it is drawn once for all.

    Args:
        samples: Their clusters have the same sizes, in the same order.
        draws: How often.
        seed: Of the random numbers.

    Raises:
        ValueError: the sizes differ.
    """
    sizes = samples[0].sizes
    if not all(np.array_equal(each.sizes, sizes) for each in samples):
        raise ValueError("samples are resampled together only if their clusters have the same sizes")
    random = np.random.default_rng(seed)
    items = [np.hstack([_deviations(each), each.denominators]) for each in samples]
    block = max(1, _BLOCK // len(sizes))
    blocks = [_block(samples, items, min(block, draws - start), random) for start in range(0, draws, block)]
    return [Draws(*map(np.concatenate, zip(*parts, strict=True))) for parts in zip(*blocks, strict=True)]


def _deviations(sample: Sample) -> Floats:
    """What is summed: deviations from the estimate, so that the sums of squares keep their digits."""
    sums, counts = sample.numerators.sum(axis=0), sample.denominators.sum(axis=0)
    ratio = np.divide(sums, counts, out=np.zeros_like(sums), where=counts != 0)
    deviations: Floats = sample.numerators - ratio * sample.denominators
    return deviations


def _block(
    samples: Sequence[Sample], items: Sequence[Floats], draws: int, random: np.random.Generator
) -> list[tuple[Floats, Floats]]:
    """R* - R and the standard error of R* of some draws, for each sample; items are deviations beside denominators."""
    sizes, starts = samples[0].sizes, samples[0].starts
    clusters = len(sizes)
    chosen = random.integers(0, clusters, size=(draws, clusters), dtype=np.int32)
    times = np.bincount((chosen + np.arange(draws)[:, None] * clusters).ravel(), minlength=draws * clusters).reshape(
        draws, clusters
    )
    sums = [_Sums(draws, each.numerators.shape[1], each.denominators.shape[1]) for each in samples]
    alone = sizes == 1
    if alone.any():
        for own, of_sample in zip(sums, items, strict=True):
            own.add_fixed(times[:, alone].astype(np.float64), of_sample[starts[alone]])
    for cluster in np.flatnonzero(~alone):
        within = slice(starts[cluster], starts[cluster] + sizes[cluster])
        drawn = _totals([each[within] for each in items], int(times[:, cluster].sum()), random)
        for own, totals in zip(sums, drawn, strict=True):
            own.add(times[:, cluster], totals)
    return [own.results(clusters) for own in sums]


def _totals(items: Sequence[Floats], times: int, random: np.random.Generator) -> list[Floats]:
    """Column sums over so many samples with replacement, the same of all items; of each times x columns."""
    size = len(items[0])
    block = max(1, _CACHED // size)
    parts = [[np.empty((0, each.shape[1])) for each in items]]
    for start in range(0, times, block):
        rows = min(block, times - start)
        drawn = random.integers(0, size, size=(rows, size), dtype=np.uint16 if size <= 2**16 else np.uint32)
        places = drawn + np.arange(rows)[:, None] * size
        counts = np.bincount(places.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)
        # One by one: wide products are spread over threads, of which each process would start its own.
        parts.append([counts @ each for each in items])
    return [np.concatenate(part) for part in zip(*parts, strict=True)]


class _Sums:
    """Sums over the drawn clusters of each draw: of e, x, e e, e x and x x, of which ratio and error are made.

    Those of x alone have one column if all measures share their denominators.
    """

    def __init__(self, draws: int, measures: int, denominators: int) -> None:
        widths = (measures, denominators, measures, measures, denominators)
        self._sums = [np.zeros((draws, width)) for width in widths]
        self._measures = measures

    def add_fixed(self, times: Floats, totals: Floats) -> None:
        """Add clusters that are the same whenever they are drawn, as often as each draw drew them."""
        for place, terms in enumerate(self._terms(totals)):
            self._sums[place] += times @ terms

    def add(self, times: NDArray[np.int64], totals: Floats) -> None:
        """Add a cluster: how often each draw drew it, and its totals for each time, in the order of the draws."""
        drawn = np.flatnonzero(times)
        if not drawn.size:
            return
        starts = (np.cumsum(times) - times)[drawn]
        for place, terms in enumerate(self._terms(totals)):
            self._sums[place][drawn] += np.add.reduceat(terms, starts, axis=0)

    def results(self, clusters: int) -> tuple[Floats, Floats]:
        """R* - R and the standard error of R*, draws x measures each."""
        e, x, ee, ex, xx = self._sums
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = np.where(x == 0, np.nan, e / x)
            squares = np.maximum(ee - 2 * shift * ex + shift**2 * xx, 0.0)
            return shift, np.sqrt(clusters / (clusters - 1) * squares) / np.abs(x)

    def _terms(self, totals: Floats) -> tuple[Floats, ...]:
        e, x = np.hsplit(totals, [self._measures])
        return e, x, e * e, e * x, x * x

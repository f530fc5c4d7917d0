"""Whether a difference is more than chance: tests that assume no distribution, and a correction for many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr

MIN_CLUSTERS = 6
"""With fewer task differences no p-value below 0.05 is possible for a two-sided sign-flip test: 2 / 2^5 is 0.06."""
MOST_EXACT = 16
"""With up to so many differences every pattern of signs is tried."""
FLIPS = 100_000
"""Random patterns of signs that are tried with more differences."""
_PATTERNS = 4_096
"""Patterns that are in memory at once."""
_EQUAL = 1e-9


def sign_flip(differences: ArrayLike, *, seed: int = 0) -> float | None:
    """Test whether the mean of paired differences is zero, by flipping their signs (Fisher's randomisation test).

    If nothing distinguishes the two sides, each difference is as likely with the other sign, whatever its size: the
    differences may have different variances. The statistic is the absolute mean. With up to ``MOST_EXACT`` differences
    all patterns of signs are tried and p is exact; with more, p is (k + 1) / (n + 1) for k of n = ``FLIPS`` random
    patterns with at least the observed statistic (Phipson and Smyth 2010, doi:10.2202/1544-6115.1585), which keeps its
    level, too.

    Args:
        differences: One per task, in any unit.
        seed: Decides the random patterns.

    Returns:
        The two-sided p-value; None with fewer than ``MIN_CLUSTERS`` differences, which can never show anything.

    Raises:
        ValueError: If a difference is not finite.
    """
    return sign_flip_many(np.asarray(differences, dtype=np.float64).reshape(-1, 1), seed=seed)[0]


def sign_flip_many(differences: ArrayLike, *, seed: int = 0) -> list[float | None]:
    """``sign_flip`` of each column, with the same patterns of signs for all; differences: tasks x comparisons."""
    values = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a difference is not a finite number: leave out the tasks that only one side measured")
    tasks, comparisons = values.shape
    if tasks < MIN_CLUSTERS:
        return [None] * comparisons
    # Equal sums differ in their last digits when the order of additions does.
    least = np.abs(values.sum(axis=0)) - _EQUAL * np.abs(values).sum(axis=0)
    exact = tasks <= MOST_EXACT
    reached = np.zeros(comparisons, dtype=np.int64)
    for signs in _all_signs(tasks) if exact else _random_signs(tasks, seed):
        reached += (np.abs(signs @ values) >= least).sum(axis=0)
    ps = reached / 2 ** (tasks - 1) if exact else (reached + 1) / (FLIPS + 1)
    return [float(p) for p in ps]


def mcnemar(only_a_right: int, only_b_right: int) -> float:
    """McNemar's exact test of two counts of discordant pairs (doi:10.1007/BF02295996, binomial form).

    It treats the pairs as independent. Fields of one task are not, so the counts say more than this p-value does.

    Args:
        only_a_right: Pairs that A alone has right.
        only_b_right: Pairs that B alone has right.

    Returns:
        The two-sided p-value that both are as likely; 1 if there is no discordant pair.

    Raises:
        ValueError: If a count is negative.
    """
    fewer, pairs = min(only_a_right, only_b_right), only_a_right + only_b_right
    if fewer < 0:
        raise ValueError(f"counts cannot be negative: {only_a_right} and {only_b_right}")
    return min(1.0, 2.0 * float(bdtr(fewer, pairs, 0.5)))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for their number, so that the chance of any false one stays at the level (Holm 1979).

    The k-th smallest of m p-values is multiplied by m - k + 1, and none gets smaller than one before it. Source:
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 65-70.

    Args:
        ps: The p-values; None stands for a test that was not made, and does not count.

    Returns:
        The corrected p-values, at most 1, in the same order; None stays None.
    """
    made = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    largest = 0.0
    for rank, (p, place) in enumerate(made):
        largest = max(largest, min(1.0, p * (len(made) - rank)))
        corrected[place] = largest
    return corrected


def _all_signs(size: int) -> Iterator[NDArray[np.float64]]:
    """Every pattern of signs with a plus at the end; the others are these mirrored, with the same absolute sum."""
    for start in range(0, 2 ** (size - 1), _PATTERNS):
        numbers = np.arange(start, min(start + _PATTERNS, 2 ** (size - 1)))
        yield (1 - 2 * (numbers[:, None] >> np.arange(size) & 1)).astype(np.float64)


def _random_signs(size: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """``FLIPS`` random patterns."""
    random = np.random.default_rng(seed)
    for start in range(0, FLIPS, _PATTERNS):
        rows = min(_PATTERNS, FLIPS - start)
        yield (1 - 2 * random.integers(0, 2, size=(rows, size), dtype=np.int8)).astype(np.float64)

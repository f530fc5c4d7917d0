"""How large a run must be to show a difference, and how small a difference a run can show.

The score of instance i of task t is taken as mu + a_t + e_ti, with the variances ``between`` of a and ``within`` of e.
The mean over T tasks of n instances each then has the variance between / T + within / (T n) if the tasks are a sample
of tasks that matter (``"random"``), and within / (T n) if nothing but these very tasks matters (``"fixed"``). The test
behind the figures is Student's, two-sided, with T - 1 or T (n - 1) degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.stats import nct, t

from harness.kit.statistics.estimate import ALPHA, POWER

Tasks: TypeAlias = Literal["random", "fixed"]
MOST_INSTANCES = 1_000_000
"""More instances per task than this are never needed: what they do not show, only more tasks can."""


@dataclass(frozen=True)
class Components:
    """Where the variance of items comes from.

    Attributes:
        between: Variance of the clusters' true means, in squared units of the items.
        within: Variance of items around the mean of their cluster.
        clusters: Clusters that were measured.
        per_cluster: Items per cluster; if clusters differ in size, the size that the estimate goes by.
    """

    between: float
    within: float
    clusters: int
    per_cluster: float

    def of_difference(self, correlation: float) -> Components:
        """The components of the paired difference of two solvers that both vary like this.

        Args:
            correlation: Of the two solvers' scores, over tasks and over the instances of a task; 0 if what is hard for
                one says nothing about the other, near 1 if the same tasks and instances are hard for both.

        Raises:
            ValueError: If the correlation is not between -1 and 1.
        """
        if not -1 <= correlation <= 1:
            raise ValueError(f"a correlation lies between -1 and 1, not at {correlation}")
        share = 2 * (1 - correlation)
        return replace(self, between=share * self.between, within=share * self.within)


def components(values: ArrayLike, clusters: ArrayLike) -> Components:
    """Estimate both variances by the analysis of variance (Searle, Casella and McCulloch, Variance Components, 3.6).

    ``within`` is the mean square within clusters, and ``between`` is the mean square between less that within, divided
    by n0 = (N - sum(n_t^2) / N) / (T - 1), the size of the clusters if they are equal. An estimate below 0 is 0.

    Args:
        values: One per item: scores, or differences of two solvers on an item.
        clusters: The cluster of each item, as any integer.

    Raises:
        ValueError: With fewer than two clusters, without a cluster of two items, or if a value is not finite.
    """
    items = np.asarray(values, dtype=np.float64)
    names, codes, sizes = np.unique(np.asarray(clusters), return_inverse=True, return_counts=True)
    count, number = len(names), items.size
    if not np.isfinite(items).all():
        raise ValueError("a value is not a finite number: leave out the items that have none")
    if count < 2 or number == count:
        raise ValueError("the variance between and within tasks needs two tasks, and one with two instances")
    means = np.bincount(codes, weights=items) / sizes
    within = float(((items - means[codes]) ** 2).sum()) / (number - count)
    square = float((sizes * (means - items.mean()) ** 2).sum()) / (count - 1)
    size = (number - float((sizes**2).sum()) / number) / (count - 1)
    return Components(max(0.0, (square - within) / size), within, count, size)


def standard_error(parts: Components, tasks: int, instances: int, kind: Tasks = "random") -> float:
    """The standard error of a mean over so many tasks of so many instances each, in the unit of the items."""
    between = parts.between if kind == "random" else 0.0
    return math.sqrt((between + parts.within / instances) / tasks)


def power(
    parts: Components,
    difference: float,
    tasks: int,
    instances: int,
    *,
    level: float = ALPHA,
    kind: Tasks = "random",
) -> float:
    """The chance that a comparison finds a difference that is there.

    Args:
        parts: The variances of the *paired differences* on an item.
        difference: The true mean difference, in the unit of the items.
        tasks: Tasks to compare on.
        instances: Instances of each.
        level: Of the two-sided test.
        kind: Whether tasks are a sample or all that matters.

    Raises:
        ValueError: If the design leaves no degree of freedom: one random task, or fixed tasks of one instance.
    """
    error = standard_error(parts, tasks, instances, kind)
    return _power(abs(difference) / error if error else math.inf, _degrees(tasks, instances, kind), level)


def fewest(enough: Callable[[int], bool], least: int, most: int) -> int | None:
    """The smallest number that is enough, where every larger one is, too; None if ``most`` is not.

    Args:
        enough: Whether a number is; asked a few times for each doubling.
        least: The smallest that comes into question.
        most: The largest.
    """
    low = high = least
    while not enough(high):
        if high >= most:
            return None
        low, high = high + 1, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return high


def instances_needed(
    parts: Components,
    difference: float,
    tasks: int,
    *,
    wanted: float = POWER,
    level: float = ALPHA,
    kind: Tasks = "random",
) -> int | None:
    """The fewest instances per task with which a comparison finds a difference.

    Args:
        parts: As for ``power``, like the rest.
        difference: As there; not 0.
        tasks: As there.
        wanted: The chance of finding it.
        level: As there.
        kind: As there.

    Returns:
        Instances per task; None if ``MOST_INSTANCES`` do not suffice, as when the tasks differ too much for so few.

    Raises:
        ValueError: As there, or if the difference is 0.
    """
    if not difference:
        raise ValueError("no number of instances shows a difference of 0")

    def enough(instances: int) -> bool:
        return power(parts, difference, tasks, instances, level=level, kind=kind) >= wanted

    return fewest(enough, 1 if kind == "random" else 2, MOST_INSTANCES)


def smallest_difference(
    parts: Components,
    tasks: int,
    instances: int,
    *,
    wanted: float = POWER,
    level: float = ALPHA,
    kind: Tasks = "random",
) -> float:
    """The smallest difference that a comparison finds with the wanted chance, in the unit of the items.

    Arguments and errors are those of ``power`` and ``instances_needed``.
    """
    degrees = _degrees(tasks, instances, kind)
    most = 2.0 * float(t.ppf(1 - level / 2, degrees)) + 10.0
    while _power(most, degrees, level) < wanted:
        most *= 2
    distance = brentq(lambda distance: _power(distance, degrees, level) - wanted, 0.0, most)
    return float(distance) * standard_error(parts, tasks, instances, kind)


def _degrees(tasks: int, instances: int, kind: Tasks) -> int:
    degrees = tasks - 1 if kind == "random" else tasks * (instances - 1)
    if degrees < 1:
        raise ValueError(f"{tasks} {kind} tasks of {instances} instances each leave nothing to estimate the error from")
    return degrees


def _power(distance: float, degrees: int, level: float) -> float:
    """The chance that Student's t exceeds its critical value if the true mean lies so many standard errors off 0."""
    if math.isinf(distance):
        return 1.0
    critical = float(t.ppf(1 - level / 2, degrees))
    # The other tail is mirrored: its distribution function gives NaN at some distances.
    return float(nct.sf(critical, degrees, distance) + nct.sf(critical, degrees, -distance))

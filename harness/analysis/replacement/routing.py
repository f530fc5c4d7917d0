"""Which items people are still to do: a rule from what is known before anybody labels them, and what it is worth.

Items are ordered by how much their answers probably lack. That is learnt from items with labels, each judged by what
the *other* folds say of it, so that the curve does not flatter. The share that goes to people is the least at which the
error of all the rest is below what was asked for with a confidence of 95 per cent: shares are tried from the largest
down, and the first that fails ends it (Angelopoulos, Bates, Candès, Jordan and Lei 2021, *Learn then Test*,
arXiv:2110.01052, fixed-sequence testing).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.analysis.replacement.answers import AnsweredItem
from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.bounded_mean import bounded_mean
from harness.kit.statistics.clustered import SCORES

CONFIDENCE = 0.95
STEPS = 20
"""Shares that are tried: 100 per cent, 95, ... 0."""
FOLDS = 5
_RIDGE = 1.0
"""How strongly the weights of signals are drawn to 0, in items: a few items are not to decide alone."""
_EQUAL = 1e-9
"""A signal that varies by less, varies by rounding."""
MIN_LABELLED = 20
"""With fewer items nothing is learnt of signals, and the order is the agent's own: none."""


@dataclass(frozen=True)
class RoutingPoint:
    """What comes of sending a share of the items to people.

    Attributes:
        share: That share, from 0 to 1: of the items with labels.
        error: What the answers lack of what the labels allow, a mean over all items of which people's lack nothing.
        low: Lower limit of the error.
        high: Upper limit: the true error is above with a chance of 5 per cent.
        at_random: The error if so many items went to people by lot.
    """

    share: float
    error: float
    low: float
    high: float
    at_random: float


@dataclass(frozen=True)
class Routing:
    """Who is to do what.

    Attributes:
        wanted: The error that was asked for, 0 to 1.
        labelled: Items from which it was learnt.
        curve: Points, from no item to all of them.
        chosen: The point with the least share that keeps the error; sending everything to people keeps any.
        signals: Signal -> how much more an item lacks that is one standard deviation above the mean in it.
        to_people: The items that people are to do, those without labels included.
        to_agent: The others.
    """

    wanted: float
    labelled: int
    curve: tuple[RoutingPoint, ...]
    chosen: RoutingPoint
    signals: dict[str, float]
    to_people: tuple[AnsweredItem, ...]
    to_agent: tuple[AnsweredItem, ...]


def route(items: Sequence[AnsweredItem], wanted: float) -> Routing | None:
    """Find the rule, and apply it.

    Args:
        items: All items of a run, with labels or without.
        wanted: The error that is allowed, 0 to 1: what the answers may lack, a mean over all items.

    Returns:
        The rule; None if no item has labels.
    """
    lost = np.array([np.nan if each.lost is None else min(1.0, each.lost) for each in items])
    known = ~np.isnan(lost)
    if not known.any():
        return None
    names, signals = _signals(items, known)
    risk = np.zeros(len(items))
    weights = np.zeros(len(names))
    if known.sum() >= MIN_LABELLED:
        weights, base = _learnt(signals[known], lost[known])
        risk = base + signals @ weights
        risk[known] = _cross_fitted(signals[known], lost[known], _folds(items)[known])
    # Equal risks are ordered by chance, the same each time.
    ties = np.array([int(_digest(each)[:8], 16) for each in items])
    order = np.lexsort((ties, risk))[::-1]
    curve, chosen = _curve(lost[order[known[order]]], wanted)
    people = _sent(order, known, chosen.share, risk)
    return Routing(
        wanted=wanted,
        labelled=int(known.sum()),
        curve=curve,
        chosen=chosen,
        signals={name: float(weight) for name, weight in zip(names, weights, strict=True) if weight},
        to_people=tuple(each for each, sent in zip(items, people, strict=True) if sent),
        to_agent=tuple(each for each, sent in zip(items, people, strict=True) if not sent),
    )


def _sent(order: NDArray[np.int64], known: NDArray[np.bool_], share: float, risk: Floats) -> NDArray[np.bool_]:
    """Which items go to people: of those with labels the share, of the others what is as risky as these."""
    of_known = order[known[order]]
    count = round(share * len(of_known))
    sent = np.zeros(len(order), dtype=bool)
    sent[of_known[:count]] = True
    if count:
        sent[~known] = True if count == len(of_known) else risk[~known] >= risk[of_known[count - 1]]
    return sent


def _curve(lost: Floats, wanted: float) -> tuple[tuple[RoutingPoint, ...], RoutingPoint]:
    """The points, and the chosen one; ``lost`` is in the order in which items go to people."""
    size, mean = len(lost), float(lost.mean())
    points = []
    chosen: RoutingPoint | None = None
    failed = False
    for step in range(STEPS, -1, -1):
        share = step / STEPS
        left = lost.copy()
        left[: round(share * size)] = 0.0
        weighed = bounded_mean(left, SCORES)
        low, high = weighed.limits(2 * CONFIDENCE - 1)
        if step == STEPS:
            low = high = 0.0  # people's answers are what counts
        point = RoutingPoint(share, float(left.mean()), low, high, mean * (1 - round(share * size) / size))
        failed = failed or high > wanted
        if not failed or chosen is None:
            chosen = point
        points.append(point)
    assert chosen is not None  # noqa: S101 - the first point is
    return tuple(reversed(points)), chosen


def _signals(items: Sequence[AnsweredItem], known: NDArray[np.bool_]) -> tuple[list[str], Floats]:
    """The signals that vary among items with labels, and each item's, in standard deviations from their mean."""
    names = sorted({name for each in items for name in each.signals})
    table = np.array([[each.signals.get(name, np.nan) for name in names] for each in items]).reshape(len(items), -1)
    tasks = sorted({each.task for each in items})
    if len(tasks) > 1:
        table = np.hstack([table, [[float(each.task == task) for task in tasks] for each in items]])
        names += [f"task {task}" for task in tasks]
    with np.errstate(invalid="ignore"):
        table = np.sign(table) * np.log1p(np.abs(table))  # lengths and times are skewed
    told = ~np.isnan(table[known]).all(axis=0)
    names, table = [name for name, is_told in zip(names, told, strict=True) if is_told], table[:, told]
    mean, spread = np.nanmean(table[known], axis=0), np.nanstd(table[known], axis=0)
    varies = spread > _EQUAL
    scaled = np.nan_to_num((table[:, varies] - mean[varies]) / spread[varies])
    return [name for name, does in zip(names, varies, strict=True) if does], scaled


def _learnt(signals: Floats, lost: Floats) -> tuple[Floats, float]:
    """Weights of a ridge regression, and the mean."""
    base = float(lost.mean())
    strength = _RIDGE * len(lost) ** 0.5
    gram = signals.T @ signals + strength * np.eye(signals.shape[1])
    return np.linalg.solve(gram, signals.T @ (lost - base)), base


def _cross_fitted(signals: Floats, lost: Floats, folds: NDArray[np.int64]) -> Floats:
    """How much each item probably lacks, by the items of the other folds."""
    risk = np.empty(len(lost))
    for fold in range(FOLDS):
        inside = folds == fold
        if inside.all() or not inside.any():
            risk[inside] = lost.mean()
            continue
        weights, base = _learnt(signals[~inside], lost[~inside])
        risk[inside] = base + signals[inside] @ weights
    return risk


def _folds(items: Sequence[AnsweredItem]) -> NDArray[np.int64]:
    return np.array([int(_digest(each)[8:16], 16) % FOLDS for each in items])


def _digest(item: AnsweredItem) -> str:
    return hashlib.sha256(f"{item.task}:{item.id}".encode()).hexdigest()

"""Sets of ticked boxes: intersection over union with the worker who agrees best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.catalog.labels import ticked
from harness.scoring.metrics.field_score import FieldScore, listed


@dataclass(frozen=True)
class SetMatch:
    """A set of ticked boxes beside those of the workers.

    Attributes:
        boxes: The options.
        sent: What was sent.
        workers: Each worker's set.
        nearest: The one that agrees best.
    """

    boxes: tuple[str, ...]
    sent: frozenset[str]
    workers: tuple[frozenset[str], ...]
    nearest: frozenset[str]

    @property
    def points(self) -> float:
        """The score."""
        return overlap(self.sent, self.nearest)


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Intersection over union of two sets; two empty sets are 1 (TurkingBench, section 3.4)."""
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def score(options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> FieldScore | None:
    """Score a set of ticked boxes: the highest intersection over union with any worker's set.

    Args:
        options: The values of the boxes; if empty, the labels' own values are the options.
        labels: The raw cells of all workers; a blank one is the empty set.
        sent: The values that the form sent.

    Returns:
        The score, or None without any label. The ceiling is below 1 if each worker's set holds a value that
        no box has.
    """
    found = match(options, labels, sent)
    if found is None:
        return None
    ceiling = max(overlap(_reachable(worker, found.boxes), worker) for worker in found.workers)
    agreement = found.workers.count(found.sent) / len(found.workers)
    return FieldScore(found.points, ceiling, agreement, tied=False, explanation=_reason(found.points, found.nearest))


def match(options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> SetMatch | None:
    """What a set of ticked boxes is compared with; arguments as for ``score``.

    Returns:
        The match, or None without any label.
    """
    boxes = options or _own_values(labels)
    workers = tuple(ticked(label, boxes) for label in labels)
    if not workers:
        return None
    predicted = frozenset[str]().union(
        *(frozenset({value}) if value in boxes else ticked(value, boxes) for value in sent)
    )
    nearest = max(workers, key=lambda worker: overlap(predicted, worker))
    return SetMatch(tuple(boxes), predicted, workers, nearest)


def best(options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The set of boxes, in page order, that comes nearest to any worker's set."""
    boxes = options or _own_values(labels)
    workers = [ticked(label, boxes) for label in labels]
    if not workers:
        return ()
    nearest = max(workers, key=lambda worker: overlap(_reachable(worker, boxes), worker))
    return tuple(dict.fromkeys(box for box in boxes if box in nearest))


def _own_values(labels: Sequence[str]) -> Sequence[str]:
    return list(dict.fromkeys(part for label in labels for part in sorted(ticked(label, ()))))


def _reachable(worker: frozenset[str], boxes: Sequence[str]) -> frozenset[str]:
    return worker.intersection(boxes)


def _reason(points: float, nearest: frozenset[str]) -> str:
    who = f"the worker who ticked {listed(tuple(nearest))}" if nearest else "the worker who ticked nothing"
    return f"IoU {points:.2f} with {who}"

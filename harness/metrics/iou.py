"""Sets of ticked boxes: intersection over union with the worker who agrees best."""

from __future__ import annotations

from collections.abc import Sequence

from harness.metrics.field_score import FieldScore, listed
from harness.metrics.labels import ticked


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
    boxes = options or _own_values(labels)
    workers = [ticked(label, boxes) for label in labels]
    if not workers:
        return None
    predicted = frozenset[str]().union(
        *(frozenset({value}) if value in boxes else ticked(value, boxes) for value in sent)
    )
    nearest = max(workers, key=lambda worker: overlap(predicted, worker))
    points = overlap(predicted, nearest)
    ceiling = max(overlap(_reachable(worker, boxes), worker) for worker in workers)
    agreement = workers.count(predicted) / len(workers)
    return FieldScore(points, ceiling, agreement, tied=False, explanation=_reason(points, nearest))


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

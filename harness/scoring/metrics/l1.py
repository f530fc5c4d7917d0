"""Sliders: one less the mean distance to the labels, measured by the largest of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.catalog.labels import is_blank, number
from harness.kit.text import counted
from harness.scoring.metrics.field_score import FieldScore


def score(_options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> FieldScore | None:
    """Score a number by its mean absolute distance from the labels (TurkingBench, section 3.4).

    ``1 - mean(|p - label|) / max(|label|)``, kept within 0 and 1. If every label is 0, only 0 is right.

    Args:
        _options: Not used; every kind of field is scored by the same call.
        labels: The raw cells of all workers; those that are not numbers are left out.
        sent: What the form sent; anything but a number scores 0.

    Returns:
        The score, or None if every label is blank. The ceiling is the best that any of the labels would get,
        which is the best of all numbers, since the median of the labels is nearest to them; it is 0 if no
        label is a number.
    """
    if all(is_blank(label) for label in labels):
        return None
    numbers = as_numbers(labels)
    if not numbers:
        return FieldScore(0.0, 0.0, None, tied=False, explanation="no label is a number")
    ceiling = max(closeness(value, numbers) for value in set(numbers))
    predicted = as_numbers(sent[:1])
    if not predicted:
        return FieldScore(0.0, ceiling, None, tied=False, explanation="no number was sent")
    distance = sum(abs(predicted[0] - value) for value in numbers) / len(numbers)
    workers = counted(len(numbers), "label")
    reason = f"{predicted[0]:g} is {distance:g} from {workers} on average; the largest is {scale(numbers):g}"
    return FieldScore(closeness(predicted[0], numbers), ceiling, None, tied=False, explanation=reason)


def best(_options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The label that is nearest to all labels, as a number in its shortest form; nothing if none is one."""
    numbers = as_numbers(labels)
    if not numbers:
        return ()
    return (shortest(max(numbers, key=lambda value: closeness(value, numbers))),)


def closeness(value: float, numbers: Sequence[float]) -> float:
    """One less the mean distance of a value from numbers, in units of the largest of them.

    Args:
        value: The prediction.
        numbers: The labels, at least one.

    Returns:
        A number from 0 to 1.
    """
    largest = scale(numbers)
    if not largest:
        return float(value == 0)
    distance = sum(abs(value - label) for label in numbers) / len(numbers)
    return min(1.0, max(0.0, 1 - distance / largest))


def as_numbers(texts: Sequence[str]) -> list[float]:
    """Those texts that are finite numbers, as such."""
    values = (float(value) for text in texts if (value := number(text)) is not None)
    return [value for value in values if math.isfinite(value)]


def shortest(value: float) -> str:
    """A finite number as a person would write it: ``3`` for 3.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)


def scale(numbers: Sequence[float]) -> float:
    """What distances are measured by: the largest of numbers, without its sign."""
    return max(abs(value) for value in numbers)

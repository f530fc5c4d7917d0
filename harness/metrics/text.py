"""Texts: the best ROUGE-L over the labels; equal strings are right, numbers compare as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from harness.metrics.field_score import FieldScore, quoted
from harness.metrics.labels import clean, is_blank, number
from harness.metrics.rouge import best_rouge_l


def score(_options: Sequence[str], labels: Sequence[str], sent: Sequence[str]) -> FieldScore | None:
    """Score a text (TurkingBench, section 3.4).

    Args:
        _options: Not used; every kind of field is scored by the same call.
        labels: The raw cells of all workers.
        sent: What the form sent; of several values the blank ones are left out and the rest joined by ``|``,
            as crowdsourcing platforms record them.

    Returns:
        The score, or None if every label is blank. The ceiling is 1.
    """
    answers = [clean(label) for label in labels if not is_blank(label)]
    if not answers:
        return None
    text = clean("|".join(value for value in sent if value.strip()))
    points, reason = _compare(text, answers)
    return FieldScore(points, 1.0, None, tied=False, explanation=reason)


def best(_options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The first label that is not blank; nothing if all are."""
    return next(((clean(label),) for label in labels if not is_blank(label)), ())


def _compare(text: str, answers: Sequence[str]) -> tuple[float, str]:
    if not text:
        return 0.0, f"nothing was entered; a worker wrote {quoted(answers[0])}"
    if text in answers:
        return 1.0, "equal to a worker's text"
    value = number(text)
    if value is not None:
        if any(number(answer) == value for answer in answers):
            return 1.0, "the same number as a worker's"
        answers = [answer for answer in answers if number(answer) is None]
        if not answers:
            return 0.0, "a number that no worker gave"
    points, answer = best_rouge_l(text, answers)
    return points, f"ROUGE-L {points:.2f} with the label {quoted(answer)}"

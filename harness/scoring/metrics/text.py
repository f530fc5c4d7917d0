"""Texts: the best ROUGE-L over the labels; equal strings are right, numbers compare as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from harness.catalog.labels import clean, is_blank, number
from harness.scoring.metrics.field_score import FieldScore, quoted
from harness.scoring.metrics.rouge import best_rouge_l

TextRule = Literal["nothing sent", "equal", "same number", "another number", "rouge"]
"""What decided: ``rouge`` is ROUGE-L, the others need no tokens."""


@dataclass(frozen=True)
class TextMatch:
    """A text beside the label that it was matched with.

    Attributes:
        points: The score.
        rule: What decided.
        text: What was sent, as it is compared.
        label: The label, as it is compared: the nearest; of several that are as near, one.
    """

    points: float
    rule: TextRule
    text: str
    label: str


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
    found = match(labels, sent)
    return FieldScore(found.points, 1.0, None, tied=False, explanation=_reason(found)) if found else None


def match(labels: Sequence[str], sent: Sequence[str]) -> TextMatch | None:
    """What a text is compared with, and what that comes to; arguments as for ``score``.

    Returns:
        The match, or None if every label is blank.
    """
    answers = [clean(label) for label in labels if not is_blank(label)]
    return _matched(clean("|".join(value for value in sent if value.strip())), answers) if answers else None


def best(_options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """The first label that is not blank; nothing if all are."""
    return next(((clean(label),) for label in labels if not is_blank(label)), ())


def _matched(text: str, answers: Sequence[str]) -> TextMatch:
    if not text:
        return TextMatch(0.0, "nothing sent", text, answers[0])
    if text in answers:
        return TextMatch(1.0, "equal", text, text)
    value = number(text)
    if value is not None:
        if same := next((answer for answer in answers if number(answer) == value), None):
            return TextMatch(1.0, "same number", text, same)
        words = [answer for answer in answers if number(answer) is None]
        if not words:
            return TextMatch(0.0, "another number", text, answers[0])
        answers = words
    points, answer = best_rouge_l(text, answers)
    return TextMatch(points, "rouge", text, answer)


def _reason(found: TextMatch) -> str:
    match found.rule:
        case "nothing sent":
            return f"nothing was entered; a worker wrote {quoted(found.label)}"
        case "equal":
            return "equal to a worker's text"
        case "same number":
            return "the same number as a worker's"
        case "another number":
            return "a number that no worker gave"
        case "rouge":
            return f"ROUGE-L {found.points:.2f} with the label {quoted(found.label)}"

"""The profile ``turkingbench-2024``: what the benchmark's original public code computes, quirks included.

It exists so that published numbers can be compared. Every quirk below is kept on purpose, is listed in
``docs/reference/metrics.md``, and is checked against the runs that the benchmark's authors recorded.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from harness.catalog.kinds import CHOICES, KINDS, TEXTS
from harness.catalog.labels import is_blank, winners
from harness.kit.text import counted
from harness.scoring.metrics.field_score import FieldScore, mean, quoted
from harness.scoring.metrics.l1 import shortest
from harness.scoring.metrics.rouge import Tokens, best_rouge_l, english_tokens

Gold: TypeAlias = str | float | None

_SPACE = re.compile(r"\s+")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class TurkingBench2024:
    """The rules of the original code, for comparison with published numbers only."""

    name: str = "turkingbench-2024"
    scores_invisible: bool = False

    def score_field(
        self, kind: str, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]
    ) -> FieldScore | None:
        """Score one field; see ``Profile.score_field``. None for a text that every worker left blank."""
        score = score_recorded(kind, labels, value_read(kind, sent))
        if score is None:
            return None
        ceiling = _ceiling(kind, tuple(options), tuple(labels))
        agreement, tied = _agreement(kind, labels, value_read(kind, sent))
        return FieldScore(score, ceiling, agreement, tied, _reason(kind, labels, score))

    def best_answer(self, kind: str, options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
        """Find values that reach the ceiling; see ``Profile.best_answer``."""
        return max(_candidates(kind, options, labels), key=lambda answer: _score_of(kind, labels, answer))

    def instance_score(self, scores: Sequence[tuple[str, FieldScore]]) -> float | None:
        """Average the fields of an instance; see ``Profile.instance_score``.

        Every range field counts as 1.0, whatever its score.
        """
        return mean([1.0 if kind == "range" else field.score for kind, field in scores])


def score_recorded(kind: str, gold: Sequence[Gold], value: str) -> float | None:
    """Score one field as the original code did, from what it recorded.

    Args:
        kind: The field's kind.
        gold: One label a worker: a cell's text, or a number or None where a reader of the CSV file made one.
        value: What was read from the page: ticked boxes sorted and joined by ``|``, of other fields the first
            value, empty if there is none.

    Returns:
        The score, or None for a text that every worker left blank.

    Raises:
        ValueError: The kind is unknown.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of field {kind!r}")
    labels = read_labels(gold)
    if kind in TEXTS and labels and not any(labels):
        return None
    if labels in ([], [""]):
        return float(not value)
    if kind in TEXTS:
        return nearest_text(value, labels)[0]
    if kind == "checkbox":
        return float(any(same_words(value, sorted_set(label)) for label in labels))
    if kind == "range":
        return _distance(value, labels)
    return float(same_words(value, winners(labels)[0]))


@lru_cache(maxsize=1 << 14)
def plain_number(text: str) -> str:
    """A text that Python reads as a number, in its shortest form (``4.0`` is ``4``); any other as it is."""
    try:
        value = float(text)
        whole = int(value)
    except (ValueError, OverflowError):
        return text
    return str(whole if whole == value else value)


def same_words(first: str, second: str) -> bool:
    """Exact match of the original code: without case, punctuation and extra white space.

    A minus sign is punctuation, so that ``-1`` equals ``1``.
    """
    return words(plain_number(first)) == words(plain_number(second))


def words(text: str) -> str:
    """A text as exact match sees it: without case, punctuation and extra white space."""
    return " ".join(text.lower().translate(_WITHOUT_PUNCTUATION).split())


def read_labels(gold: Iterable[Gold]) -> list[str]:
    """The labels as texts: empty where blank, whole numbers without ``.0``."""
    texts = ("" if cell is None else str(cell) for cell in gold)
    return ["" if is_blank(text) else plain_number(text) for text in texts]


def value_read(kind: str, sent: Sequence[str]) -> str:
    """What the original code read from the page: a sorted set of boxes, else the first value."""
    if kind == "checkbox":
        return "|".join(sorted(sent))
    return sent[0] if sent else ""


def sorted_set(label: str) -> str:
    """A label of several boxes, its parts in order."""
    return "|".join(sorted(label.split("|")))


def nearest_text(value: str, labels: Sequence[str]) -> tuple[float, str]:
    """The score of a text, and the label that gives it, as the original compares it.

    Args:
        value: What was read from the page.
        labels: As ``read_labels`` gives them, at least one not blank.
    """
    prediction = plain_text(plain_number(value))
    references = [plain_text(label) for label in labels if label]
    if prediction in references:
        return 1.0, prediction
    return best_rouge_l(prediction, references, english_pair)


def plain_text(text: str) -> str:
    r"""A text as the original compares it: ``&amp;`` is ``&``, line ends are ``\n``."""
    return text.replace("&amp;", "&").replace("\r\n", "\n")


def english_pair(prediction: str, label: str) -> tuple[Tokens, Tokens]:
    """Tokens of ASCII letters only, whatever the language: one more quirk."""
    return english_tokens(prediction), english_tokens(label)


def _distance(value: str, labels: Sequence[str]) -> float:
    """Mean distance by the largest number in sight; exact match if anything is not a number."""
    prediction, numbers = finite(value), [finite(label) for label in labels]
    values = [number for number in numbers if number is not None]
    if prediction is None or len(values) < len(numbers):
        return float(any(same_words(value, label) for label in labels))
    scale = max(abs(number) for number in (*values, prediction))
    if not scale:
        return 1.0
    return 1 - sum(abs(prediction - number) / scale for number in values) / len(values)


def finite(text: str) -> float | None:
    """The finite number that a text is to Python, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _candidates(kind: str, options: Sequence[str], labels: Sequence[str]) -> list[tuple[str, ...]]:
    """Answers of which at least one is best; the first of the best is the one to give."""
    cells = [label for label in labels if not is_blank(label)]
    if kind in TEXTS:
        return [(cells[0],)] if cells else [()]
    if kind == "range":
        numbers = dict.fromkeys(number for cell in cells if (number := finite(cell)) is not None)
        answers: list[tuple[str, ...]] = [(shortest(number),) for number in numbers]
        return answers or [()]
    if kind == "checkbox":
        boxes = options or list(dict.fromkeys(part for cell in cells for part in cell.split("|")))
        spelled = (_spell(label, boxes) for label in dict.fromkeys(read_labels(labels)))
        return [(), *((box,) for box in boxes), *(answer for answer in spelled if answer)]
    answers = [(value,) for value in options or dict.fromkeys(cells)]
    # A list always sends something; radio buttons can be left alone.
    return answers if kind == "select" and options else [(), *answers]


def _spell(label: str, boxes: Sequence[str]) -> tuple[str, ...]:
    """Several boxes that match a label once sorted, joined and stripped of punctuation; empty if none do.

    The joining ``|`` is punctuation too, so that the boxes' words simply follow each other.
    """
    goal = words(plain_number(sorted_set(label)))
    # What is spelled so far, and by how many boxes (two stands for more) -> those boxes.
    begun: dict[tuple[str, int], tuple[str, ...]] = {("", 0): ()}
    for box in sorted(boxes):
        for (text, count), chosen in list(begun.items()):
            longer = _SPACE.sub(" ", text + box.lower().translate(_WITHOUT_PUNCTUATION)).lstrip()
            if goal.startswith(longer.rstrip()):
                begun.setdefault((longer, min(count + 1, 2)), (*chosen, box))
    return next((chosen for (text, count), chosen in begun.items() if count > 1 and text.rstrip() == goal), ())


@lru_cache(maxsize=1 << 14)
def _ceiling(kind: str, options: tuple[str, ...], labels: tuple[str, ...]) -> float:
    """The best score there is. Many answers are scored on the same labels: a solver's, the floors', other workers'."""
    return max(_score_of(kind, labels, answer) for answer in _candidates(kind, options, labels))


def _score_of(kind: str, labels: Sequence[str], answer: Sequence[str]) -> float:
    return score_recorded(kind, labels, value_read(kind, answer)) or 0.0


def _agreement(kind: str, labels: Sequence[str], value: str) -> tuple[float | None, bool]:
    cells = read_labels(labels)
    if kind not in CHOICES or not cells:
        return None, False
    if kind == "checkbox":
        return sum(same_words(value, sorted_set(cell)) for cell in cells) / len(cells), False
    return sum(same_words(value, cell) for cell in cells) / len(cells), len(winners(cells)) > 1


def _reason(kind: str, labels: Sequence[str], score: float) -> str:
    cells = read_labels(labels)
    if cells in ([], [""]):
        return "no labels: only a blank answer is right"
    if kind in TEXTS:
        return f"ROUGE-L {score:.2f} with the nearest of {counted(len(cells), 'label')}"
    if kind == "range":
        return f"{score:.2f} by mean distance from {counted(len(cells), 'label')}; the instance's mean counts 1.00"
    verdict = "equals" if score else "differs from"
    if kind == "checkbox":
        return f"the set {verdict} {'that of a worker' if score else 'those of all workers'}"
    return f"{verdict} {quoted(winners(cells)[0])}, the first of the most frequent labels, blanks included"


TURKINGBENCH_2024 = TurkingBench2024()

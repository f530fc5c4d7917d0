"""What an answer was compared with, kind of field by kind of field: by the code of the scores, kept for readers.

Each comparison's ``points`` are the score that its rule gives. ``template`` names how it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from harness.catalog.kinds import TEXTS
from harness.catalog.labels import is_blank, winners
from harness.reports.watch.shared_words import SharedWords, shared_words
from harness.scoring.metrics import choice, iou, l1, standard, text
from harness.scoring.metrics.text import TextRule
from harness.scoring.metrics.turkingbench_2024 import (
    finite,
    nearest_text,
    plain_number,
    plain_text,
    read_labels,
    same_words,
    score_recorded,
    sorted_set,
    value_read,
    words,
)

Texts: TypeAlias = Sequence[str]


@dataclass(frozen=True)
class TextComparison:
    """A text beside the label that it was matched with.

    Attributes:
        points: The score.
        rule: What decided.
        sent: What was sent, as it is compared.
        label: The label, as it is compared.
        shared: The tokens that both have in common; None where no tokens were looked at.
    """

    points: float
    rule: TextRule
    sent: str
    label: str
    shared: SharedWords | None
    template: ClassVar[str] = "text"


@dataclass(frozen=True)
class SetComparison:
    """A set of boxes beside that of the worker who agrees best.

    Attributes:
        points: The score.
        both: Boxes in both.
        sent_only: Boxes that were sent alone.
        label_only: Boxes of the worker alone.
        same: How many workers ticked the worker's set.
        workers: How many workers there are.
    """

    points: float
    both: tuple[str, ...]
    sent_only: tuple[str, ...]
    label_only: tuple[str, ...]
    same: int
    workers: int
    template: ClassVar[str] = "set"

    @property
    def union(self) -> int:
        """How many boxes are in either."""
        return len(self.both) + len(self.sent_only) + len(self.label_only)


@dataclass(frozen=True)
class DistanceComparison:
    """A number beside the labels.

    Attributes:
        points: The score.
        sent: The number; None if none was sent.
        labels: The labels that are numbers, each with its distance from what was sent.
        scale: What distances are measured by.
        with_sent: Whether what was sent takes part in the scale.
        left_out: Labels that are no numbers.
    """

    points: float
    sent: float | None
    labels: tuple[tuple[float, float | None], ...]
    scale: float
    with_sent: bool
    left_out: tuple[str, ...]
    template: ClassVar[str] = "distance"

    @property
    def mean(self) -> float | None:
        """The mean distance."""
        distances = [distance for _, distance in self.labels if distance is not None]
        return sum(distances) / len(distances) if distances else None


@dataclass(frozen=True)
class CountedAnswer:
    """An answer of workers.

    Attributes:
        answer: The answer; empty for a blank one.
        votes: How many workers gave it.
        sent: Whether it is what was sent.
        right: Whether it is counted as right.
    """

    answer: str
    votes: int
    sent: bool
    right: bool


@dataclass(frozen=True)
class VoteComparison:
    """An answer beside the votes of the workers.

    Attributes:
        points: The score.
        answers: All answers, those with the most votes first; what was sent is among them.
        votes: How many there are.
        nothing_sent: Whether nothing was sent.
        how: How answers are compared, in words; empty if as options.
    """

    points: float
    answers: tuple[CountedAnswer, ...]
    votes: int
    nothing_sent: bool
    how: str = ""
    template: ClassVar[str] = "vote"


Comparison: TypeAlias = TextComparison | SetComparison | DistanceComparison | VoteComparison

_WORDS = "compared as words, without case and punctuation"
_SETS = "each worker's whole set is one answer; any of them is right; " + _WORDS


def compare(profile: str, kind: str, options: Texts, labels: Texts, sent: Texts) -> Comparison | None:
    """What a profile compares an answer with.

    Args:
        profile: The name of the profile.
        kind: The field's kind.
        options: Its options' values.
        labels: The raw cells of all workers.
        sent: What the form sent.

    Returns:
        The comparison; None if the profile does not score the field, or is another than the two of this project: how
        that compares, only its own explanations say.

    Raises:
        ValueError: The kind is unknown.
    """
    match profile:
        case "standard":
            return _standard(kind, options, labels, sent)
        case "turkingbench-2024":
            return _original(kind, labels, sent)
    return None


def _standard(kind: str, options: Texts, labels: Texts, sent: Texts) -> Comparison | None:
    match standard.rule_of(kind, options, labels, sent):
        case "text":
            return _text(text.match(labels, sent))
        case "vote":
            return _vote(choice.poll(options, labels, sent))
        case "box":
            return _vote(choice.poll_box(options, labels, sent))
        case "set":
            return _set(iou.match(options, labels, sent))
        case "range":
            return _distance(labels, sent)


def _text(found: text.TextMatch | None) -> TextComparison | None:
    if found is None:
        return None
    shared = shared_words(found.text, found.label) if found.rule == "rouge" else None
    return TextComparison(found.points, found.rule, found.text, found.label, shared)


def _vote(found: choice.Poll | None) -> VoteComparison | None:
    if found is None:
        return None
    counts = Counter(found.votes)
    if found.predicted is not None:
        counts.setdefault(found.predicted, 0)
    rows = tuple(
        CountedAnswer(answer, votes, answer == found.predicted, answer in found.first)
        for answer, votes in counts.most_common()
    )
    return VoteComparison(found.points, rows, len(found.votes), found.predicted is None)


def _set(found: iou.SetMatch | None) -> SetComparison | None:
    if found is None:
        return None
    order = [*dict.fromkeys((*found.boxes, *sorted(found.sent | found.nearest)))]

    def in_order(values: frozenset[str]) -> tuple[str, ...]:
        return tuple(value for value in order if value in values)

    return SetComparison(
        points=found.points,
        both=in_order(found.sent & found.nearest),
        sent_only=in_order(found.sent - found.nearest),
        label_only=in_order(found.nearest - found.sent),
        same=found.workers.count(found.nearest),
        workers=len(found.workers),
    )


def _distance(labels: Texts, sent: Texts) -> DistanceComparison | None:
    if all(is_blank(label) for label in labels):
        return None
    numbers, given = l1.as_numbers(labels), l1.as_numbers(sent[:1])
    number = given[0] if given else None
    return DistanceComparison(
        points=l1.closeness(number, numbers) if numbers and number is not None else 0.0,
        sent=number,
        labels=_distances(numbers, number),
        scale=l1.scale(numbers) if numbers else 0.0,
        with_sent=False,
        left_out=tuple(label for label in labels if not is_blank(label) and not l1.as_numbers([label])),
    )


def _distances(numbers: Sequence[float], sent: float | None) -> tuple[tuple[float, float | None], ...]:
    return tuple((number, None if sent is None else abs(sent - number)) for number in sorted(numbers))


def _original(kind: str, labels: Texts, sent: Texts) -> Comparison | None:
    value, cells = value_read(kind, sent), read_labels(labels)
    points = score_recorded(kind, labels, value)
    if points is None:
        return None
    if cells in ([], [""]):
        return _nothing_but_blank(points, value)
    if kind in TEXTS:
        return _original_text(value, cells)
    if kind == "checkbox":
        sets = [sorted_set(cell) for cell in cells]
        return _words(points, sets, value, first=tuple(sets), how=_SETS)
    if kind == "range" and (found := _original_distance(points, value, cells)):
        return found
    first = tuple(cells) if kind == "range" else winners(cells)[:1]
    also = "any worker's answer is right" if kind == "range" else "the first of the most frequent answers is right"
    return _words(points, cells, value, first=first, how=f"{also}; {_WORDS}")


def _nothing_but_blank(points: float, value: str) -> VoteComparison:
    answers = [CountedAnswer("", 1, sent=not value, right=True)]
    if value:
        answers.append(CountedAnswer(value, 0, sent=True, right=False))
    how = "no label counts: only a blank answer is right"
    return VoteComparison(points, tuple(answers), 1, not value, how)


def _original_text(value: str, cells: Texts) -> TextComparison:
    points, label = nearest_text(value, cells)
    prediction = plain_text(plain_number(value))
    if not value:
        return TextComparison(points, "nothing sent", prediction, label, None)
    if prediction == label:
        return TextComparison(points, "equal", prediction, label, None)
    return TextComparison(points, "rouge", prediction, label, shared_words(prediction, label, ascii_only=True))


def _original_distance(points: float, value: str, cells: Texts) -> DistanceComparison | None:
    """None if anything is no number."""
    number, numbers = finite(value), [finite(cell) for cell in cells]
    known = [each for each in numbers if each is not None]
    if number is None or len(known) < len(numbers):
        return None
    scale = l1.scale([*known, number])
    return DistanceComparison(points, number, _distances(known, number), scale, with_sent=True, left_out=())


def _words(points: float, answers: Texts, value: str, *, first: Texts, how: str) -> VoteComparison:
    """Answers that are compared as words; those that are the same so are counted together."""
    counts = Counter(words(plain_number(answer)) for answer in answers)
    spelled = {words(plain_number(answer)): answer for answer in reversed([*answers, value])}
    counts.setdefault(words(plain_number(value)), 0)
    rows = tuple(
        CountedAnswer(
            answer=spelled[key],
            votes=votes,
            sent=same_words(spelled[key], value),
            right=any(same_words(spelled[key], each) for each in first),
        )
        for key, votes in counts.most_common()
    )
    return VoteComparison(points, rows, len(answers), not value, how)

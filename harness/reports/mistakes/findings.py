"""What ``harness.reports.mistakes.collection`` finds: fields that lose most, and the worst answers one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.reports.mistakes.word_difference import CutText, Part

Row = TypeVar("Row")


@dataclass(frozen=True)
class CountedField:
    """A field that is counted by its name.

    Attributes:
        task: Its task.
        field: Its name.
        kind: Its kind.
    """

    task: str
    field: str
    kind: str


@dataclass(frozen=True)
class LossyField:
    """A field that loses points.

    Attributes:
        of: Which one.
        scored: Times that it was scored.
        wrong: Times below the ceiling.
        lost: Points, one a field, that the ceilings allow beyond the score.
        blank: Times without an answer.
    """

    of: CountedField
    scored: int
    wrong: int
    lost: float
    blank: int


@dataclass(frozen=True)
class AnswerPair:
    """An answer, and what was right where it was given.

    Attributes:
        sent: The answer; None for none, and for a box that was not ticked.
        right: What the profile holds right, the answer itself if it reached the ceiling; None for none, and for a box
            that fewer than half of the workers ticked.
        times: How often.
        ok: Whether nothing was lost by it.
    """

    sent: str | None
    right: str | None
    times: int
    ok: bool


@dataclass(frozen=True)
class Confusions:
    """What was sent in a choice, against what was right.

    Attributes:
        losses: The field.
        tied: Times that a wrong answer stands against a tie of the workers.
        unreachable: Times that the page offers nothing that could be right; they are in no pair.
        each_box: Whether each of several boxes stands for itself. One that was neither ticked nor right makes no pair.
        pairs: The most frequent ones.
        times_left_out: How often there were other pairs.
    """

    losses: LossyField
    tied: int
    unreachable: int
    each_box: bool
    pairs: Sequence[AnswerPair]
    times_left_out: int


@dataclass(frozen=True)
class SilentField:
    """A field that no instance got an answer for.

    Attributes:
        of: Which one.
        scored: Times that it was scored.
        lost: Points, as in ``LossyField``.
        hidden_at_first: Times that it could not be seen when the page had loaded.
    """

    of: CountedField
    scored: int
    lost: float
    hidden_at_first: int


@dataclass(frozen=True)
class FieldTable(Generic[Row]):
    """The fields that lose most.

    Attributes:
        rows: Those that lose most, first.
        left_out: Other fields with losses.
        lost: What those others lost together.
    """

    rows: Sequence[Row]
    left_out: int
    lost: float


@dataclass(frozen=True)
class ScoredPlace:
    """One field of one instance, with its score.

    Attributes:
        task: The task.
        index: The instance.
        field: The field.
        score: Its score.
        ceiling: The most that the labels allow.
    """

    task: str
    index: int
    field: str
    score: float
    ceiling: float


@dataclass(frozen=True)
class LabelText:
    """A text that workers wrote.

    Attributes:
        text: The text.
        workers: How many wrote it.
        nearest: Whether it is the one nearest to the answer.
    """

    text: CutText
    workers: int
    nearest: bool


@dataclass(frozen=True)
class WrongText:
    """A written answer below its ceiling.

    Attributes:
        place: Where it was given.
        explanation: How its score came about.
        sent: The answer.
        labels: What workers wrote, the nearest text first.
        labels_left_out: How many other different texts they wrote.
        diff: The answer and the nearest text word by word, both as far as they are shown.
        diff_cut: Whether either is longer.
    """

    place: ScoredPlace
    explanation: str
    sent: CutText
    labels: Sequence[LabelText]
    labels_left_out: int
    diff: Sequence[tuple[Part, str]]
    diff_cut: bool


@dataclass(frozen=True)
class WrongNumber:
    """A slider's answer below its ceiling.

    Attributes:
        place: Where it was given.
        sent: The answer.
        labels: The workers' numbers, sorted, at most 12, evenly spread.
        labels_left_out: How many others there are.
        distance: The mean distance from the labels; None if no number was sent.
    """

    place: ScoredPlace
    sent: CutText
    labels: Sequence[float]
    labels_left_out: int
    distance: float | None


@dataclass(frozen=True)
class ExampleTable(Generic[Row]):
    """The worst answers.

    Attributes:
        rows: The worst first.
        left_out: How many others are below their ceiling.
    """

    rows: Sequence[Row]
    left_out: int


@dataclass(frozen=True)
class FieldCounts:
    """How much was looked at.

    Attributes:
        episodes: Episodes that were shown.
        skipped: Why some of them count for nothing here -> how many (``workers``, ``no score``).
        scored: Scored fields of the others.
        unfollowed: Those of them that the counts by field leave out, since there are too many fields.
        answerable: Scored fields other than boxes, where leaving blank is an answer.
        blank: Those of them that were left blank.
    """

    episodes: int
    skipped: Mapping[str, int]
    scored: int
    unfollowed: int
    answerable: int
    blank: int


@dataclass(frozen=True)
class Findings:
    """What was found.

    Attributes:
        counts: How much was looked at.
        fields: The fields of every kind that lose most.
        choices: Radio buttons, lists and boxes, by the points that answers lost; fields that were never answered are
            not among them.
        texts: The worst written answers, those left blank not among them; of equally low ones first where more workers
            wrote the same.
        ranges: The numbers that are farthest from the labels.
        unanswered: Fields that no instance got an answer for, boxes aside.
    """

    counts: FieldCounts
    fields: FieldTable[LossyField]
    choices: FieldTable[Confusions]
    texts: ExampleTable[WrongText]
    ranges: ExampleTable[WrongNumber]
    unanswered: FieldTable[SilentField]

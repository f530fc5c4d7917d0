"""What workers said about each question of a task, over all of its instances, packed.

A question is a field; of several boxes of one name each is a question of its own, to be ticked or not.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.catalog.kinds import CHOICES, VOTES
from harness.catalog.labels import clean, is_blank, match_option, number, ticked
from harness.records.episode import FieldRecord

TICKED, NOT_TICKED = "ticked", "not ticked"
Ints: TypeAlias = NDArray[np.int64]


def names_several(field: FieldRecord) -> bool:
    """Whether each option of a choice is a question of its own: several boxes, or a list that takes several options."""
    if field.kind == "checkbox":
        return len(field.options) != 1
    return field.kind == "select" and any("|" in label and _is_set(label, field.options) for label in field.labels)


def _is_set(label: str, options: Sequence[str]) -> bool:
    parts = ticked(label, options)
    return len(parts) > 1 and not parts.isdisjoint(options)


def ballots_of(field: FieldRecord, rows: Sequence[int]) -> Mapping[str, Mapping[int, str]]:
    """What workers said about the questions of one field of one instance.

    A blank is no answer, but for boxes, where it ticks nothing.

    Args:
        field: The field with its labels.
        rows: Its workers who answered anything on the page.

    Returns:
        Question -> row -> answer. The question is the option of each of several boxes, and empty for any other field.
        The answer is an option's value, ``TICKED`` or ``NOT_TICKED``, a number in its shortest form, or a text.
    """
    found = _remembered_ballots if field.kind in CHOICES else _ballots
    return found(field.kind, field.options, field.labels, tuple(rows), names_several(field))


def _ballots(
    kind: str, options: tuple[str, ...], labels: tuple[str, ...], rows: tuple[int, ...], several: bool
) -> Mapping[str, Mapping[int, str]]:
    voted = {row: labels[row] for row in rows if row < len(labels) and _votes(kind, labels[row])}
    if several:
        sets = {row: ticked(label, options) for row, label in voted.items()}
        options = options or tuple(sorted(frozenset[str]().union(*sets.values())))
        return {
            option: {row: TICKED if option in chosen else NOT_TICKED for row, chosen in sets.items()}
            for option in dict.fromkeys(options)
        }
    return {"": {row: _answer(kind, options, label) for row, label in voted.items()}}


_remembered_ballots = lru_cache(maxsize=1 << 14)(_ballots)


def _votes(kind: str, label: str) -> bool:
    if kind == "checkbox":
        return True
    return not is_blank(label) and (kind != "range" or number(label) is not None)


def _answer(kind: str, options: tuple[str, ...], label: str) -> str:
    if kind == "checkbox":
        return TICKED if ticked(label, options) else NOT_TICKED
    return _option(label, options) if kind in CHOICES else _plain(label)


@lru_cache(maxsize=65536)
def _option(label: str, options: tuple[str, ...]) -> str:
    found = match_option(clean(label), options)
    return _plain(label).casefold() if found is None else found


def _plain(label: str) -> str:
    value = number(label)
    return clean(label).strip() if value is None else f"{value.normalize():f}"


@dataclass(frozen=True)
class Tallies:
    """Votes on one field, counted: each entry is one answer of one unit, a unit one question of one instance.

    Units that fewer than two workers voted on are not among them: nobody can agree there.

    Attributes:
        instances: Of each unit, the instance's index.
        sizes: Of each unit, the votes, at least 2.
        unit: Of each entry, the place of its unit.
        value: Of each entry, the place of its answer in ``values``.
        votes: Of each entry, how many gave that answer.
        values: The answers.
    """

    instances: Ints
    sizes: Ints
    unit: Ints
    value: Ints
    votes: Ints
    values: tuple[str, ...]


class FieldVotes:
    """All votes on one field of a task.

    Attributes:
        kind: The field's kind.
        options: Its options, as in every instance; None if they differ.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.options: tuple[str, ...] | None = ()
        self._scales = True
        self._alike: tuple[str, ...] | None = None
        self._fields = 0
        self._answers: dict[str, int] = {}
        self._questions: dict[str, int] = {}
        self._numbers = {name: array("l") for name in ("instance", "question", "row", "answer")}

    def add(self, index: int, field: FieldRecord, rows: Sequence[int]) -> None:
        """Take in what the workers of an instance said; ``rows`` as for ``ballots_of``."""
        if self._scales:
            self._scales = len(field.options) > 2 and all(number(option) is not None for option in field.options)
        self._alike = field.options if not self._fields or self._alike == field.options else None
        self._fields += 1
        if not self._numbers["row"]:
            self.options = field.options
        elif self.options != field.options:
            self.options = None
        numbers = self._numbers
        for question, answers in ballots_of(field, rows).items():
            place = self._questions.setdefault(question, len(self._questions))
            numbers["instance"].extend([index] * len(answers))
            numbers["question"].extend([place] * len(answers))
            numbers["row"].extend(answers)
            numbers["answer"].extend([self._answers.setdefault(each, len(self._answers)) for each in answers.values()])

    def merge(self, other: FieldVotes) -> None:
        """Take in what the workers of further instances said, as another was told it."""
        if not self._numbers["row"]:
            self.options = other.options
        elif self.options != other._alike:
            self.options = None
        self._scales = self._scales and other._scales
        self._alike = self._alike if self._alike == other._alike else None
        self._fields += other._fields
        questions = [self._questions.setdefault(each, len(self._questions)) for each in other._questions]
        answers = [self._answers.setdefault(each, len(self._answers)) for each in other._answers]
        codes = {"question": questions, "answer": answers}
        for name, column in self._numbers.items():
            more = other._numbers[name]
            column.extend(map(codes[name].__getitem__, more) if name in codes else more)

    @property
    def ordered(self) -> bool:
        """Whether in every instance the options are numbers, three or more of them."""
        return self.kind in VOTES and self._scales

    @property
    def answers(self) -> tuple[str, ...]:
        """All answers that were given, by code."""
        return tuple(self._answers)

    @property
    def questions(self) -> tuple[str, ...]:
        """All questions, by number."""
        return tuple(self._questions)

    def votes(self) -> dict[str, Ints]:
        """A row a vote: ``instance`` (index), ``question`` (number), ``row`` (of the worker), ``answer`` (code)."""
        return {name: np.asarray(each, dtype=np.int64) for name, each in self._numbers.items()}

    def tallies(self) -> Tallies:
        """The votes, counted."""
        votes = self.votes()
        questions, answers = max(1, len(self._questions)), max(1, len(self._answers))
        keys, unit = np.unique(votes["instance"] * questions + votes["question"], return_inverse=True)
        sizes = np.bincount(unit, minlength=len(keys))
        several = np.flatnonzero(sizes > 1)
        place = np.full(len(keys), -1, dtype=np.int64)
        place[several] = np.arange(len(several))
        kept = place[unit] >= 0
        pairs, counts = np.unique(place[unit][kept] * answers + votes["answer"][kept], return_counts=True)
        return Tallies(
            keys[several] // questions, sizes[several], pairs // answers, pairs % answers, counts, self.answers
        )


@dataclass(frozen=True)
class Question:
    """Which column it is.

    Attributes:
        task: The task's name.
        name: The field's name.
        several: Whether its options are voted on one by one.
    """

    task: str
    name: str
    several: bool


class Ballots:
    """The votes of all fields of a run."""

    def __init__(self) -> None:
        self._columns: dict[Question, FieldVotes] = {}

    def add(self, task: str, index: int, fields: Sequence[FieldRecord], rows: Sequence[int]) -> None:
        """Take in an instance.

        Args:
            task: The task's name.
            index: The instance's place in its task.
            fields: Those of its fields that are looked at.
            rows: Its workers who answered anything.
        """
        for field in fields:
            key = Question(task, field.name, names_several(field))
            column = self._columns.get(key)
            if column is None:
                column = self._columns[key] = FieldVotes(field.kind)
            column.add(index, field, rows)

    def merge(self, other: Ballots) -> None:
        """Take in the votes on further instances."""
        for question, column in other._columns.items():
            if question in self._columns:
                self._columns[question].merge(column)
            else:
                self._columns[question] = column

    def __iter__(self) -> Iterator[tuple[Question, FieldVotes]]:
        """All columns, by task and name."""
        return iter(sorted(self._columns.items(), key=lambda each: (each[0].task, each[0].name, each[0].several)))

    def of_task(self) -> Mapping[str, dict[Question, FieldVotes]]:
        """Task -> its columns."""
        found: dict[str, dict[Question, FieldVotes]] = {}
        for question, column in self:
            found.setdefault(question.task, {})[question] = column
        return found

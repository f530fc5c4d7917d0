"""Answers that need no understanding: what a score has to beat to mean anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from html import unescape
from typing import Generic, TypeVar

from harness.catalog.labels import clean, is_blank, match_option, number, ticked
from harness.catalog.task import Instance
from harness.catalog.template.markup import scan
from harness.scoring.answers.columns import Answer, AnswerColumns, LabelSource, is_answered

Values = tuple[str, ...]
Place = tuple[int, int]
"""Where an answer stands in a task: the number of its instance, and the worker's."""
MOST_COPIED = 20_000
"""Characters of the longest input that are copied."""


def longest_input(instance: Instance) -> str:
    """What the longest input of an instance says: the floor that copies it into every text field.

    Args:
        instance: The instance; its labels do not count.

    Returns:
        The text of the input with the most characters once tags and repeated white space are gone, of equals the first;
        at most ``MOST_COPIED`` characters of it; empty without inputs.
    """
    texts = [plain_text(value) for value in instance.inputs.values()]
    return max(texts, key=len, default="")[:MOST_COPIED]


def plain_text(value: str) -> str:
    """The text of a value that may hold HTML, without scripts, styles and comments, white space collapsed."""
    pieces = (piece for piece in scan(value) if piece.kind == "text")
    return " ".join(unescape(" ".join(value[piece.start : piece.end] for piece in pieces)).split())


class ConstantAnswers:
    """The most frequent answer of a field over the *other* instances of its task."""

    def __init__(self, columns: AnswerColumns) -> None:
        self._columns = columns
        self._labels: dict[LabelSource, _Tally[str]] = {}
        self._values: dict[tuple[LabelSource, str, Values], _Tally[Values]] = {}

    def answer(self, instance: Instance, answer: Answer) -> Values | None:
        """The values to send.

        Args:
            instance: The instance to answer; its own labels do not count, not even for the order of equals.
            answer: The field.

        Returns:
            The most frequent answer that the field can hold, of equals the one that the other instances have first;
            no values for boxes that are best left without a tick; None if no other instance has an answer.
        """
        own = Counter(
            values
            for label in (_labels(instance, answer.source) if is_answered(instance) else ())
            if (values := _as_values(label, answer)) is not None
        )
        return self._tally(answer).most_frequent(own, instance.index)

    @cached_property
    def _answered(self) -> Sequence[Instance]:
        return [instance for instance in self._columns.task.instances if is_answered(instance)]

    def _tally(self, answer: Answer) -> _Tally[Values]:
        labels = self._labels.get(answer.source)
        if labels is None:
            labels = self._labels[answer.source] = _Tally()
            for instance in self._answered:
                for worker, label in enumerate(_labels(instance, answer.source)):
                    labels.add(label, 1, [(instance.index, worker)])
        # Labels are translated once for each set of options, not once for each instance.
        key = (answer.source, answer.kind, answer.options)
        if key not in self._values:
            tally = self._values[key] = _Tally()
            for label, (count, places) in labels.items():
                if (values := _as_values(label, answer)) is not None:
                    tally.add(values, count, places)
        return self._values[key]


Said = TypeVar("Said", bound=Hashable)


class _Tally(Generic[Said]):
    """How often each answer stands in a task, and where first."""

    def __init__(self) -> None:
        self._found: dict[Said, tuple[int, list[Place]]] = {}
        self._ranked: list[Said] = []

    def add(self, said: Said, count: int, places: list[Place]) -> None:
        """Add ``count`` times an answer that stands at ``places``."""
        before, known = self._found.get(said, (0, []))
        first_of_each_instance = dict(sorted([*known, *places], reverse=True))
        # Without any one instance, the first place of an answer is one of those in its first two.
        self._found[said] = (before + count, sorted(first_of_each_instance.items())[:2])
        self._ranked.clear()

    def items(self) -> Iterable[tuple[Said, tuple[int, list[Place]]]]:
        """Each answer with its count and its first places in its first two instances."""
        return self._found.items()

    def most_frequent(self, own: Mapping[Said, int], index: int) -> Said | None:
        """The most frequent answer, of equals the first, without the answers ``own`` of instance ``index``."""
        if not self._ranked:
            self._ranked = sorted(self._found, key=lambda said: (-self._found[said][0], self._found[said][1]))
        best: Said | None = None
        best_rank = (0, (0, 0))
        for said in self._ranked:
            count, places = self._found[said]
            if best is not None and (-count, places[0]) >= best_rank:
                break  # what is left out of the count can only make the rest rank lower
            left = count - own.get(said, 0)
            if left:
                rank = (-left, next(place for place in places if place[0] != index))
                if best is None or rank < best_rank:
                    best, best_rank = said, rank
        return best


def _labels(instance: Instance, source: LabelSource) -> list[str]:
    """One a worker, all blanks alike. Where nobody answered anything a blank says nothing: do not ask there."""
    return ["" if is_blank(cell) else clean(cell) for cell in source.cells(instance)]


def _as_values(label: str, answer: Answer) -> Values | None:
    """What the field would send for a label; None if it cannot hold it. Only boxes can hold a blank."""
    if answer.kind == "checkbox":
        boxes = ticked(label, answer.options)
        return tuple(value for value in answer.options if value in boxes) if boxes <= set(answer.options) else None
    if not label:
        return None
    if answer.kind == "radio":
        option = match_option(label, answer.options)
        return None if option is None else (option,)
    if answer.kind == "select":
        chosen = ticked(label, answer.options)
        return tuple(value for value in answer.options if value in chosen) if chosen <= set(answer.options) else None
    if answer.kind == "range":
        value = number(label)
        return None if value is None else (f"{value.normalize():f}",)
    return (label,)

"""Answers that need no understanding: what a score has to beat to mean anything."""

from __future__ import annotations

from collections import Counter

from harness.answers import Answer, AnswerColumns, Source
from harness.fields import CHOICES
from harness.labels import clean, is_blank, match_option, ticked
from harness.task import Instance


class ConstantAnswers:
    """The most frequent answer of a field over the *other* instances of its task."""

    def __init__(self, columns: AnswerColumns) -> None:
        self._columns = columns
        self._totals: dict[Source, Counter[str]] = {}

    def answer(self, instance: Instance, answer: Answer) -> tuple[str, ...]:
        """The values to send.

        Args:
            instance: The instance to answer; its own labels do not count.
            answer: The field.

        Returns:
            The most frequent answer that the field can hold, of equals the one seen first in the file; empty if
            no other instance has one.
        """
        votes = self._total(answer.source).copy()
        votes.subtract(_votes(instance, answer.source))
        for label, count in votes.most_common():
            if count <= 0:
                break
            if answer.kind == "checkbox":
                boxes = ticked(label, answer.options)
                if boxes <= set(answer.options):
                    return tuple(value for value in answer.options if value in boxes)
            elif answer.kind in CHOICES:
                option = match_option(label, answer.options)
                if option is not None:
                    return (option,)
            elif label:
                return (label,)
        return ()

    def _total(self, source: Source) -> Counter[str]:
        if source not in self._totals:
            total: Counter[str] = Counter()
            for instance in self._columns.task.instances:
                total.update(_votes(instance, source))
            self._totals[source] = total
        return self._totals[source]


def _votes(instance: Instance, source: Source) -> list[str]:
    """One vote a worker; a blank is a vote for nothing, which only a checkbox can hold."""
    return ["" if is_blank(cell) else clean(cell) for cell in source.cells(instance)]

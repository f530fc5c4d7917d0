"""An instance with the answers of its workers and the generator's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from harness.catalog.labels import winners

Row = dict[str, str]
"""One worker's row: the input columns, then the ``Answer.`` columns."""

ANSWER = "Answer."


@dataclass(frozen=True)
class Close:
    """The truth of a rating: no single answer is right, but the mean of the workers is near.

    Attributes:
        value: the right rating.
        within: how far the mean of the ratings may lie from it.
    """

    value: float
    within: float

    def holds(self, cell: str) -> bool:
        """Say whether a rating is near enough by itself."""
        return abs(float(cell) - self.value) <= self.within


Truth: TypeAlias = str | Close
"""The generator's own answer to a question."""


@dataclass(frozen=True)
class Made:
    """One instance.

    Attributes:
        inputs: template variable -> value.
        answers: for each worker, field name (without ``Answer.``) -> cell.
        truth: field -> the generator's own answer, for every field that has one.
        hard: the fields on which this instance declares that workers may be split.
    """

    inputs: Mapping[str, str]
    answers: Sequence[Mapping[str, str]]
    truth: Mapping[str, Truth]
    hard: frozenset[str] = frozenset()

    def rows(self) -> list[Row]:
        """Return one row a worker."""
        return [{**self.inputs, **{ANSWER + name: cell for name, cell in worker.items()}} for worker in self.answers]


def right(truth: Truth, answers: Iterable[Mapping[str, str]], name: str) -> bool:
    """Say whether the workers' answers to a field, taken together, are the truth.

    Args:
        truth: the generator's own answer.
        answers: what each worker answered, field name -> cell.
        name: the field.

    Returns:
        Of a rating whether the mean is near; else whether the truth has more votes than any other answer. Capitals
        and outer white space do not count.
    """
    cells = [worker[name] for worker in answers]
    if isinstance(truth, Close):
        rated = [float(cell) for cell in cells if cell]
        return bool(rated) and abs(sum(rated) / len(rated) - truth.value) <= truth.within
    return winners([cell.strip().casefold() for cell in cells]) == (truth.strip().casefold(),)

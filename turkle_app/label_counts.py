"""What workers answered in one instance, counted. For people only: no agent page may ever show it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from harness.catalog import Instance, Task


@dataclass(frozen=True)
class LabelCounts:
    """The labels of one field.

    Attributes:
        field: The answer column, without its leading "Answer.".
        votes: (label as written, how many workers gave it), most frequent first, without blank cells.
        blanks: How many workers left the cell empty.
        not_answer: Why the field is no answer; empty if it is one.
    """

    field: str
    votes: tuple[tuple[str, int], ...]
    blanks: int
    not_answer: str


def label_counts(task: Task, instance: Instance) -> tuple[list[LabelCounts], list[str]]:
    """Count the labels of an instance.

    Returns:
        The fields that some worker answered here, in the order of the columns, and the names of the others.
    """
    answered, empty = [], []
    for field, cells in instance.labels.items():
        votes = Counter(cell for cell in cells if cell.strip())
        if votes:
            blanks = len(cells) - votes.total()
            answered.append(LabelCounts(field, tuple(votes.most_common()), blanks, _reason(task, field)))
        else:
            empty.append(field)
    return answered, empty


def _reason(task: Task, column: str) -> str:
    field = task.facts.renames.get(column, column)
    return task.facts.not_answers.get(field, "")

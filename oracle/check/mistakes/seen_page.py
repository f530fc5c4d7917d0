"""One page of a task as the check saw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.browser.form.fields import Field
from harness.catalog.labels import is_blank
from harness.catalog.task import Instance
from harness.scoring.answers.columns import Answer


@dataclass(frozen=True)
class SeenPage:
    """One page with its labels.

    Attributes:
        instance: The instance.
        fields: The fields of its page when it had loaded.
        answers: The answer fields, matched with the columns of labels.
    """

    instance: Instance
    fields: Sequence[Field]
    answers: Sequence[Answer]

    def labels(self, answer: Answer) -> Iterator[tuple[int, str]]:
        """The data row and the text of each label of a field that is not blank."""
        return (
            (row, label) for row, label in zip(self.instance.rows, answer.labels, strict=True) if not is_blank(label)
        )

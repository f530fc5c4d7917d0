"""What scoring a field gives, and what a scoring profile is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.kit.text import shorten


@dataclass(frozen=True)
class FieldScore:
    """The score of one field of one instance.

    Attributes:
        score: The points. Between 0 and 1, but for ranges under ``turkingbench-2024``.
        ceiling: The best score that any answer the field can hold would get.
        agreement: For choices, the share of workers who gave the answer that was sent; None for other kinds.
        tied: Whether several answers of a vote share the first place.
        explanation: Why, in words.
    """

    score: float
    ceiling: float
    agreement: float | None
    tied: bool
    explanation: str


class Profile(Protocol):
    """One consistent set of rules for scoring, known by its name."""

    @property
    def name(self) -> str:
        """The name that command lines and run directories use."""

    @property
    def scores_invisible(self) -> bool:
        """Whether fields count that nobody can see when the page has loaded; the caller leaves them out if not."""

    def score_field(
        self, kind: str, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]
    ) -> FieldScore | None:
        """Score what was sent for one field.

        Args:
            kind: The field's kind: text, textarea, radio, checkbox, select, range or hidden.
            options: The values of the field's options, in page order; empty for fields without options.
            labels: The raw cells of all workers of the instance, blanks included.
            sent: The values that the form sent under the field's name; empty if it sent none.

        Returns:
            The score, or None if this profile does not score the field.

        Raises:
            ValueError: The kind is unknown.
        """

    def best_answer(self, kind: str, options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
        """Find values to send that reach the field's ceiling.

        Args:
            kind: The field's kind.
            options: The values of the field's options.
            labels: The raw cells of all workers.

        Returns:
            The values; empty if the field is to be left alone.

        Raises:
            ValueError: The kind is unknown.
        """

    def instance_score(self, scores: Sequence[tuple[str, FieldScore]]) -> float | None:
        """Average the fields of one instance.

        Args:
            scores: Kind and score of each scored field.

        Returns:
            The instance's score, or None if no field was scored.
        """


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, or None of nothing."""
    return sum(values) / len(values) if values else None


def quoted(text: str, limit: int = 40) -> str:
    """A text for an explanation: on one line, shortened, in quotes."""
    return f"'{shorten(' '.join(text.split()), limit)}'"


def listed(values: Sequence[str]) -> str:
    """Several values for an explanation: sorted, in quotes, at most five of them."""
    shown = ", ".join(quoted(value) for value in sorted(values)[:5])
    return shown + (f" and {len(values) - 5} more" if len(values) > 5 else "")

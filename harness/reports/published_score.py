"""What others have reported, as a report shows it beside measured numbers."""

from __future__ import annotations

from dataclasses import dataclass

OVERALL = "all"
"""The measure of a score over all kinds of field."""


@dataclass(frozen=True)
class PublishedScore:
    """One score that others have reported.

    Attributes:
        label: Whose it is, with what tells it from other rows.
        score: From 0 to 1.
        source: The citation.
        table: Where it stands there.
        note: What a reader should know of it; may be empty.
        profile: The scoring profile that it can be shown beside.
        measure: ``OVERALL``, or the kind of field that it is the mean of.
        split: The split of the benchmark.
        mean_over: What it is the mean of.
        url: Where the source is.
        is_reference: Whether it is one of the few that reports show as lines: the floor, the ceiling, and the best of
            each family of models.
    """

    label: str
    score: float
    source: str
    table: str
    note: str
    profile: str
    measure: str = OVERALL
    split: str = "test"
    mean_over: str = ""
    url: str = ""
    is_reference: bool = False

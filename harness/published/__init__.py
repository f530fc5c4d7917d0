"""What others have reported: the scores of the TurkingBench paper, as reference lines beside measured numbers.

They are never mixed with measured rows: another sample, another browser, other prompts (docs/parity.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from harness.published.paper_rows import OVERALL, TABLES, PaperRow, paper_rows, source


@dataclass(frozen=True)
class Published:
    """One reported score.

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
    profile: str = "turkingbench-2024"
    measure: str = OVERALL
    split: str = "test"
    mean_over: str = ""
    url: str = ""
    is_reference: bool = False


@cache
def published() -> tuple[Published, ...]:
    """Every reported score, in the order of the tables; rows with several kinds of field give one each."""
    return tuple(
        Published(
            label=row.label,
            score=round(percent / 100, 6),
            source=source("citation"),
            table=row.table,
            note=_note(row),
            profile=source("profile"),
            measure=measure,
            split=source("split"),
            mean_over=row.mean_over,
            url=source("url"),
            is_reference=row.is_reference,
        )
        for table in TABLES.values()
        for row in paper_rows(table)
        for measure, percent in row.scores.items()
    )


def reference_lines() -> tuple[Published, ...]:
    """The few that a report shows beside a run on the benchmark's test split, from the lowest to the highest."""
    return tuple(sorted((row for row in published() if row.is_reference), key=lambda row: row.score))


_SEEN = {"text": "input text", "vision": "input text and picture", "": ""}


def _note(row: PaperRow) -> str:
    return "; ".join(filter(None, (_SEEN[row.model.input], row.note, row.doubts)))

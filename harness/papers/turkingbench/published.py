"""What others have reported: the scores of the TurkingBench paper, as reference lines beside measured numbers.

They are never mixed with measured rows: another sample, another browser, other prompts (docs/parity.md).
"""

from __future__ import annotations

from functools import cache

from harness.papers.turkingbench.paper_rows import TABLES, PaperRow, paper_rows, source
from harness.reports.published_score import PublishedScore


@cache
def published() -> tuple[PublishedScore, ...]:
    """Every reported score, in the order of the tables; rows with several kinds of field give one each."""
    return tuple(
        PublishedScore(
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


def reference_lines() -> tuple[PublishedScore, ...]:
    """The few that a report shows beside a run on the benchmark's test split, from the lowest to the highest."""
    return tuple(sorted((row for row in published() if row.is_reference), key=lambda row: row.score))


_SEEN = {"text": "input text", "vision": "input text and picture", "": ""}


def _note(row: PaperRow) -> str:
    return "; ".join(filter(None, (_SEEN[row.model.input], row.note, row.doubts)))

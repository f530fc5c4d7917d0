"""TurkingBench (Xu et al. 2025) among the papers: what ``published.toml`` has, too."""

from __future__ import annotations

from functools import cache

from harness.models.client import today
from harness.papers.paper import NAME, Cell, Paper, PublishedRow, PublishedTable
from harness.papers.turkingbench.paper_rows import MODALITIES, TABLES, PaperRow, paper_rows, source
from harness.papers.turkingbench.row_command import INSTANCES, RowChoice, command_of
from harness.reports.published_score import OVERALL, PublishedScore


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


_SCORE = "score"
_TITLES = {"table4": "Scores of models", "table5": "Scores of models by kind of field"}
_SHAPE = ("size", "input", "encoding", "demonstrations")


def _tables() -> tuple[PublishedTable, ...]:
    return tuple(_table(name, label) for name, label in TABLES.items())


def _table(name: str, label: str) -> PublishedTable:
    rows = paper_rows(label)
    lengths = ("length", "context") if any(row.length for row in rows) else ()
    kinds = dict.fromkeys(kind for row in rows for kind in row.scores)
    return PublishedTable(
        name=name,
        title=_TITLES[name],
        measure=f"scores in per cent; length and context in tokens; {source('mean_over')}",
        columns=(*_SHAPE, *lengths, *(_column(kind) for kind in kinds)),
        rows=tuple(_row(row, lengths) for row in rows),
        command=f"turkbench papers turkingbench {name}",
        differs=source("differs"),
        measured_on=source("measured_on") if any(row.measured for row in rows) else "",
    )


def _row(row: PaperRow, lengths: tuple[str, ...]) -> PublishedRow:
    model = row.model
    shape = (model.size, MODALITIES[model.input] if model.input else "", row.encoding, row.demos)
    told: dict[str, Cell | None] = dict(zip(_SHAPE, shape, strict=True))
    told |= dict(zip(lengths, (row.length, model.context), strict=False))
    told |= {_column(kind): score for kind, score in row.scores.items()}
    of_all = ("--dataset", "turkingbench", "--split", source("split"), "--max-instances", str(INSTANCES))
    choice = RowChoice(stand_in=True, of_all=(*of_all, "--metrics", source("profile")))
    return PublishedRow(
        name=row.name,
        printed={column: value for column, value in told.items() if value not in (None, "")},
        measured={_column(kind): score for kind, score in row.measured.items()},
        doubtful=tuple(f"{_column(cell)}: {why}" for cell, why in row.doubtful.items()),
        command=str(command_of(row, choice, today())),
    )


def _column(cell: str) -> str:
    return {OVERALL: _SCORE, "demos": "demonstrations", "model": NAME}.get(cell, cell)


PAPER = Paper("TurkingBench", source("citation"), source("url"), __package__, _tables)

"""WebCanvas (Pan et al. 2024) among the papers: what ``webcanvas.toml`` has, too."""

from __future__ import annotations

from harness.models.client import today
from harness.papers.paper import NAME, Paper, PublishedRow, PublishedTable
from harness.papers.turkingbench.row_command import RowChoice, command_of
from harness.papers.webcanvas.webcanvas_rows import TABLES, WebCanvasRow, said, tasks_of, webcanvas_rows

_COLUMNS = ("completion", "success", "efficiency", "alignment")


def _tables() -> tuple[PublishedTable, ...]:
    return tuple(_table(name, label) for name, label in TABLES.items())


def _table(name: str, label: str) -> PublishedTable:
    rows = webcanvas_rows(label)
    count, about = tasks_of(label)
    return PublishedTable(
        name=name,
        title=f"Models on {about}, {count} tasks",
        measure="completion and success in per cent; efficiency in steps a key node; alignment from 0 to 1",
        columns=tuple(each for each in _COLUMNS if any(getattr(row, each) is not None for row in rows)),
        rows=tuple(_row(row) for row in rows),
        command=f"turkbench papers webcanvas {name}",
        differs=said("differs"),
    )


def _row(row: WebCanvasRow) -> PublishedRow:
    choice = RowChoice(stand_in=True, of_all=("--tasks-dir", said("tasks_dir"), "--network", "live"))
    return PublishedRow(
        name=row.name,
        printed={each: value for each in _COLUMNS if (value := getattr(row, each)) is not None},
        doubtful=tuple(f"{_place(cell)}: {why}" for cell, why in row.doubtful.items()),
        command=str(command_of(row, choice, today())),
    )


def _place(cell: str) -> str:
    """Where a doubtful cell stands here: model and tasks are told by the name of the row."""
    return cell if cell in _COLUMNS else f"{NAME}: {cell}"


PAPER = Paper("WebCanvas", said("citation"), said("url"), __package__, _tables)

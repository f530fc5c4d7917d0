"""The rows of WebCanvas' tables as text: with their commands, and with what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.kit.text import NOTHING, UNKNOWN, aligned, percent
from harness.papers.turkingbench.row_command import RowCommand
from harness.papers.webcanvas.webcanvas_rows import WebCanvasRow, said, tasks_of

if TYPE_CHECKING:
    from harness.papers.webcanvas.webcanvas_measurement import WebCanvasMeasurement

_LIKE = (
    "printed / measured; rates in per cent. completion: key nodes met of all; steps: a key node, here over completed "
    "tasks; lower is better."
)


def listed(table: str, commands: Sequence[RowCommand[WebCanvasRow]]) -> str:
    """The rows of a table with printed figures and command."""
    return "\n\n".join([_title(table), *(f"{_head(each)}\n     {each}" for each in commands)])


def script(table: str, commands: Sequence[RowCommand[WebCanvasRow]]) -> str:
    """The same as a script for a shell."""
    parts = [f"# {_head(each).lstrip()}\n{each}" for each in commands]
    return "\n\n".join([f"#!/bin/sh\n# {_title(table)}", *parts])


def beside(table: str, rows: Sequence[WebCanvasRow], measured: Sequence[WebCanvasMeasurement]) -> str:
    """Measured next to printed where both are of Mind2Web-Live, then other runs by themselves, then what differs."""
    like = [each for each in measured if each.is_like and each.row]
    others = [each for each in measured if not (each.is_like and each.row)]
    lines = [["row", "completion", "success", "steps", "alignment", "tasks", "unknown"]]
    for row in rows:
        found: Sequence[WebCanvasMeasurement | None] = [each for each in like if each.row == row] or [None]
        lines += [_beside(row, each) for each in found]
    parts = [aligned(lines), f"{_LIKE} {UNKNOWN}: no run on these tasks was given."]
    if others:
        heading = [
            ["on other tasks, or asked as no row", "completion", "success", "steps", "alignment", "tasks", "unknown"]
        ]
        parts.append(aligned([*heading, *([_called(each), *_measured(each)] for each in others)]))
        parts.append("Nothing printed stands beside these: the paper's figures are of other tasks.")
    notes = [f"{_called(each)}: row {each.row.name}, {_as_it_was(each)}" for each in measured if each.row]
    notes += [
        f"{row.name}: {'; '.join(row.remarks)}" for row in rows if row.remarks and any(e.row == row for e in like)
    ]
    if any(each.numbers.unknown for each in measured):
        notes.append(
            "Unknown are episodes with a key node that a judge has to compare; --judge of turkbench score asks one."
        )
    return "\n\n".join([f"{table} of {said('citation')}", *parts, *(["\n".join(notes)] if notes else [])])


def _title(table: str) -> str:
    count, about = tasks_of(table)
    return f"{table} of {said('citation')}: {about}, {count} tasks. Figures as printed, rates in per cent."


def _head(command: RowCommand[WebCanvasRow]) -> str:
    row, gone = command.row, command.gone
    figures = f"completion {row.completion:g}, success {row.success:g}, steps a key node {row.efficiency:g}"
    figures += f", alignment {row.alignment:g}" if row.alignment is not None else ""
    remarks = list(row.remarks)
    if gone:
        remarks.append(f"{gone.model} was shut down on {gone.on}")
    if gone and not command.is_refused:
        remarks.append(f"asked is {command.asked}, and what is measured so is not the paper's model")
    return "; ".join([f"{row.number:>2}  {row.name:<28} {figures}", *remarks])


def _beside(row: WebCanvasRow, found: WebCanvasMeasurement | None) -> list[str]:
    printed = [f"{row.completion:g}", f"{row.success:g}", f"{row.efficiency:g}", _number(row.alignment, NOTHING)]
    cells = _measured(found) if found else [UNKNOWN] * len(printed) + [NOTHING, NOTHING]
    pairs = [f"{left} / {right}" for left, right in zip(printed, cells, strict=False)]
    return [f"{row.number:>2}  {row.name}", *pairs, *cells[len(printed) :]]


def _measured(found: WebCanvasMeasurement) -> list[str]:
    numbers = found.numbers
    rates = [percent(numbers.completion_micro), percent(numbers.success)]
    means = [_number(numbers.steps_per_node), _number(numbers.human_alignment, digits=3)]
    return [*rates, *means, str(found.tasks), str(numbers.unknown)]


def _number(value: float | None, without: str = UNKNOWN, digits: int = 2) -> str:
    return without if value is None else f"{value:.{digits}f}" if value != round(value, digits) else f"{value:g}"


def _called(found: WebCanvasMeasurement) -> str:
    return f"{found.agent}: {found.folder}"


def _as_it_was(found: WebCanvasMeasurement) -> str:
    return f"differs in {', '.join(found.differs)}" if found.differs else "asked as the row was"

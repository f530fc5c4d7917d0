"""The rows of the paper's tables as text: with their commands, with what they would take, with what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from harness.kit.files.installation import to_type
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, UNKNOWN, aligned, counted, percent
from harness.models.cost import dollars
from harness.papers.turkingbench.paper_rows import MODALITIES, PaperRow, source
from harness.papers.turkingbench.row_command import RowCommand

if TYPE_CHECKING:  # They are slow to import, and whoever has one has imported them.
    from harness.papers.turkingbench.row_measurement import RowMeasurement
    from harness.solvers.models.shared_plan import SharedPlan

FURTHER = "Not in the table: further combinations of its models."
_KINDS = ("checkbox", "radio", "text", "textarea")
_NOT_ITS_OWN = "what is measured so is not the paper's model"


def listed(commands: Sequence[RowCommand[PaperRow]], further: Sequence[RowCommand[PaperRow]]) -> str:
    """The rows of a table with printed score and command, then the further ones under a heading of their own."""
    parts = [f"{_title(commands)}. Scores in per cent, as printed."]
    parts += [f"{_head(each)}\n     {each}" for each in commands]
    if further:
        parts += [FURTHER, *(f"{_head(each)}\n     {each}" for each in further)]
    return "\n\n".join(parts)


def script(commands: Sequence[RowCommand[PaperRow]], further: Sequence[RowCommand[PaperRow]]) -> str:
    """The same as a script for a shell."""
    parts = [f"#!/bin/sh\n# {_title(commands)}. Scores in per cent, as printed."]
    parts += [f"# {_head(each).lstrip()}\n{each}" for each in commands]
    if further:
        parts += [f"# {FURTHER}", *(f"# {_head(each).lstrip()}\n{each}" for each in further)]
    return "\n\n".join(parts)


def planned(commands: Sequence[RowCommand[PaperRow]], plans: Sequence[SharedPlan]) -> str:
    """What each row would take, beside the printed length.

    Args:
        commands: Rows of models.
        plans: What each takes, in the same order.
    """
    table = [["row", "model asked", "requests", "tokens in", "largest", "expected", "length", "printed"]]
    for command, each in zip(commands, plans, strict=True):
        plan, printed = each.plan, command.row.length
        length = UNKNOWN if each.subwords is None else f"{each.subwords / max(plan.requests, 1):,.0f}"
        numbers = [f"{plan.requests:,}", f"{plan.usage.input_tokens:,}", f"{plan.largest:,}", dollars(plan.cost)]
        lengths = [length, f"{printed:,}" if printed else NOTHING]
        table.append([_numbered(command.row), command.asked, *numbers, *lengths])
    known = sum((each.plan.cost for each in plans if each.plan.cost is not None), Decimal(0))
    unknown = f", and what is {UNKNOWN}" if any(each.plan.cost is None for each in plans) else ""
    pages = counted(max(each.plan.pages for each in plans), "page")
    notes = [
        f"{pages} a row. Expected of all: {dollars(known)}{unknown}.",
        "Expected are one request for each field that can be filled in on the untouched page, usable replies, and no "
        f"further tries. {UNKNOWN}: no price is known.",
        "Length: of a request, on average, in subwords of GPT-2, without pictures; printed: as the paper has it.",
        *sorted({f"Tokens are counted by: {each.tokens.name}." for each in plans}),
        *sorted({each.tokens.advice for each in plans if each.tokens.advice}),
    ]
    if any(each.subwords is None for each in plans):
        notes.append(f"GPT-2's vocabulary is not here: {to_type('setup tokens', 'fetch')}")
    if gone := sum(each.is_refused for each in commands):
        notes.append(f"{counted(gone, 'row')} of models that are shut down, at their last prices.")
    return "\n".join([aligned(table), "", *notes])


def beside(rows: Sequence[PaperRow], measured: Sequence[RowMeasurement]) -> str:
    """Measured next to printed, then what differs from the rows, and runs that repeat none."""
    by_kind = [kind for kind in _KINDS if any(kind in row.scores for row in rows)]
    table = [["row", "printed", "measured", "95 % interval", "tasks", "instances", *by_kind]]
    notes = []
    for row in rows:
        found = [each for each in measured if each.row == row]
        shown: Sequence[RowMeasurement | None] = found or [None]
        for one in shown:
            table.append([_numbered(row), _one(row.printed), *_numbers(one), *_by_kind(row, one, by_kind)])
        notes += [f"{row.name}, {each.agent}: {_as_it_was(each)}" for each in found]
        notes += [f"{row.name}: {row.doubts}"] if row.doubts and found else []
    parts = [aligned(table)]
    if by_kind:
        parts.append("By kind of field: printed / measured.")
    parts.append(
        "In per cent: the mean over tasks, the fields of a task pooled, by the rules of the original code "
        f"({source('profile')}). {UNKNOWN}: no run was given."
    )
    parts += ["\n".join(notes)] if notes else []
    if on_sites := [each for each in measured if each.is_on_sites]:
        parts.append(
            "\n".join(
                f"{each.agent}: {each.folder}: a run on websites, of which there are no rows." for each in on_sites
            )
        )
    if others := [each for each in measured if each.row is None and not each.is_on_sites]:
        heading = [["not in the table", "measured", "95 % interval", "tasks", "instances"]]
        parts.append(aligned([*heading, *([f"{each.agent}: {each.folder}", *_numbers(each)] for each in others)]))
    return "\n\n".join(parts)


def _title(commands: Sequence[RowCommand[PaperRow]]) -> str:
    tables = sorted({each.row.table for each in commands if each.row.table})
    return f"{' and '.join(tables) or 'Rows'} of {source('citation')}"


def _head(command: RowCommand[PaperRow]) -> str:
    """A row on one line: what it is, its score, and what has become of its model."""
    row = command.row
    shape = ""
    if row.demos is not None:
        shape = f" {MODALITIES[row.model.input]}, {row.encoding}, {counted(row.demos, 'demonstration')}"
    score = f": {_one(row.printed)}" if row.printed is not None else ""
    kinds = [f"{kind} {_one(row.scores[kind])}" for kind in _KINDS if kind in row.scores]
    by_kind = f" ({', '.join(kinds)})" if kinds else ""
    lengths = [("length", row.length), ("context", row.model.context if row.length else None)]
    tokens = ", ".join(f"{name} {number:,}" for name, number in lengths if number)
    return "; ".join(filter(None, [f"{_numbered(row):<36}{shape}{score}{by_kind}", tokens, *_remarks(command)]))


def _remarks(command: RowCommand[PaperRow]) -> Iterator[str]:
    row, gone = command.row, command.gone
    yield row.note
    yield row.doubts
    if gone:
        yield f"{gone.model} was shut down on {gone.on}"
    if gone and not command.is_refused:
        yield f"asked is {command.asked}, and {_NOT_ITS_OWN}"


def _numbered(row: PaperRow) -> str:
    return f"{row.number or '':>2}  {row.name}"


def _one(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}" if round(value, 1) == value else f"{value:g}"


def _numbers(measurement: RowMeasurement | None) -> list[str]:
    if measurement is None:
        return [UNKNOWN, NOTHING, NOTHING, NOTHING]
    score = measurement.score
    return [percent(score.value), _interval(score), str(measurement.tasks), f"{measurement.instances:,}"]


def _interval(estimate: Estimate) -> str:
    return NOTHING if estimate.low is None else f"{percent(estimate.low)} to {percent(estimate.high)}"


def _by_kind(row: PaperRow, measurement: RowMeasurement | None, kinds: Sequence[str]) -> list[str]:
    return [
        f"{_one(row.scores.get(kind))} / {UNKNOWN if measurement is None else percent(measurement.kinds.get(kind))}"
        for kind in kinds
    ]


def _as_it_was(measurement: RowMeasurement) -> str:
    return f"differs in {', '.join(measurement.differs)}" if measurement.differs else "asked as the row was"

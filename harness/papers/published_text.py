"""Tables of papers as text: printed, measured, commands, and what differs."""

from __future__ import annotations

from collections.abc import Iterator

from harness.kit.text import NOTHING, aligned, counted
from harness.papers.paper import Cell, Paper, PublishedRow, PublishedTable


def overview(papers: dict[str, Paper]) -> str:
    """A line for each table: paper, name, title, rows, and what measures it.

    Args:
        papers: By their names on command lines.
    """
    parts = []
    for name, paper in papers.items():
        lines = [["", "rows", "with a command"]]
        for table in paper.tables():
            whole = "all" if table.command else str(sum(bool(row.command) for row in table.rows))
            lines.append([f"{name} {table.name}: {table.title}", str(len(table.rows)), whole])
        parts.append(f"{paper.citation}\n\n{aligned(lines)}" if len(lines) > 1 else f"{paper.citation}: no table.")
    return "\n\n".join(parts)


def told(paper: Paper, table: PublishedTable) -> str:
    """A table whole."""
    page = f", page {table.page}" if table.page else ""
    heading = ": ".join(filter(None, [f"{table.title}", table.measure]))
    parts = [f"{table.label} of {paper.citation}{page}\n{heading}", _numbers(table)]
    parts += ["\n".join(notes)] if (notes := list(_notes(table))) else []
    parts += ["\n".join(f"{row.name}:\n    {row.command}" for row in table.rows if row.command)]
    return "\n\n".join(filter(None, parts))


def _numbers(table: PublishedTable) -> str:
    return aligned([["", *table.columns], *([row.name, *_cells(table, row)] for row in table.rows)])


def _cells(table: PublishedTable, row: PublishedRow) -> Iterator[str]:
    for column in table.columns:
        both = [_one(row.printed.get(column))]
        if any(column in each.measured for each in table.rows):
            both.append(_one(row.measured.get(column)))
        yield " / ".join(both)


def _one(cell: Cell | None) -> str:
    match cell:
        case None:
            return NOTHING
        case bool():
            return "yes" if cell else "no"
        case str():
            return cell
        case int():
            return f"{cell:,}"
    return f"{cell:.1f}" if cell == round(cell, 1) else f"{cell:g}"


def _notes(table: PublishedTable) -> Iterator[str]:
    if table.measured_on:
        yield f"Printed / measured here: {table.measured_on}"
    for row in table.rows:
        yield from (f"{row.name}: doubtful {each}" for each in row.doubtful)
    if table.command:
        yield f"Ours, all rows: {table.command}"
    elif not table.commands:
        yield f"No command here, {counted(len(table.rows), 'row')}."
    if table.differs:
        yield f"Differs: {table.differs}"

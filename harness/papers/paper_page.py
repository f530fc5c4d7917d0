"""Papers in words: their tables on a terminal, and the page of each in the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.kit.text import NOTHING, aligned, counted
from harness.papers.paper import PAPERS, Cell, Paper, PaperItem, PublishedRow, PublishedTable, items_in
from harness.papers.wording.wording import Wording, wording_in


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


_PAGE = re.compile(r"docs/([\w/-]+/([\w-]+)\.md(?:#[\w-]+)?)")


def document(name: str) -> str:
    """The page.

    Args:
        name: The paper's, as on command lines.
    """
    paper = PAPERS.find(name)
    return "\n".join(_lines(name, paper)) + "\n"


def items_of(name: str, paper: Paper) -> Iterator[PaperItem]:
    """All rows of the page: parts of the system, tables and figures, the printed words.

    Args:
        name: The paper's, as on command lines.
        paper: The paper.
    """
    yield from items_in(paper.package)
    yield from (_of_table(name, table) for table in paper.tables())
    if wording := wording_in(paper.package):
        yield PaperItem(
            name="The paper's prompts",
            command=f"turkbench papers prompts {name}",
            differs=" ".join(_of_words(wording)),
        )


def _of_table(name: str, table: PublishedTable) -> PaperItem:
    is_row_by_row = bool(table.commands) and not table.command
    command = f"turkbench papers tables {name} {table.name}" if is_row_by_row else table.command
    return PaperItem(name=f"{table.label}: {table.title}", command=command, differs=table.differs)


def _of_words(wording: Wording) -> Iterator[str]:
    yield f"From {wording.repository} at {wording.commit[:7]} (docs/reference/prompts.md)."
    if wording.shown:
        yield f"{wording.shown}."
    if wording.without:
        yield f"In our words: {', '.join(wording.without)}."


def _lines(name: str, paper: Paper) -> Iterator[str]:
    yield f"# {paper.title}: item, command, what differs"
    yield ""
    yield f"<!-- Written by `make docs` from {paper.package.replace('.', '/')}/; do not edit. -->"
    yield ""
    yield "| item | command | what differs |"
    yield "| --- | --- | --- |"
    for item in items_of(name, paper):
        command = f"`{item.command}`" if item.command else "none"
        yield "| " + " | ".join(_cell(each) for each in (item.name, command, item.differs)) + " |"
    yield ""
    yield f"{paper.citation}: <{paper.url}>. All numbers and commands:"
    yield ""
    yield from ("```shell", f"turkbench papers tables {name}", "```")


def _cell(text: str) -> str:
    return _PAGE.sub(r"[\2](../../\1)", text).replace("|", "\\|")

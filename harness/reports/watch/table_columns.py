"""Columns of a table of the viewer: which are shown, how a click on a heading sorts, and the table as a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Literal, TypeAlias, TypeVar

from harness.reports.escapes import csv_text

T = TypeVar("T")
Shown: TypeAlias = Literal["always", "usual", "asked"]
Cell: TypeAlias = str | float | tuple[str, ...] | None
"""What a file holds; None for what is not known."""
FileForm: TypeAlias = Literal["csv", "json"]
USUAL = "usual"
"""In place of the names of columns: those that are shown where nobody has chosen."""
_AT_ONCE = 500
"""Rows that are written at a time."""


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of a table.

    Attributes:
        name: What it is called in addresses.
        title: Its heading.
        keys: What its cells are called in files: one or more.
        cells: The cells of a row.
        rising: The name of the order that begins with its least, or with A; empty if it cannot be sorted.
        falling: The name of the order that begins with its most.
        number: Whether it holds nothing but numbers.
        most_first: Whether the first click puts those with the most first, or the newest.
        shown: Always, where nobody has chosen, or only where it is chosen.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    cells: Callable[[T], tuple[Cell, ...]]
    rising: str = ""
    falling: str = ""
    number: bool = False
    most_first: bool = False
    shown: Shown = "usual"

    @classmethod
    def of_words(
        cls,
        name: str,
        title: str,
        keys: tuple[str, ...],
        cells: Callable[[T], tuple[Cell, ...]],
        shown: Shown = "usual",
    ) -> Column[T]:
        """One that holds words; its orders are ``name`` and ``-name``."""
        return cls(name, title, keys, cells, rising=name, falling=f"-{name}", shown=shown)

    @classmethod
    def of_amounts(
        cls,
        name: str,
        title: str,
        keys: tuple[str, ...],
        cells: Callable[[T], tuple[Cell, ...]],
        shown: Shown = "usual",
    ) -> Column[T]:
        """One that holds numbers; its orders are ``name``, which begins with the most, and ``-name``."""
        return cls(name, title, keys, cells, rising=f"-{name}", falling=name, number=True, most_first=True, shown=shown)


@dataclass(frozen=True)
class Heading:
    """The heading of a column as a page shows it.

    Attributes:
        name: The column's name.
        title: Its words.
        number: Whether it holds numbers.
        sort: The order that a click leads to; empty if it cannot be sorted.
        sorted: How the table is sorted by it, as ``aria-sort`` has it; empty if it is not.
    """

    name: str
    title: str
    number: bool
    sort: str
    sorted: Literal["", "ascending", "descending"]


def chosen_columns(columns: Sequence[Column[T]], names: Iterable[str]) -> tuple[Column[T], ...]:
    """The columns to show, in the table's own order.

    Args:
        columns: All of the table.
        names: Those that are chosen; the usual ones are if none of these is a column's.
    """
    wanted = set(names) & {column.name for column in columns if column.shown != "always"}
    usual = not wanted
    return tuple(
        column
        for column in columns
        if column.shown == "always" or column.name in wanted or (usual and column.shown == "usual")
    )


def headings(columns: Iterable[Column[T]], sort: str) -> list[Heading]:
    """The headings of a table.

    Args:
        columns: Those that are shown.
        sort: The name of the order that its rows are in.
    """
    made = []
    for column in columns:
        first, other = (column.falling, column.rising) if column.most_first else (column.rising, column.falling)
        is_sorted = bool(sort) and sort in (first, other)
        direction: Literal["ascending", "descending"] = "ascending" if sort == column.rising else "descending"
        following = other if sort == first else first
        made.append(Heading(column.name, column.title, column.number, following, direction if is_sorted else ""))
    return made


def table_file(form: FileForm, columns: Sequence[Column[T]], rows: Iterable[T]) -> Iterator[bytes]:
    """A table as a file in UTF-8, piece by piece.

    Args:
        form: ``csv``: a line of keys, then a line for each row; what is not known is empty, and a text that a
            spreadsheet would take for a formula has an apostrophe before it. ``json``: a list with an object for each
            row; what is not known is null.
        columns: The columns of it.
        rows: The rows, which are read as they are written.
    """
    keys = [key for column in columns for key in column.keys]
    lines = ([cell for column in columns for cell in column.cells(row)] for row in rows)
    pieces = _csv(keys, lines) if form == "csv" else _json(keys, lines)
    for piece in pieces:
        yield piece.encode("utf-8", "replace")


def _csv(keys: list[str], lines: Iterator[list[Cell]]) -> Iterator[str]:
    rows: list[list[object]] = [list(keys)]
    while rows:
        piece = io.StringIO()
        csv.writer(piece).writerows(rows)
        yield piece.getvalue()
        rows = [[_in_csv(cell) for cell in line] for line in islice(lines, _AT_ONCE)]


def _in_csv(cell: Cell) -> object:
    if isinstance(cell, tuple):
        cell = ", ".join(cell)
    return csv_text(cell) if isinstance(cell, str) else cell


def _json(keys: list[str], lines: Iterator[list[Cell]]) -> Iterator[str]:
    before = "[\n"
    while some := list(islice(lines, _AT_ONCE)):
        rows = (json.dumps(dict(zip(keys, line, strict=True)), ensure_ascii=False) for line in some)
        yield before + ",\n".join(rows)
        before = ",\n"
    yield "\n]\n" if before == ",\n" else "[]\n"

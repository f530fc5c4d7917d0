"""Papers by name: their tables and figures as data, beside what of ours stands for them, and what else they have."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeAlias, TypeVar

import msgspec

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, typed
from harness.kit.registry import Registry, registry
from harness.kit.text import did_you_mean

T = TypeVar("T")


def paper_file(package: str, name: str, kind: type[T]) -> T | None:
    """The content of a TOML file; None if there is no such file.

    Args:
        package: The name of the paper's package, for example ``harness.papers.webcanvas``.
        name: Of the file in its folder.
        kind: The record's class.

    Raises:
        Malformed: the file is not well formed; says where.
    """
    file = files(package) / name
    if not file.is_file():
        return None
    try:
        return typed(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, Malformed) as error:
        raise Malformed(f"{file}: {error}") from error


ITEMS_FILE = "items.toml"
"""Beside the code of a paper."""


class PaperItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a paper's system.

    Attributes:
        name: What it is.
        command: What is it here; empty if nothing is.
        differs: What of ours differs, or why there is no command; where the details are.
    """

    name: str
    command: str = ""
    differs: str


class _ItemsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: tuple[PaperItem, ...] = ()


def items_in(package: str) -> tuple[PaperItem, ...]:
    """The items in the file of a paper's package; none if it has no such file.

    Args:
        package: Its name, for example ``harness.papers.webcanvas``.

    Raises:
        Malformed: the file is not well formed; says where.
    """
    found = paper_file(package, ITEMS_FILE, _ItemsFile)
    return found.items if found else ()


FILE = "tables.toml"
"""Beside the code of a paper."""
NAME = "name"
"""In place of a column: what a row is of."""
Cell: TypeAlias = bool | int | float | str
"""What stands in a cell: a number; a tick; words where a column tells how a row was made."""


class PublishedRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of a table, or what a figure shows of one thing.

    Attributes:
        name: What it is of.
        printed: Column -> what is printed there.
        measured: Column -> what this harness measured.
        doubtful: Cells whose reading, or what they say, is in doubt: ``column: why``, or ``name: why``.
        command: What measures the row here; empty if the table's does, or nothing.
    """

    name: str
    printed: Mapping[str, Cell] = {}
    measured: Mapping[str, Cell] = {}
    doubtful: tuple[str, ...] = ()
    command: str = ""


class PublishedTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table, or a figure of numbers.

    Attributes:
        name: What it is called on command lines: ``table3``, ``figure7``.
        title: What it tells, in words of ours.
        page: Of the paper's file, from 1; None if nobody noted it.
        measure: What its numbers are, with their unit.
        columns: The names of its columns, in order, but for that of its rows.
        rows: Its lines, in order.
        differs: What of ours differs, or why there is no command, in a sentence.
        command: What measures all rows here; empty if each row has one, or none has.
        measured_on: Of what the rows' measured numbers are; empty if none has any.
    """

    name: str
    title: str
    page: int | None = None
    measure: str = ""
    columns: tuple[str, ...]
    rows: tuple[PublishedRow, ...]
    differs: str = ""
    command: str = ""
    measured_on: str = ""

    def __post_init__(self) -> None:
        """See that rows and columns fit.

        Raises:
            ValueError: they do not.
        """
        for row in self.rows:
            named = [*row.printed, *row.measured, *(each.partition(": ")[0] for each in row.doubtful)]
            if strange := [each for each in named if each not in (NAME, *self.columns)]:
                raise ValueError(f"{self.name} has no column {strange[0]!r}, which its row {row.name!r} names")
        if twice := _twice([row.name for row in self.rows]):
            raise ValueError(f"{self.name} has two rows called {twice!r}")
        if not (self.commands or self.differs):
            raise ValueError(f"{self.name} has neither a command nor a word on why it has none")
        if bool(self.measured_on) != any(row.measured for row in self.rows):
            raise ValueError(f"{self.name}: measured numbers and measured_on go together")

    @property
    def label(self) -> str:
        """Its name in the paper: ``Table 3``."""
        word = self.name.rstrip("0123456789")
        return f"{word.capitalize()} {self.name[len(word) :]}".strip()

    @property
    def commands(self) -> tuple[str, ...]:
        """All commands: the table's, then those of its rows."""
        return tuple(filter(None, [self.command, *(row.command for row in self.rows)]))


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tables: tuple[PublishedTable, ...] = ()


def tables_in(package: str) -> tuple[PublishedTable, ...]:
    """The tables in the file of a paper's package; none if it has no such file.

    Args:
        package: Its name, for example ``harness.papers.webcanvas``.

    Raises:
        Malformed: the file is not well formed; says where.
    """
    found = paper_file(package, FILE, _File)
    return found.tables if found else ()


def in_order(tables: Sequence[PublishedTable]) -> tuple[PublishedTable, ...]:
    """Tables by their numbers, then figures by theirs."""

    def place(table: PublishedTable) -> tuple[bool, int, str]:
        word = table.name.rstrip("0123456789")
        return word != "table", int(table.name[len(word) :] or 0), table.name

    return tuple(sorted(tables, key=place))


def _twice(names: Sequence[str]) -> str:
    return next((name for at, name in enumerate(names) if name in names[:at]), "")


def _none() -> tuple[PublishedTable, ...]:
    return ()


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes:
        title: What it is called here: ``WebCanvas``.
        citation: Authors, title, where and when it appeared.
        url: Where it is read.
        package: Whose ``tables.toml`` holds its tables.
        further: Tables that are kept in another form, beside those.
    """

    title: str
    citation: str
    url: str
    package: str
    further: Callable[[], tuple[PublishedTable, ...]] = _none

    def tables(self) -> tuple[PublishedTable, ...]:
        """All its tables, in order.

        Raises:
            harness.kit.files.codec.Malformed: a file of them is not well formed.
        """
        return in_order([*self.further(), *tables_in(self.package)])

    def table(self, name: str) -> PublishedTable:
        """The table of a name.

        Raises:
            UserError: there is none.
        """
        tables = {each.name: each for each in self.tables()}
        if name not in tables:
            raise UserError(
                f"there is no {name!r} of {self.title}.{did_you_mean(name, tables)} There are {', '.join(tables)}"
            )
        return tables[name]


PAPERS: Registry[Paper] = registry("papers")

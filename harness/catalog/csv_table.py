"""A CSV file read as text: every cell as it was written, every irregularity with its row."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from harness.catalog.problems import decode
from harness.kit.files.inside import open_inside
from harness.kit.text import counted

# Cells hold whole articles and images as data URLs; the module's own limit is 128 KiB. The limit is one for
# the process and must fit a C long, which has 32 bits on some platforms.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class TableFault:
    """One irregularity of a CSV file: `row` as a spreadsheet numbers it; None is the header or the whole file."""

    row: int | None
    column: str | None
    what: str
    remedy: str


@dataclass(frozen=True)
class CsvTable:
    """The cells of a CSV file.

    Attributes:
        header: The column names, as written. Columns without a name and without a cell, which spreadsheets leave
            behind, are none.
        rows: The data rows in file order, each as long as the header. Lines without any character are not rows, nor
            are rows of empty cells at the end.
        numbers: The number of each row in a spreadsheet, where the header is row 1.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]


class UnreadableTable(Exception):
    """A CSV file that cannot be used.

    Attributes:
        faults: What was found; never empty.
    """

    def __init__(self, faults: list[TableFault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SEPARATOR_LINE = re.compile(r"\s*\"?sep=(.)\"?,*[\r\n]", re.IGNORECASE)
"""A first line that tells Excel what separates the cells."""
_SPREADSHEETS = {b"PK\x03\x04": "a spreadsheet (.xlsx, .ods)", b"\xd0\xcf\x11\xe0": "a spreadsheet (.xls)"}
"""How a file begins that a spreadsheet program wrote in its own format -> what it is."""
_AS_CSV = "Save the sheet as CSV, comma-separated, in UTF-8"
_SEPARATORS = {";": "semicolons", "\t": "tabs"}
_ROWS_TRIED = 20

# A file with one broken quote makes thousands of ragged rows; the first few are what a person can use.
_MOST_FAULTS = 20


def read_table(data: bytes) -> CsvTable:
    """Read a CSV file.

    Text is UTF-8, with or without a byte-order mark; quoting is as RFC 4180 says, and a quote that is never
    closed is an error. Nothing is converted: no cell becomes a number or a missing value, and line ends
    inside cells stay. What a spreadsheet leaves behind is left out: see ``CsvTable``.

    Args:
        data: The bytes of the file.

    Raises:
        UnreadableTable: If the file is empty, is a spreadsheet, has bytes that are not UTF-8, cells that other
            characters than commas separate, a line for Excel before the header, no data rows, a header name twice,
            several columns without a name, a row with more or fewer cells than the header, or broken quoting.
    """
    if kind := next((kind for start, kind in _SPREADSHEETS.items() if data.startswith(start)), None):
        raise UnreadableTable([TableFault(None, None, f"the file is {kind} and no text", _AS_CSV)])
    text = _decode(data)
    if note := _SEPARATOR_LINE.match(text):
        between = (
            "" if note[1] == "," else f", where the cells are separated by {_SEPARATORS.get(note[1], repr(note[1]))}"
        )
        what = f"the first line is {note[0].strip()!r}, a note for Excel and no header{between}"
        remedy = "Remove that line" if note[1] == "," else f"{_AS_CSV}, without that line"
        raise UnreadableTable([TableFault(None, None, what, remedy)])
    if separator := _other_separator(text):
        what = f"the cells are separated by {_SEPARATORS[separator]}, not by commas"
        raise UnreadableTable([TableFault(None, None, what, _AS_CSV)])
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    numbers: list[int] = []
    faults: list[TableFault] = []
    number = 0
    # Labels repeat: one object for equal cells takes a fraction of the memory.
    shared: dict[str, str] = {}
    try:
        for number, cells in enumerate(reader, start=1):
            if not cells:
                continue
            if not header:
                header = tuple(cells)
                continue
            if len(cells) != len(header):
                faults.append(_ragged(number, len(cells), len(header)))
            rows.append(tuple(shared.setdefault(cell, cell) for cell in cells))
            numbers.append(number)
    except csv.Error as error:
        row = number + 1 if header else None
        what = f"broken quoting: {error} (the row ends at line {reader.line_num} of the file)"
        faults.append(TableFault(row, None, what, 'Close the quotes, and write a quote inside a cell as ""'))
    if not header and not faults:
        faults.append(
            TableFault(None, None, "the file is empty", "Write a header and one row for each worker's answer")
        )
    while len(rows) > 1 and not any(rows[-1]):
        del rows[-1], numbers[-1]
    if header and not rows and not faults:
        faults.append(TableFault(None, None, "there is a header but no row", "Add one row for each worker's answer"))
    if not faults:
        header, rows = _without_empty_columns(header, rows)
    faults = _header_faults(header) + faults
    if faults:
        raise UnreadableTable(_few(faults))
    return CsvTable(header, tuple(rows), tuple(numbers))


def _without_empty_columns(
    header: tuple[str, ...], rows: list[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Leave out the columns that have neither a name nor a cell."""
    if all(header):
        return header, rows
    kept = [at for at, name in enumerate(header) if name or any(row[at] for row in rows)]
    return tuple(header[at] for at in kept), [tuple(row[at] for at in kept) for row in rows]


def _other_separator(text: str) -> str | None:
    """Return what separates the cells of a file whose header or rows make no sense with commas; None for a comma."""
    header, *rows = _first_rows(text, ",")
    if len(header) > 1 and _fit(header, rows):
        return None
    for separator in _SEPARATORS:
        names, *others = _first_rows(text, separator)
        if len(names) > 1 and (len(header) == 1 or _fit(names, others)):
            return separator
    return None


def _fit(header: list[str], rows: list[list[str]]) -> bool:
    return all(len(row) == len(header) for row in rows)


def _first_rows(text: str, separator: str) -> list[list[str]]:
    """Return the header and the first rows of a file as a separator makes them; the header alone may be empty."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return list(islice(filter(None, rows), 1 + _ROWS_TRIED)) or [[]]


def _decode(data: bytes) -> str:
    if data.startswith(_UTF_16):
        raise UnreadableTable([TableFault(None, None, 'the file is UTF-16, as Excel\'s "Unicode text" is', _AS_CSV)])
    try:
        return decode(data)
    except UnicodeDecodeError as error:
        # Rows are counted on what could be read, with the bad byte as a replacement character: a cell may
        # hold line ends, so that counting lines would name the wrong row.
        readable = decode(data[: error.start]) + "\ufffd"
        started = sum(1 for _ in csv.reader(io.StringIO(readable, newline="")))
        what = f"byte 0x{data[error.start]:02X} at position {error.start} of the file is not UTF-8"
        fault = TableFault(started if started > 1 else None, None, what, "Save the file as UTF-8")
        raise UnreadableTable([fault]) from error


def _header_faults(header: tuple[str, ...]) -> list[TableFault]:
    twice = sorted(name for name, times in Counter(header).items() if times > 1)
    if "" in twice:
        twice.remove("")
        what = f"{header.count('')} columns have no name, and cells below"
        nameless = [TableFault(None, None, what, "Name them, or remove all but one")]
    else:
        nameless = []
    return nameless + [
        TableFault(None, name, "the header has this name more than once", "Rename or remove all but one")
        for name in twice
    ]


def _ragged(row: int, found: int, wanted: int) -> TableFault:
    what = f"the row has {counted(found, 'cell')} where the header has {wanted}"
    return TableFault(row, None, what, "Add or remove cells, and quote cells that hold commas or line ends")


def _few(faults: list[TableFault]) -> list[TableFault]:
    if len(faults) <= _MOST_FAULTS:
        return faults
    rest = len(faults) - _MOST_FAULTS
    return [
        *faults[:_MOST_FAULTS],
        TableFault(None, None, f"{rest} more of this kind", "Fix the rows named first"),
    ]


def first_row(table: Path) -> dict[str, str] | None:
    """Return the first data row of a table without reading the rest.

    Args:
        table: The file.

    Returns:
        Column -> cell; empty if there is no row that can be read; None if there is no table.
    """
    try:
        stat = table.stat()
    except OSError:
        return None
    return _read_first_row(table, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4096)
def _read_first_row(table: Path, _changed: int, _size: int) -> dict[str, str]:
    try:
        stream = open_inside(table.parent, table.name)
        with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as lines:
            rows = (row for row in csv.reader(lines) if row)
            return dict(zip(next(rows, ()), next(rows, ()), strict=False))
    except (OSError, UnicodeDecodeError, csv.Error):
        return {}  # what is wrong is said where the whole table is read

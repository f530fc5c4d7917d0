"""Cells that a tool damaged on the way: read in a wrong encoding, an error of a spreadsheet, characters of no text.

Pure: the cells of a task in, notes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from harness.catalog.task import ANSWER, Task
from oracle.check.mistakes.mistake import Mistake

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_ERROR = re.compile(r"#(?:NAME\?|REF!|N/A|VALUE!|DIV/0!|NULL!|NUM!|SPILL!|CALC!)")
_SHORTENED = re.compile(r"\d\.\d{1,8}E\+\d{2}")
_MOST_CHARACTERS = 32_767
"""What a cell of Excel holds."""
# What the first byte of a character in UTF-8 is in Windows-1252, and what the bytes behind it are.
_RUN = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152"
    "\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]{1,3}"
)
_SURE = frozenset("\u00c2\u00c3\u00e2\u00ef\u00f0")
"""First letters that stand before such characters in hardly any language; of others there have to be several."""
_SAVE_ANEW = "Export the table anew, in UTF-8, from where it was right"


def damage_notes(task: Task) -> Iterator[Mistake]:
    """The cells that the page shows, and labels, which a tool seems to have damaged: one note a column and damage."""
    found: dict[tuple[str, str], tuple[str, str, str, list[int]]] = {}
    for column, cell, rows in _cells(task):
        if damage := _damage(cell):
            what, remedy, repaired = damage
            found.setdefault((column, what), (cell, remedy, repaired, []))[3].extend(rows)
    for (column, what), (cell, remedy, repaired, numbers) in found.items():
        yield Mistake(
            task=task.name,
            kind="damaged text",
            what=what,
            remedy=remedy,
            column=column,
            rows=tuple(sorted(set(numbers))),
            wanted=repaired or cell,
            possible=(cell,) if repaired else (),
            is_note=True,
        )


def _cells(task: Task) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Column, cell and rows of what the page shows and of each label."""
    for instance in task.instances:
        for name, cell in instance.inputs.items():
            yield name, cell, instance.rows
        for column, labels in instance.labels.items():
            for row, label in zip(instance.rows, labels, strict=True):
                yield ANSWER + column, label, (row,)


@lru_cache(maxsize=8192)
def _damage(cell: str) -> tuple[str, str, str] | None:
    """What happened to a cell, what to do, and the cell as it was, if that can be told; None if it is sound."""
    if control := _CONTROL.search(cell):
        code = f"U+{ord(control[0]):04X}"
        drops = "browsers drop it" if control[0] == "\0" else "no worker sees it and nobody can type it"
        return f"the cell holds the control character {code}: {drops}", "Remove it", ""
    if _ERROR.fullmatch(cell.strip()):
        return "the cell is an error of a spreadsheet's formula", "Write the value that was meant, or as text", ""
    if len(cell) == _MOST_CHARACTERS:
        return f"the cell ends after {_MOST_CHARACTERS:,} characters, where Excel cuts", _SAVE_ANEW, ""
    if _SHORTENED.fullmatch(cell.strip()):
        remedy = "Write it with all its digits, and keep the column as text in the spreadsheet"
        return "the cell is a long number as a spreadsheet shortens it", remedy, ""
    if cell.isascii():
        return None
    if "\ufffd" in cell:
        return "the cell holds U+FFFD, which stands for characters that were lost", _SAVE_ANEW, ""
    if re.search(r"[\x80-\x9f]", cell) or _is_misread(cell):
        return "the cell is UTF-8 or Windows-1252 that was read in a wrong encoding", _SAVE_ANEW, _repaired(cell)
    return None


def _is_misread(cell: str) -> bool:
    runs = [run[0] for run in _RUN.finditer(cell) if _character(run[0])]
    return any(run[0] in _SURE for run in runs) or len(runs) > 1


def _repaired(cell: str) -> str:
    """The cell with each character that was read as several, or as none, as it was."""
    text = _RUN.sub(lambda run: _character(run[0]) or run[0], cell)
    return re.sub(r"[\x80-\x9f]", lambda found: found[0].encode("latin-1").decode("cp1252", "replace"), text)


def _character(run: str) -> str:
    """The characters that some letters of Windows-1252 are in UTF-8; empty if they are none."""
    data = b"".join(_byte(letter) for letter in run)
    # Behind a character there may be letters that are themselves.
    for length in range(len(data), 1, -1):
        try:
            return data[:length].decode() + run[length:]
        except UnicodeDecodeError:
            continue
    return ""


def _byte(letter: str) -> bytes:
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        return letter.encode("latin-1", "replace")

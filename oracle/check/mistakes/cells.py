"""Cells that the page does not show as they are, since they cut the markup around them: quotes, blanks, ``<``.

Pure: a template and the cells of its columns in, notes out. AMT shows the same: values go in as they are.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Literal, NamedTuple

from lxml.html import defs

from harness.catalog.task import ANSWER, Task
from harness.catalog.template.instantiation import PLACEHOLDER
from harness.catalog.template.markup import Piece, scan
from harness.kit.text import shorten
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


_SCRIPT_TEXTS = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL
)
"""Comments and texts of JavaScript."""
_ELEMENTS = defs.tags | {
    "image",
    "nobr",
    "picture",
    "search",
    "slot",
    "template",
    "dialog",
    "data",
    "main",
    "rb",
    "rtc",
}
_ALONE = defs.safe_attrs | {
    "allowfullscreen",
    "async",
    "autofocus",
    "default",
    "defer",
    "hidden",
    "href",
    "inert",
    "loop",
}
_ALONE |= {
    "muted",
    "novalidate",
    "open",
    "playsinline",
    "required",
    "reversed",
    "src",
    "autoplay",
    "controls",
    "style",
    "inert",
}
"""Attributes that may stand without a value."""
_FRAMEWORKS = ("data-", "aria-", "on", "v-", "@", ":", "/")
"""How attributes begin that no list has."""
_SWALLOWING = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"})
"""Elements that take all for their text up to their end tag."""
_CUSTOM = re.compile(r"[a-z][a-z0-9.]*[-:][a-z0-9.:-]*")
_DRAWN = re.compile(r"<(?:svg|math)[\s>]", re.IGNORECASE)
"""What begins a picture or formula, whose elements are not HTML's."""
_SHOWN = 60
_REMEDIES = {
    "attribute": "Write &quot; for \" and &#39; for ' in the cell",
    "text": "Write &lt; for a < that is text",
    "script": "Write the cell as JavaScript does, or put the variable into an element of the page and read it there",
    "element": "Write &lt; for a < that is text",
}
_QUOTES = ", and quotes around the variable in the template"


@dataclass(frozen=True)
class _Slot:
    """A place of a template where the cells of a column go.

    Attributes:
        column: The column.
        inside: What of HTML the place is in.
        source: The place as the template has it.
        before: What stands between the beginning of the attribute or text and the place.
        after: What stands between the place and the end of the tag.
        quote: What is around the attribute or the text of a script; empty if nothing.
    """

    column: str
    inside: Literal["attribute", "script", "text", "element"]
    source: str
    before: str = ""
    after: str = ""
    quote: str = ""


class _Cut(NamedTuple):
    """Why a cell is not shown as it is, and what is shown of it; None if that cannot be said."""

    why: str
    kept: str | None


def cell_notes(task: Task) -> Iterator[Mistake]:
    """The cells that cut the markup around them: one note for each place of the template and way of cutting."""
    for slot in _slots(task):
        found: dict[str, tuple[str, str | None, list[int]]] = {}
        for instance in task.instances:
            cell = instance.inputs[slot.column]
            if cut := _cut(slot, cell):
                found.setdefault(cut.why, (cell, cut.kept, []))[2].extend(instance.rows)
        for why, (cell, kept, rows) in found.items():
            yield Mistake(
                task=task.name,
                kind="cut cell",
                what=why if kept is None else f"{why}: the page shows {shorten(kept, _SHOWN)!r}",
                remedy=_REMEDIES[slot.inside] + (_QUOTES if slot.inside == "attribute" and not slot.quote else ""),
                column=slot.column,
                rows=tuple(rows),
                wanted=cell,
                is_note=True,
            )


def _slots(task: Task) -> list[_Slot]:
    """The places of a task's columns in its template, each once."""
    places = [found for found in PLACEHOLDER.finditer(task.template) if found[1] in task.variables]
    # A name may hold blanks, which would end an attribute, and a cell in its place would not.
    neutral = list(task.template)
    for found in places:
        neutral[found.start() : found.end()] = "x" * len(found[0])
    pieces = list(scan("".join(neutral)))
    starts = [piece.start for piece in pieces]
    slots = (_slot(task.template, pieces[bisect(starts, found.start()) - 1], found) for found in places)
    return list(dict.fromkeys(slot for slot in slots if slot))


def _slot(template: str, piece: Piece, found: re.Match[str]) -> _Slot | None:
    column, at = found[1], found.start()
    if piece.kind == "text":
        return _Slot(column, "text", found[0])
    if piece.kind == "start":
        for name, (start, end) in piece.spans.items():
            if start <= at < end:
                quote = template[start - 1] if template[start - 1] in "\"'" else ""
                source = f"{name}={quote}{shorten(template[start:end], _SHOWN)}{quote}"
                before, after = template[start:at], template[found.end() : piece.end]
                return _Slot(column, "attribute", source, before, after, quote)
    if piece.kind == "raw" and piece.name == "script":
        spans = (
            each for each in _SCRIPT_TEXTS.finditer(template, piece.start, piece.end) if each.start() < at < each.end()
        )
        text = next(spans, None)
        quote = text[0][0] if text and text[0][0] != "/" else ""
        return _Slot(column, "script", found[0], quote=quote) if quote or not text else None
    if piece.kind == "raw" and piece.name in {"textarea", "title"}:
        return _Slot(column, "element", piece.name)
    return None


def _cut(slot: _Slot, cell: str) -> _Cut | None:
    if slot.inside == "text":
        return _in_text(cell) if "<" in cell and not _DRAWN.search(cell) else None
    if slot.inside == "attribute":
        return _in_quotes(slot, cell) if slot.quote else _without_quotes(slot, cell)
    element = slot.source if slot.inside == "element" else "script"
    if (at := cell.lower().find(f"</{element}")) >= 0:
        return _Cut(f"the tag </{element}> in the cell ends the element that it stands in", cell[:at])
    return _in_script(slot, cell) if slot.inside == "script" and slot.quote else None


def _in_quotes(slot: _Slot, cell: str) -> _Cut | None:
    at = cell.find(slot.quote)
    return None if at < 0 else _Cut(f"the quote in the cell ends the attribute {slot.source}", unescape(cell[:at]))


def _without_quotes(slot: _Slot, cell: str) -> _Cut | None:
    """What becomes of a cell in an attribute without quotes around it; a cell may bring its own."""
    if not slot.before and not cell.strip():
        takes_next = slot.after[:1].isspace() and slot.after.strip() not in {">", ""}
        return _Cut(f"the empty cell leaves {slot.source} what follows for its value", None) if takes_next else None
    if not slot.before and cell[:1] in {'"', "'"}:
        kept, _, rest = cell[1:].partition(cell[0])
        why = "the quotes in the cell are taken for those of the attribute"
    else:
        kept = re.split(r"[\s>]", cell, maxsplit=1)[0]
        rest, why = cell[len(kept) :], "the cell ends at its first blank or >"
    return _Cut(f"{why} in {slot.source}, which has no quotes", unescape(kept)) if rest.strip() else None


def _in_script(slot: _Slot, cell: str) -> _Cut | None:
    own = re.search(rf"(?<!\\)(?:\\\\)*{slot.quote}", cell)
    breaks = slot.quote != "`" and re.search(r"[\r\n]", cell)
    if not (own or breaks or re.search(r"(?<!\\)(?:\\\\)*\\\Z", cell)):
        return None
    what = "the quote" if own else "the line end" if breaks else "the backslash"
    return _Cut(f"{what} in the cell breaks the text {slot.quote}…{slot.source}…{slot.quote} of a script", None)


def _in_text(cell: str) -> _Cut | None:
    """What becomes of a cell in which a ``<`` is taken for a tag that nobody can have meant."""
    shown, lost = [], []
    opened: Piece | None = None
    for piece in scan(cell):
        source = cell[piece.start : piece.end]
        if piece.kind == "start" and piece.name in _SWALLOWING and f"</{piece.name}" not in cell[piece.end :].lower():
            opened = piece
        if piece.kind == "text":
            shown.append(source)
        elif piece.kind not in {"doctype", "raw"} and _is_no_markup(piece, source, cell):
            lost.append(source)
    if opened and not lost:
        lost.append(f"<{opened.name}>")
    if not lost:
        return None
    swallows = opened or not lost[-1].endswith(">")
    why = (
        "the < in the cell opens what is never closed, and swallows what follows on the page"
        if swallows
        else ("the < in the cell is taken for the beginning of a tag")
    )
    return _Cut(why, unescape("".join(shown)))


def _is_no_markup(piece: Piece, source: str, cell: str) -> bool:
    """Whether a piece is hardly markup: it has no end, or a name or attributes that HTML does not know.

    A pair of tags with a name of the requester's own is markup, for which the template has styles.
    """
    if piece.kind == "comment":
        return not (source.startswith("<!--") and source.endswith("->"))
    if not source.endswith(">"):
        return True
    if piece.name not in _ELEMENTS and not _CUSTOM.fullmatch(piece.name):
        return piece.kind == "start" and f"</{piece.name}>" not in cell.lower()
    alone = [name for name in piece.attributes if piece.spans[name][0] == piece.spans[name][1]]
    return any(name not in _ALONE and not name.startswith(_FRAMEWORKS) for name in alone)

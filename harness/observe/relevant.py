"""The encodings ``relevant`` and ``relevant-5-10``: the HTML around a field (TurkingBench, appendix C)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.observe.encoding import Encoding, Version
from harness.observe.html import HtmlPart, write
from harness.observe.snapshot import ELEMENT, Snapshot

PIECES = (15, 30)
"""Pieces before and after the one that opens the control (appendix C)."""
FEWER = ((10, 20), (7, 14), (5, 10), (3, 6), (2, 3), (1, 1), (0, 0))
"""The same where a budget needs it."""
PART_END = "\n\n"
"""Between the surroundings of fields that are apart."""


def around(snapshot: Snapshot, fields: Sequence[str], pieces: tuple[int, int] = PIECES) -> str:
    """The HTML around some fields, in page order; where surroundings overlap they are written once.

    Args:
        snapshot: The page.
        fields: Names of fields of the page.
        pieces: How many pieces stay before and after the one that opens a field's first visible control.
    """
    windows: dict[int, list[tuple[int, int]]] = {}  # element around controls -> first and last piece of each stretch
    texts: dict[int, HtmlPart] = {}
    before, after = pieces
    for name in fields:
        controls = snapshot.controls[name]
        control = next((place for place in controls if snapshot.nodes[place].shown), controls[0])
        root = grandparent(snapshot, control)
        written = texts.setdefault(root, texts.get(root) or write(snapshot, root))
        here = written.html.count(">", 0, written.opens[control])
        windows.setdefault(root, []).append((max(here - before, 0), here + after + 1))
    found = []
    for root, stretches in windows.items():
        parts = texts[root].html.split(">")
        for start, end in _merged(stretches):
            found.append(_joined(parts, start, end))
    return PART_END.join(found)


def neighbourhood(html: str, here: int) -> str:
    """The pieces of an HTML text around one, which is given by its number."""
    before, after = PIECES
    return _joined(html.split(">"), max(here - before, 0), here + after + 1)


def _joined(parts: Sequence[str], start: int, end: int) -> str:
    return ">".join(parts[start:end]) + (">" if end < len(parts) else "")


def grandparent(snapshot: Snapshot, place: int) -> int:
    """The element two levels above a node, or as far above it as there is one."""
    for _ in range(2):
        parent = snapshot.nodes[place].parent
        if parent < 0 or snapshot.nodes[parent].type != ELEMENT:
            break
        place = parent
    return place


def _merged(stretches: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """Around the field, or around each visible field: as in the paper, then with fewer pieces, then with fewer fields.

    Fields are left out from the end of the page, half of those that are left at a time.
    """
    fields = list(snapshot.visible_fields) if field is None else [field]
    yield Version(around(snapshot, fields))
    for pieces in FEWER:
        before, after = pieces
        yield Version(
            around(snapshot, fields, pieces), (f"kept {before} pieces before the field and {after} after it",)
        )
    some = fields
    while len(some) > 1:
        some = some[: (len(some) + 1) // 2]
        gone = ", ".join(fields[len(some) :])
        yield Version(around(snapshot, some, (0, 0)), ("kept the field's own piece only", f"left out fields: {gone}"))


RELEVANT = Encoding("relevant", versions)


BEFORE, AFTER = 5, 10
"""Pieces before the field's, and from it on: nine of the ten follow it."""
FEWER_SENT = ((3, 6), (2, 3), (1, 1))
"""The same where a budget needs it; the original sends a request however long it is."""
NOT_FOUND = -1
"""The number of the field's piece where there is none; pieces are counted from there all the same."""


def sent(snapshot: Snapshot, field: str, before: int = BEFORE, after: int = AFTER) -> str:
    """The pieces of HTML that a model was sent about a field, a line each.

    Args:
        snapshot: The page.
        field: A field of it.
        before: Pieces before that of the field.
        after: Pieces from that of the field on.
    """
    first = _first_named(snapshot, field)
    pieces = [f"{piece}>" for piece in write(snapshot, grandparent(snapshot, first)).html.split(">")]
    tag = write(snapshot, first).html
    here = max((number for number, piece in enumerate(pieces) if piece == tag), default=NOT_FOUND)
    return "\n".join(pieces[max(0, here - before) : max(1, here + after)])


def _first_named(snapshot: Snapshot, field: str) -> int:
    """The first element of that name, whatever it is and whether it can be seen or not."""
    named = (
        place
        for place, node in enumerate(snapshot.nodes)
        if node.type == ELEMENT and ("name", field) in node.attributes
    )
    return next(named, snapshot.controls[field][0])


def _versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """As it was sent, then with fewer pieces; of all visible fields one after the other, then of fewer fields."""
    fields: Sequence[str] = snapshot.visible_fields if field is None else (field,)
    yield Version(_all(snapshot, fields, BEFORE, AFTER))
    for before, after in FEWER_SENT:
        note = f"kept {before} pieces before the field and {after} from it on"
        yield Version(_all(snapshot, fields, before, after), (note,))
    some = fields
    while len(some) > 1:
        some = some[: (len(some) + 1) // 2]
        gone = ", ".join(fields[len(some) :])
        yield Version(_all(snapshot, some, 0, 1), ("kept one piece of each field", f"left out fields: {gone}"))


def _all(snapshot: Snapshot, fields: Sequence[str], before: int, after: int) -> str:
    return PART_END.join(dict.fromkeys(sent(snapshot, each, before, after) for each in fields))


RELEVANT_SENT = Encoding("relevant-5-10", _versions, for_programs=False)

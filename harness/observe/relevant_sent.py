"""The encoding ``relevant-5-10``: the HTML around a field as the models of TurkingBench's tables were sent it.

The paper's appendix describes what the benchmark's code writes into dumps of features (encoding ``relevant``). What its
models were sent was cut by the same procedure with other numbers (``get_html`` in ``src/evaluation/baselines.py``), and
is repeated here with all that follows from it: the first element of the field's name with two levels around it is
written as HTML and parted at each ``>``, and the element is looked for among the pieces as a whole. So it is found only
where it consists of one tag with no blank before it. Everywhere else the beginning is sent, and the field is often not
in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.observe.encoding import Encoding, Version
from harness.observe.html import write
from harness.observe.relevant import PART_END, grandparent
from harness.observe.snapshot import ELEMENT, Snapshot

BEFORE, AFTER = 5, 10
"""Pieces before the field's, and from it on: nine of the ten follow it."""
FEWER = ((3, 6), (2, 3), (1, 1))
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
    for before, after in FEWER:
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

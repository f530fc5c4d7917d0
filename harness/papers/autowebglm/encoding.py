"""The encodings ``autowebglm`` and ``autowebglm-forms``: AutoWebGLM's text of a page (Lai et al. 2024, section 2.2).

What can be operated, and holds nothing else that can be, is ``<tag[LETTERS]| attributes; text children >``; without
letters, so is what carries text. A wrapper around one thing gives way to it; one around several is ``< ... >``, as in
the recorded steps of AutoWebBench. Texts stay where they stand: what follows an input is not lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.observe.encoding import Encoding, Version, letters
from harness.observe.layout import choices
from harness.observe.picture_texts import PICTURE_TEXT
from harness.observe.reduce import MORE, only, rounds, shorten
from harness.observe.snapshot import ELEMENT, TEXT, Node, Snapshot

LISTED = ("title", "value", "placeholder")
"""The paper's white list of attributes; only their values are written, each once. A chosen option is ``selected``."""
LISTED_IN_FORMS = ("aria-label", "alt")
"""What forms need beside it: names of controls without a text."""
LONGEST_TEXT = 500
"""Characters of one text, as in the public code."""
_SEGMENT_CHILDREN = 2


def segment(snapshot: Snapshot, number: int) -> str:
    """The text of one element, with the first of what is in it; empty if the page has no such element.

    The paper shows it behind a command on the element, pruned to depth 0 with two descendants.
    """
    place = next((place for place, node in enumerate(snapshot.nodes) if node.ref == number), None)
    if place is None:
        return ""
    kept = [place]
    for child in snapshot.children[place]:
        if len(kept) <= _SEGMENT_CHILDREN and (snapshot.nodes[child].type == ELEMENT or snapshot.nodes[child].shown):
            kept += [child, *snapshot.children[child]]
    return render(only(snapshot, set(kept)))


def render(snapshot: Snapshot, *, forms: bool = False) -> str:
    """The page on one line.

    Args:
        snapshot: The page.
        forms: Whether controls tell type, name and state, which the paper's white list lacks.
    """
    return _Writer(snapshot, forms=forms).page()


@dataclass(frozen=True)
class _Piece:
    """A part of the text: an element, or running text."""

    text: str
    is_element: bool


class _Writer:
    """Writes the nodes of a page from the last to the first, so that no step goes deeper with the page."""

    def __init__(self, snapshot: Snapshot, *, forms: bool) -> None:
        self._snapshot = snapshot
        self._forms = forms
        self._made: dict[int, list[_Piece]] = {}
        self._inner = _innermost(snapshot)

    def page(self) -> str:
        for place in range(len(self._snapshot.nodes) - 1, -1, -1):
            if pieces := self._pieces(place):
                self._made[place] = pieces
        return _joined(self._made.get(0, []))

    def _pieces(self, place: int) -> list[_Piece]:
        node = self._snapshot.nodes[place]
        if node.type == TEXT:
            words = _plain(node.text) if node.shown else ""
            return [_Piece(words, is_element=False)] if words else []
        kids = _merged([piece for child in self._snapshot.children[place] for piece in self._made.pop(child, [])])
        if node.type != ELEMENT:
            return kids
        if node.text == "option":
            return []
        if node.text == "select" and node.shown:
            kids = self._options(place)
        return self._element(place, node, kids)

    def _element(self, place: int, node: Node, kids: list[_Piece]) -> list[_Piece]:
        if node.text == "textarea":
            kids = []  # what it holds is its value
        told = self._attributes(node) if node.shown else []
        label = f"[{letters(node.ref)}]" if place in self._inner else ""
        has_text = any(not each.is_element for each in kids)
        if not (label or told or len(kids) > 1 or (has_text and node.shown)):
            return kids
        if not (label or told or has_text):
            return [_Piece(f"< {_joined(kids)} >", is_element=True)]
        head = "; ".join(told)
        rest = _joined(kids)
        if head and kids and not kids[0].is_element:
            head += ";"
        content = " ".join(filter(None, (head, rest)))
        end = " >" if not content or (kids and kids[-1].is_element) else ">"
        return [_Piece(f"<{node.text}{label}|{' ' if content else ''}{content}{end}", is_element=True)]

    def _attributes(self, node: Node) -> list[str]:
        listed = (*LISTED, *(LISTED_IN_FORMS if self._forms else ()), PICTURE_TEXT)
        held = {name: node.get(name) or "" for name in listed}
        if node.control and node.control.value is not None:
            held["value"] = node.control.value
        if node.text in ("select", "li"):
            held.pop("value")  # its options tell what is chosen
        found = [shorten(_plain(each), LONGEST_TEXT) for each in held.values() if each.strip()]
        if self._forms and node.control and node.control.kind != "button":
            kind = [f"type={_plain(node.get('type') or 'text')}"] if node.text == "input" else []
            name = [f"name={_plain(node.control.field)}"] if node.control.field else []
            found = [*kind, *name, *found, *node.control.states]
        return list(dict.fromkeys(found))

    def _options(self, place: int) -> list[_Piece]:
        node = self._snapshot.nodes[place]
        shown = [
            _Piece(f"<option| {_plain(text)}{'; selected' if chosen else ''}>", is_element=True)
            for _, text, chosen in choices(self._snapshot, place)
        ]
        more = node.get(MORE)
        return [*shown, _Piece(f"{more} more options", is_element=False)] if more else shown


def _innermost(snapshot: Snapshot) -> frozenset[int]:
    """The nodes that can be operated and hold no other that can."""
    holding: set[int] = set()  # nodes with something in them that can be operated
    found = []
    for place in range(len(snapshot.nodes) - 1, 0, -1):
        node = snapshot.nodes[place]
        can_be_operated = bool(node.ref) and node.shown
        if can_be_operated and place not in holding:
            found.append(place)
        if can_be_operated or place in holding:
            holding.add(node.parent)
    return frozenset(found)


def _merged(pieces: Sequence[_Piece]) -> list[_Piece]:
    """The pieces with running text that stands side by side as one."""
    found: list[_Piece] = []
    for each in pieces:
        if found and not each.is_element and not found[-1].is_element:
            found[-1] = _Piece(f"{found[-1].text} {each.text}", is_element=False)
        else:
            found.append(each)
    return found


def _joined(pieces: Sequence[_Piece]) -> str:
    return " ".join(each.text for each in pieces)


def _plain(text: str) -> str:
    """A text of the page on one line; it cannot be taken for an element."""
    words = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return shorten(words, LONGEST_TEXT)


def _versions(*, forms: bool, snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    for left_out, version in rounds(snapshot, field):
        inner = _innermost(version)
        refs = {letters(version.nodes[place].ref): version.nodes[place].field for place in sorted(inner)}
        yield Version(render(version, forms=forms), left_out, refs)


def paper_versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """The whole page, then around the fields, with ever less around them (``harness.observe.reduce.rounds``)."""
    return _versions(forms=False, snapshot=snapshot, field=field)


def form_versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """The same, with types, names and states of controls."""
    return _versions(forms=True, snapshot=snapshot, field=field)


AUTOWEBGLM = Encoding("autowebglm", paper_versions, for_programs=False, lettered=True)
AUTOWEBGLM_FORMS = Encoding("autowebglm-forms", form_versions, for_programs=False, lettered=True)

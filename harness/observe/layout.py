"""The lines of a page as a person reads it: paragraphs, list items, rows of tables, with wrappers merged away.

A ``LayoutStyle`` says how elements and controls are written; what is a line of its own, what flows and what cannot be
seen is decided here, from how the browser lays the page out. No step goes deeper with the depth of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, Union

from harness.observe.reduce import options_of
from harness.observe.snapshot import ELEMENT, TEXT, Snapshot

BREAK = "\v"
"""Ends a line inside of running text."""
WIDEST = 400
"""Characters of a block that is still written in one line with its tags."""
DEEPEST = 24
"""Levels of indentation; what is deeper stands below one another."""
ATOMS = frozenset({"input", "select", "textarea", "button", "img", "video", "audio", "canvas"})
"""Elements that are written as one thing."""


Piece = Union[str, "LayoutBlock"]


class LayoutStyle(Protocol):
    """How an encoding writes what the layout finds."""

    groups: bool
    """Whether wrappers around several lines with a control are written."""

    def atom(self, snapshot: Snapshot, place: int, content: str) -> str:
        """A control or a picture; ``content`` is the text in it. Empty to leave it out."""

    def tags(self, snapshot: Snapshot, place: int) -> tuple[str, str]:
        """What stands before and after an element's content; two empty texts merge the element away."""

    def cells(self, cells: Sequence[str]) -> str:
        """A row of a table whose cells are one line each."""


class LayoutBlock:
    """Lines that belong together.

    Attributes:
        before: What opens it.
        after: What closes it.
        lines: Its content.
        is_cell: Whether it is a cell of a table.
        line: The block in one line; None if it takes several.
    """

    def __init__(self, before: str, after: str, lines: list[Piece], *, is_cell: bool = False) -> None:
        self.before, self.after, self.lines, self.is_cell = before, after, lines, is_cell
        self.line: str | None = None
        only = lines[0] if lines else ""
        inner = only if isinstance(only, str) else only.line
        if len(lines) <= 1 and inner is not None and len(inner) <= WIDEST:
            self.line = f"{before}{inner}{after}"


def lines(snapshot: Snapshot, style: LayoutStyle) -> Iterator[str]:
    """The page's lines, indented by one space a level."""
    open_: list[tuple[Piece, int]] = [(block, 0) for block in reversed(_blocks(snapshot, style))]
    while open_:
        piece, depth = open_.pop()
        indent = " " * min(depth, DEEPEST)
        if isinstance(piece, str):
            yield indent + piece
            continue
        if not piece.before and not piece.after:
            open_.extend((each, depth) for each in reversed(piece.lines))
            continue
        if (line := piece.line) is not None:
            yield indent + line
            continue
        if piece.before:
            yield indent + piece.before
        if piece.after:
            open_.append((piece.after, depth))
        open_.extend((each, depth + 1) for each in reversed(piece.lines))


def _blocks(snapshot: Snapshot, style: LayoutStyle) -> list[Piece]:
    """The page's top blocks, made from the last node to the first: children are done before their parents."""
    made: dict[int, list[Piece]] = {}
    controls: set[int] = set()  # nodes with a control in them
    for place in range(len(snapshot.nodes) - 1, -1, -1):
        node = snapshot.nodes[place]
        if node.type == TEXT:
            pieces: list[Piece] = [_flowing(node.text, node.display)] if node.shown else []
        elif node.type == ELEMENT and node.text == "option":
            pieces = []  # its list tells of it
            for child in snapshot.children[place]:
                made.pop(child, None)
        elif node.type == ELEMENT and node.text in ATOMS:
            content = _paragraphs([p for c in snapshot.children[place] for p in made.pop(c, [])])
            atom = style.atom(snapshot, place, " ".join(_flat(content))) if node.shown else ""
            # A space on either side: a control is no part of the word beside it.
            pieces = [f" {atom} "] if atom else []
            if node.control:
                controls.add(place)
        else:
            pieces = _joined([made.pop(child, []) for child in snapshot.children[place]])
            if node.type == ELEMENT and node.shown:
                pieces = _element(snapshot, place, pieces, style, place in controls)
        if place in controls:
            controls.add(node.parent)
        if pieces:
            made[place] = pieces
    return _paragraphs(made.get(0, []))


def _flowing(text: str, display: str) -> str:
    text = text.replace(BREAK, " ")
    return text.replace("\n", BREAK) if display == "pre" else text


def _joined(rows: Sequence[list[Piece]]) -> list[Piece]:
    """All pieces in order; a lone list is handed on as it is, so that deep trees cost no copies."""
    filled = [row for row in rows if row]
    if len(filled) == 1:
        return filled[0]
    return [piece for row in filled for piece in row]


def _element(
    snapshot: Snapshot, place: int, pieces: list[Piece], style: LayoutStyle, holds_control: bool
) -> list[Piece]:
    node = snapshot.nodes[place]
    if node.text == "br":
        return [BREAK]
    before, after = style.tags(snapshot, place)
    if node.display == "inline":
        if not before and not after:
            return pieces
        if all(isinstance(piece, str) for piece in pieces):
            return [f" {before}{' '.join(_flat(_paragraphs(pieces)))}{after} "]
        return [LayoutBlock(before, after, _paragraphs(pieces))]
    content = _paragraphs(pieces)
    if node.display == "cell":
        return [LayoutBlock(before, after, content, is_cell=True)]
    if cells := _cells(content):
        row = style.cells(cells)
        return [LayoutBlock(before, after, [row])] if any(cells) else [BREAK]
    if not content and not node.ref:
        return [BREAK]  # an empty block still parts what stands before it from what stands behind
    if not before and not after:
        if style.groups and holds_control and len(content) > 1 and node.text not in UNGROUPED:
            tag = node.text if node.text in GROUPS else "div"
            return [LayoutBlock(f"<{tag}>", f"</{tag}>", content)]
        if len(content) == 1 and isinstance(content[0], LayoutBlock):
            return content
    return [LayoutBlock(before, after, content)]


GROUPS = frozenset({"table", "fieldset", "ul", "ol"})
"""Elements whose own tag tells more than that of a wrapper."""
UNGROUPED = frozenset({"html", "body", "form"})


def _cells(content: Sequence[Piece]) -> list[str]:
    """The lines of the cells, if there is nothing but cells of one line each."""
    found = []
    for piece in content:
        line = piece.line if isinstance(piece, LayoutBlock) and piece.is_cell else None
        if line is None:
            return []
        found.append(line)
    return found


def _paragraphs(pieces: Sequence[Piece]) -> list[Piece]:
    """Blocks, and between them the running text, parted where a line ends; white space as a browser shows it."""
    found: list[Piece] = []
    running: list[str] = []

    def end() -> None:
        for line in "".join(running).split(BREAK):
            if words := " ".join(line.split()):
                found.append(words)
        running.clear()

    for piece in pieces:
        if isinstance(piece, str):
            running.append(piece)
        else:
            end()
            if piece.lines or piece.before or piece.is_cell:
                found.append(piece)
    end()
    return found


def _flat(pieces: Sequence[Piece]) -> Iterator[str]:
    """The lines of pieces without what opens and closes blocks."""
    open_ = list(reversed(pieces))
    while open_:
        piece = open_.pop()
        if isinstance(piece, str):
            yield piece
        else:
            open_.extend(reversed(piece.lines))


def choices(snapshot: Snapshot, select: int) -> list[tuple[str, str, bool]]:
    """Value, text and choice of a list's options, as the page holds them now."""
    found = []
    for place in options_of(snapshot, select):
        node = snapshot.nodes[place]
        text = " ".join("".join(snapshot.nodes[child].text for child in snapshot.children[place]).split())
        value = node.get("value")
        found.append((text if value is None else value, text, bool(node.control)))
    return found


def caption(snapshot: Snapshot, place: int) -> str:
    """What a picture or a drawing is said to show; empty if nothing says it."""
    node = snapshot.nodes[place]
    return next((text for name in ("alt", "aria-label", "title") if (text := node.get(name))), "")

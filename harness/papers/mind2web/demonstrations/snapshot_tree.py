"""A browser's snapshot of a page as a tree of elements with the attributes that Mind2Web's pages have.

A frame's document stands in its ``iframe``, as far as the snapshot has it; what a shadow root holds stands where its
host shows it, among the host's children. What scripts and style sheets say, comments, and what the browser makes of
``::before`` and the like are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.page_tree import (
    BOX_ATTRIBUTE,
    CLICKABLE_ATTRIBUTE,
    NOT_SHOWN,
    fits,
    fitting,
)

_ELEMENT, _TEXT = 1, 3
_SILENT = frozenset({"script", "style"})
_NOT_VISIBLE = frozenset({"hidden", "collapse"})
CURSOR_SIGN = "pointer"


@dataclass(frozen=True)
class _Place:
    """Where a document begins in the page: its frame's left and top."""

    left: float = 0.0
    top: float = 0.0


class SnapshotTree:
    """Makes the tree of one snapshot."""

    def __init__(self, snapshot: Mapping[str, Any]) -> None:
        """Of what ``DOMSnapshot.captureSnapshot`` gave, with the styles of ``page_inspection.STYLES``."""
        self._strings: Sequence[str] = snapshot["strings"]
        self._documents: Sequence[Mapping[str, Any]] = snapshot["documents"]

    def root(self) -> etree._Element:
        """The page's root element.

        Raises:
            ValueError: the page has none.
        """
        root = self._document(0, _Place())
        if root is None:
            raise ValueError("the page has no element")
        return root

    def _text(self, index: int) -> str:
        return fitting(self._strings[index]) if index >= 0 else ""

    def _document(self, number: int, place: _Place) -> etree._Element | None:
        document = self._documents[number]
        nodes = document["nodes"]
        layout = _Layout(document["layout"], self._strings, place)
        facts = _Facts(nodes, self._text)
        frames = _sparse(nodes["contentDocumentIndex"])
        made: dict[int, etree._Element] = {}
        root: etree._Element | None = None
        for node, kind in enumerate(nodes["nodeType"]):
            above = made.get(nodes["parentIndex"][node])
            if kind == _TEXT and above is not None and above.tag not in _SILENT:
                _append_text(above, self._text(nodes["nodeValue"][node]))
            if kind != _ELEMENT or node in facts.pseudo:
                continue
            element = self._element(nodes, node, facts, layout)
            made[node] = element
            if above is not None:
                above.append(element)
            elif root is None:
                root = element
            if node in frames:
                inner = self._document(frames[node], layout.place(node))
                if inner is not None:
                    element.append(inner)
        return root

    def _element(self, nodes: Mapping[str, Any], node: int, facts: _Facts, layout: _Layout) -> etree._Element:
        name = self._text(nodes["nodeName"][node]).lower()
        element = etree.Element(name if fits(name) else "unknown")
        pairs = nodes["attributes"][node]
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            if fits(attribute := self._text(key)):
                element.set(attribute, self._text(value))
        # Last, so that no page can name its elements itself.
        element.set(ID_ATTRIBUTE, str(nodes["backendNodeId"][node]))
        element.set(BOX_ATTRIBUTE, layout.box(node))
        for attribute, value in facts.of(node).items():
            element.set(attribute, value)
        if element.get("type", "").lower() == "password":
            element.attrib.pop("input_value", None)
        if layout.shows_hand(node) and not layout.shows_hand(nodes["parentIndex"][node]):
            element.set(CLICKABLE_ATTRIBUTE, "true")
        return element


class _Facts:
    """What a snapshot says of a document's nodes beside their attributes, by Mind2Web's names."""

    def __init__(self, nodes: Mapping[str, Any], text: Any) -> None:
        self.pseudo = frozenset(nodes["pseudoType"]["index"])
        self._flags = {
            CLICKABLE_ATTRIBUTE: frozenset(nodes["isClickable"]["index"]),
            "input_checked": frozenset(nodes["inputChecked"]["index"]),
            "option_selected": frozenset(nodes["optionSelected"]["index"]),
        }
        self._texts = {
            "input_value": {node: text(index) for node, index in _sparse(nodes["inputValue"]).items()},
            "text_value": {node: text(index) for node, index in _sparse(nodes["textValue"]).items()},
        }

    def of(self, node: int) -> dict[str, str]:
        """The attributes of a node."""
        flags = {name: "true" for name, nodes in self._flags.items() if node in nodes}
        return flags | {name: texts[node] for name, texts in self._texts.items() if node in texts}


class _Layout:
    """Where a document's nodes are, and how they look."""

    def __init__(self, layout: Mapping[str, Any], strings: Sequence[str], place: _Place) -> None:
        self._place = place
        # A node with several boxes has its first as the one around all of them.
        self._at = {node: at for at, node in reversed(list(enumerate(layout["nodeIndex"])))}
        self._bounds = layout["bounds"]
        self._styles = layout["styles"]
        self._strings = strings

    def _style(self, node: int, number: int) -> str:
        styles = self._styles[self._at[node]] if node in self._at else []
        return self._strings[styles[number]] if len(styles) > number and styles[number] >= 0 else ""

    def box(self, node: int) -> str:
        """Left, top, width and height in CSS pixels of the page."""
        if node not in self._at or self._style(node, 0) in _NOT_VISIBLE:
            return NOT_SHOWN
        left, top, width, height = self._bounds[self._at[node]]
        return f"{left + self._place.left:g},{top + self._place.top:g},{width:g},{height:g}"

    def shows_hand(self, node: int) -> bool:
        """Whether the mouse becomes a hand over a node."""
        return self._style(node, 1) == CURSOR_SIGN

    def place(self, node: int) -> _Place:
        """Where a frame's document begins."""
        left, top, _, _ = self._bounds[self._at[node]] if node in self._at else (0.0, 0.0, 0.0, 0.0)
        return _Place(left + self._place.left, top + self._place.top)


def _sparse(values: Mapping[str, Sequence[int]]) -> dict[int, int]:
    return dict(zip(values["index"], values["value"], strict=True))


def _append_text(element: etree._Element, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text

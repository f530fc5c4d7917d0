"""A page at one moment: everything that an encoding of it is made of, taken in one call to the browser."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness.browser.browser import Browser, PageFailed, value_of
from harness.browser.launch import in_page_script

ELEMENT, TEXT, COMMENT, DOCUMENT, FRAGMENT = 1, 3, 8, 9, 11
"""Types of nodes, numbered as the DOM numbers them. Documents are those of frames of the page's own origin; fragments
are open shadow trees and what is in templates."""


@dataclass(frozen=True, slots=True)
class Control:
    """What a control (or an option) holds now, which its HTML does not tell.

    Attributes:
        field: The name of its field of the answer form; None for buttons, options and controls that send nothing.
        kind: As ``harness.browser.form.fields.Field.kind``; else ``button``, ``option``, or empty for another element.
        value: What it holds, or for a radio button or a checkbox what it would send; None if it holds nothing.
        states: Of ``checked``, ``selected``, ``disabled``, ``readonly``, ``required``, ``multiple``, ``focused``,
            ``hidden``.
        labels: The nodes of its labels.
    """

    field: str | None
    kind: str
    value: str | None
    states: tuple[str, ...]
    labels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the page.

    Attributes:
        type: ``ELEMENT``, ``TEXT``, ``COMMENT``, ``DOCUMENT`` or ``FRAGMENT``.
        parent: The number of its parent, -1 for the first node.
        text: An element's tag; the text of a text or a comment.
        attributes: Names and values as in the HTML; those of an element only.
        display: How it flows: ``inline``, ``block``, ``cell``, or for a text also ``pre`` (its line ends count). Empty
            if nobody can see it.
        ref: The number by which it can be pressed; 0 for what cannot be operated.
        box: Left, top, width and height in CSS pixels of the page; of what has a number, and of pictures.
        control: What it holds, if it is a control or an option.
    """

    type: int
    parent: int
    text: str
    attributes: tuple[tuple[str, str], ...] = ()
    display: str = ""
    ref: int = 0
    box: tuple[int, int, int, int] | None = None
    control: Control | None = None

    @property
    def shown(self) -> bool:
        """Whether a person can see it; for a control, whether its field counts as visible."""
        return bool(self.display)

    @property
    def field(self) -> str | None:
        """The name of the field that it is a control of."""
        return self.control.field if self.control else None

    def get(self, attribute: str) -> str | None:
        """The value of an attribute; None if it is not there."""
        return next((value for name, value in self.attributes if name == attribute), None)


@dataclass(frozen=True, slots=True)
class OutlineNode:
    """One node of the accessibility tree.

    Attributes:
        parent: The number of its parent in the outline, -1 at the top.
        role: Its role, e.g. ``radio``; ``StaticText`` for a text.
        name: What a screen reader calls it.
        value: What it holds.
        states: Its states, e.g. ``checked`` or ``level 2``.
        node: The number of its node in the snapshot, of controls and of what has a number; -1 for others.
    """

    parent: int
    role: str
    name: str
    value: str = ""
    states: tuple[str, ...] = ()
    node: int = -1


@dataclass(frozen=True)
class Snapshot:
    """A page at one moment.

    Attributes:
        title: The document's title.
        view: Width and height of the viewport, how far it is scrolled to the right and down, width and height of the
            page; in CSS pixels.
        nodes: All nodes in document order, so that each parent comes before its children. What is in a shadow tree
            comes before the host's own children.
        lost: Characters that were left out of texts, since the page is larger than the bounds of ``snapshot.js``.
        left: Nodes that were left out for the same reason; controls of the form are the last to go.
        outline: The accessibility tree, where it was asked for (``harness.observe.outline``).
    """

    title: str
    view: tuple[int, int, int, int, int, int]
    nodes: tuple[Node, ...]
    lost: int = 0
    left: int = 0
    outline: tuple[OutlineNode, ...] | None = None

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of each node's children, in document order."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for place, node in enumerate(self.nodes):
            if node.parent >= 0:
                found[node.parent].append(place)
        return tuple(map(tuple, found))

    @cached_property
    def controls(self) -> Mapping[str, tuple[int, ...]]:
        """The nodes of each field's controls, by the field's name, in page order."""
        found: dict[str, list[int]] = {}
        for place, node in enumerate(self.nodes):
            if node.field is not None:
                found.setdefault(node.field, []).append(place)
        return {name: tuple(places) for name, places in found.items()}

    @cached_property
    def visible_fields(self) -> tuple[str, ...]:
        """The names of the fields that a person can see, in page order."""
        return tuple(name for name, places in self.controls.items() if any(self.nodes[place].shown for place in places))

    @property
    def scrolled(self) -> str:
        """How far the page is scrolled down, and how long it is, in screens: ``0 / 9.2``."""
        _, height, _, down, _, whole = self.view
        height = max(height, 1)
        return f"{down / height:.1f} / {whole / height:.1f}" if down else f"0 / {whole / height:.1f}"

    def text_of(self, place: int) -> str:
        """What a person reads in a node, white space as one space.

        Args:
            place: The node's number.
        """
        pieces, open_ = [], [place]
        while open_:
            here = open_.pop()
            node = self.nodes[here]
            if node.type == TEXT and node.shown:
                pieces.append(node.text)
            open_ += reversed(self.children[here])
        return " ".join("".join(pieces).split())

    def digest(self) -> str:
        """A hash of what the page is and holds, wherever it is scrolled to: 64 hexadecimal digits."""
        hashed = hashlib.sha256()
        for node in self.nodes:
            control = node.control
            held = (control.field, control.kind, control.value, control.states) if control else ()
            record = (node.type, node.parent, node.text, node.attributes, bool(node.display), held)
            hashed.update(repr(record).encode("utf-8", "backslashreplace"))
        return hashed.hexdigest()

    def to_json(self) -> dict[str, Any]:
        """A JSON object that ``from_json`` reads back; the nodes are lists, in the order of their attributes."""
        record: dict[str, Any] = {"title": self.title, "view": list(self.view), "lost": self.lost, "left": self.left}
        record["nodes"] = [_written(node) for node in self.nodes]
        if self.outline is not None:
            record["outline"] = [
                [each.parent, each.role, each.name, each.value, list(each.states), each.node] for each in self.outline
            ]
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Snapshot:
        """From what the page tells (``snapshot.js``) or from ``to_json``."""
        outline = record.get("outline")
        return cls(
            title=record["title"],
            view=tuple(record["view"]),
            nodes=tuple(map(_read, record["nodes"])),
            lost=record["lost"],
            left=record["left"],
            outline=None
            if outline is None
            else tuple(
                OutlineNode(parent, role, name, value, tuple(states), node)
                for parent, role, name, value, states, node in outline
            ),
        )


def _read(record: Sequence[Any]) -> Node:
    type_, parent, text, attributes, display, ref, box, control = record
    return Node(
        type_,
        parent,
        text,
        tuple(zip(attributes[::2], attributes[1::2], strict=True)) if attributes else (),
        display,
        ref,
        tuple(box) if box else None,
        Control(control[0], control[1], control[2], tuple(control[3]), tuple(control[4])) if control else None,
    )


def _written(node: Node) -> list[Any]:
    control = node.control
    held = [control.field, control.kind, control.value, [*control.states], [*control.labels]] if control else 0
    pairs = [part for pair in node.attributes for part in pair]
    return [node.type, node.parent, node.text, pairs, node.display, node.ref, list(node.box) if node.box else 0, held]


def take(browser: Browser) -> Snapshot:
    """The page that a browser shows, as it is now; one call to the browser, which changes nothing on the page.

    Elements that can be operated are numbered in page order when they are first seen, and keep their numbers.

    Raises:
        harness.browser.browser.PageFailed: the page cannot be reached.
    """
    # The script defines its functions once a page; sending it along costs less than asking whether it is there.
    expression = f"{in_page_script('snapshot')}\nharness.snapshot.take()"
    channel = browser.channel
    answer = channel.call("Runtime.evaluate", expression=expression, contextId=browser.world_number, returnByValue=True)
    told = value_of(answer)
    if not isinstance(told, str):
        raise PageFailed("the page gave no snapshot")
    return Snapshot.from_json(json.loads(told))

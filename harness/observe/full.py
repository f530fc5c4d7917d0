"""The encoding ``full``: the page's live HTML, as the paper's full HTML (TurkingBench, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from harness.observe.encoding import Encoding, Version
from harness.observe.html import write
from harness.observe.reduce import only, rounds
from harness.observe.snapshot import COMMENT, ELEMENT, TEXT, Snapshot

SILENT = frozenset({"script", "style", "noscript", "template", "link", "meta", "base"})
"""Elements that show nothing."""
TELLING = frozenset(
    [
        "type",
        "name",
        "value",
        "id",
        "for",
        "checked",
        "selected",
        "disabled",
        "readonly",
        "required",
        "multiple",
        "placeholder",
        "title",
        "alt",
        "role",
        "min",
        "max",
        "step",
        "maxlength",
        "pattern",
        "rows",
        "colspan",
        "rowspan",
        "contenteditable",
        "label",
        "open",
        "data-more",
    ]
)
"""Attributes that name an element, say what it takes or hold its state; and those that begin with ``aria-``."""


def versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """The whole page, then what is left of it after each of ``STEPS``, then what is around the fields.

    For the last see ``harness.observe.reduce.rounds``.
    """
    yield Version(write(snapshot).html)
    left_out: tuple[str, ...] = ()
    for words, step in STEPS:
        left_out = (*left_out, words)
        snapshot = step(snapshot)
        yield Version(write(snapshot).html, left_out)
    for more, version in islice(rounds(snapshot, field), 1, None):
        yield Version(write(version).html, (*left_out, *more))


def _without_silent(snapshot: Snapshot) -> Snapshot:
    gone: set[int] = set()
    for place, node in enumerate(snapshot.nodes):
        is_silent = node.type == COMMENT or (node.type == ELEMENT and node.text in SILENT)
        if is_silent or node.parent in gone:
            gone.add(place)
    return only(snapshot, {place for place in range(len(snapshot.nodes)) if place not in gone})


def _without_looks(snapshot: Snapshot) -> Snapshot:
    nodes = []
    for node in snapshot.nodes:
        pairs = tuple((name, value) for name, value in node.attributes if name in TELLING or name.startswith("aria-"))
        text = "\n" if node.type == TEXT and not node.text.strip() and "\n" in node.text else node.text
        is_same = pairs == node.attributes and text == node.text
        nodes.append(node if is_same else replace(node, attributes=pairs, text=text))
    return replace(snapshot, nodes=tuple(nodes))


def _without_unseen(snapshot: Snapshot) -> Snapshot:
    kept: set[int] = set()
    for place in range(len(snapshot.nodes) - 1, -1, -1):
        node = snapshot.nodes[place]
        is_option = node.text in ("option", "optgroup") and node.type == ELEMENT
        in_option = node.type == TEXT and snapshot.nodes[node.parent].text == "option"
        if node.shown or place in kept or is_option or in_option:
            kept.add(place)
            kept.add(node.parent)
    return only(snapshot, kept)


STEPS: tuple[tuple[str, Callable[[Snapshot], Snapshot]], ...] = (
    ("left out scripts, styles and comments", _without_silent),
    ("left out attributes of looks and behaviour", _without_looks),
    ("left out what nobody can see", _without_unseen),
)
FULL = Encoding("full", versions)

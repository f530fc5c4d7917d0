"""A snapshot written as HTML, as the browser itself would write it.

Source: HTML Living Standard, section 13.3, "Serializing HTML fragments".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.observe.snapshot import COMMENT, DOCUMENT, ELEMENT, FRAGMENT, TEXT, Node, Snapshot

VOID = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
RAW = frozenset({"style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript"})
"""Elements whose text is written as it is."""


@dataclass(frozen=True)
class HtmlPart:
    """A part of the page as HTML.

    Attributes:
        html: The text.
        opens: Where in it each element's tag opens.
    """

    html: str
    opens: Mapping[int, int]


def write(snapshot: Snapshot, root: int = 0) -> HtmlPart:
    """An element with all that is in it, as its ``outerHTML``; of any depth.

    Open shadow trees, which ``outerHTML`` leaves out, are written as ``<template shadowrootmode="open">``, and the
    documents of frames as ``<template data-frame="">``.
    """
    nodes = snapshot.nodes
    chunks: list[str] = []
    length = 0
    opens: dict[int, int] = {}
    open_: list[tuple[int, str]] = []  # elements that are not closed yet, and how they close

    def add(chunk: str) -> None:
        nonlocal length
        chunks.append(chunk)
        length += len(chunk)

    for place in range(root, len(nodes)):
        node = nodes[place]
        while open_ and open_[-1][0] != node.parent:
            add(open_.pop()[1])
        if place > root and not open_:
            break  # everything in the root has been written
        if node.type == ELEMENT:
            opens[place] = length
            add(f"<{node.text}{_attributes(node)}>")
            open_.append((place, "" if node.text in VOID else f"</{node.text}>"))
        elif node.type in (FRAGMENT, DOCUMENT):
            in_template = nodes[node.parent].text == "template"
            mode = 'data-frame=""' if node.type == DOCUMENT else 'shadowrootmode="open"'
            add("" if in_template else f"<template {mode}>")
            open_.append((place, "" if in_template else "</template>"))
        elif node.type == TEXT:
            parent = nodes[node.parent]
            add(node.text if parent.text in RAW else escape(node.text))
        elif node.type == COMMENT:
            add(f"<!--{node.text}-->")
    while open_:
        add(open_.pop()[1])
    return HtmlPart("".join(chunks), opens)


def escape(text: str) -> str:
    """A text as it stands between tags."""
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def _attributes(node: Node) -> str:
    return "".join(f' {name}="{quoted(value)}"' for name, value in node.attributes)


def quoted(value: str) -> str:
    """A value as it stands between double quotes; browsers escape angle brackets there, too, since 2025."""
    return escape(value).replace('"', "&quot;")

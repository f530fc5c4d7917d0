"""What an element is called, in a few words: for the record of what was done to it."""

from __future__ import annotations

from harness.kit.text import shorten
from harness.observe.snapshot import Snapshot

LONGEST = 80
"""Characters of what an element says."""
_NAMING = ("aria-label", "alt", "title", "placeholder", "name")


def element_words(snapshot: Snapshot, ref: int) -> str:
    """An element by its role and what it says.

    Args:
        snapshot: In which it has its number.
        ref: The number.

    Returns:
        E.g. ``button 'Add to cart'``; empty if no element has this number there.
    """
    place = next((place for place, node in enumerate(snapshot.nodes) if node.ref == ref and ref), None)
    if place is None:
        return ""
    node = snapshot.nodes[place]
    role = node.get("role") or (node.control.kind if node.control else "") or {"a": "link"}.get(node.text, node.text)
    said = snapshot.text_of(place) if role != "select" else ""
    labels = node.control.labels if node.control else ()
    told = [said, *(snapshot.text_of(each) for each in labels), *(node.get(name) for name in _NAMING)]
    if node.control and node.control.kind == "button":
        told.append(node.control.value)
    name = next((" ".join(each.split()) for each in told if each and each.strip()), "")
    return f"{role} {shorten(name, LONGEST)!r}" if name else role

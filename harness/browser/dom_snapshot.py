"""A page as the browser has it at a moment: all nodes with their boxes and styles, in one look."""

from __future__ import annotations

from typing import Any

from harness.browser.live_page import LivePage, call_of

STYLES = ("visibility", "cursor")
"""The computed styles that a snapshot has of each node that is rendered, in this order."""
FOCUSED = "document.activeElement"


def dom_snapshot(page: LivePage) -> dict[str, Any]:
    """All documents of a page that its process holds, as ``DOMSnapshot.captureSnapshot`` gives them.

    Frames of another site have a process of their own and are not among them. It takes some milliseconds and leaves
    the page as it is.

    Args:
        page: The page.
    """
    taken: dict[str, Any] = page.channel.call("DOMSnapshot.captureSnapshot", computedStyles=list(STYLES))
    return taken


def node_of(page: LivePage, number: int | None) -> int:
    """By what a snapshot names an element: its ``backendNodeId``.

    Args:
        page: The page.
        number: Of the element in the last observation; None for what has the focus.

    Returns:
        The id; 0 if there is no such element.
    """
    expression = FOCUSED if number is None else call_of("pressables.element", [number])
    found = page.remote(expression)
    if "objectId" not in found:
        return 0
    described = page.channel.call("DOM.describeNode", objectId=found["objectId"])
    page.channel.post("Runtime.releaseObject", objectId=found["objectId"])
    return int(described["node"]["backendNodeId"])


def as_mhtml(page: LivePage) -> bytes:
    """A page with all that it shows as one file, which browsers open (MHTML)."""
    return str(page.channel.call("Page.captureSnapshot", format="mhtml")["data"]).encode("utf-8", "surrogatepass")

"""A closer look at the open page: where its scripts listen, and all of its nodes with boxes and styles."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from harness.browser.browser import Browser, KnownNodes, function_of
from harness.browser.channel import CommandFailed
from harness.browser.live_page import LivePage, call_of

MOST_ELEMENTS = 400
"""Elements that are told of, in page order; a page that listens on each of its words has more."""


def load(browser: Browser, script: str) -> None:
    """Add a script to the in-page library of the open page.

    Args:
        browser: With the page open.
        script: Its text.
    """
    browser.channel.call("Runtime.evaluate", expression=script, contextId=browser.world_number)


def find_listeners(browser: Browser, types: Collection[str], tell: str = "pressables.listen") -> None:
    """Tell the in-page library which elements have a listener for one of the event ``types``.

    An element that the page still has from an earlier call is not fetched again: the in-page library keeps them by
    number (``page.nodes`` in ``hooks.js``).

    Args:
        browser: With the page open.
        types: Of events.
        tell: The function of the in-page library that is called with the elements.

    Raises:
        ValueError: ``tell`` names no function.
    """
    channel = browser.channel
    known = browser.page.known_nodes
    if known is None:
        # Asked in the page's own world: with "pierce", which asks all worlds, Chromium 156 crashes at a later page.
        document = channel.call("Runtime.evaluate", expression="document")["result"]["objectId"]
        known = browser.page.known_nodes = KnownNodes(document, browser.world_number)
    found = channel.call("DOMDebugger.getEventListeners", objectId=known.document, depth=-1)["listeners"]
    nodes = dict.fromkeys(each["backendNodeId"] for each in found if each["type"] in types and "backendNodeId" in each)
    listening = list(nodes)[:MOST_ELEMENTS]
    fresh = [node for node in listening if node not in known.numbers]
    numbers = [channel.send("DOM.resolveNode", backendNodeId=node, executionContextId=known.world) for node in fresh]
    objects = []
    for node, number in zip(fresh, numbers, strict=True):
        try:
            objects.append((node, channel.results([number])[0]["object"]["objectId"]))
        except CommandFailed:  # it left the page meanwhile
            continue
    channel.call(
        "Runtime.callFunctionOn",
        functionDeclaration=(
            f"(all, numbers, ...found) => {function_of(tell)}(...harness.page.nodes(all, numbers, found))"
        ),
        executionContextId=known.world,
        arguments=[
            {"value": listening},
            {"value": [node for node, _ in objects]},
            *({"objectId": each} for _, each in objects),
        ],
    )
    known.numbers.update(node for node, _ in objects)


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

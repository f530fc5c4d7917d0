"""The accessibility tree of the open page, as the browser tells it to a screen reader.

Protocol: https://chromedevtools.github.io/devtools-protocol/tot/Accessibility/#method-getFullAXTree
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.browser.browser import Browser
from harness.observe.snapshot import OutlineNode, Snapshot

MOST_NODES = 60_000
SKIPPED = frozenset({"InlineTextBox", "ListMarker", "LineBreak"})
"""Roles that tell nothing which the node above does not."""
LIFTED = frozenset(
    {
        "none",
        "generic",
        "LabelText",
        "LayoutTable",
        "LayoutTableRow",
        "LayoutTableCell",
        "Section",
        "rowgroup",
        "SvgRoot",
    }
)
"""Roles of wrappers: without a name of their own they are merged into what they hold."""
ALWAYS_LIFTED = frozenset({"Legend", "Caption", "MenuListPopup", "Iframe", "IframePresentational"})
"""Roles of wrappers whose name, if any, is that of the node above."""
STATES = (
    "checked",
    "pressed",
    "expanded",
    "selected",
    "disabled",
    "readonly",
    "required",
    "multiselectable",
    "focused",
)


def with_outline(browser: Browser, snapshot: Snapshot) -> Snapshot:
    """The snapshot with the page's accessibility tree; to be called right after it was taken.

    Three calls to the browser, and one message in a fourth for each control and each numbered element, since the tree
    names elements in a way that only the debugger can resolve.
    """
    channel = browser.channel
    told = channel.call("Accessibility.getFullAXTree")["nodes"]
    world = {"contextId": browser.world_number}
    group = "harness-observed"
    found = channel.call("Runtime.evaluate", expression="harness.snapshot.elements()", objectGroup=group, **world)[
        "result"
    ]
    owned = channel.call("Runtime.getProperties", objectId=found["objectId"], ownProperties=True)["result"]
    objects = [each["value"]["objectId"] for each in owned if each["name"].isdigit()]
    numbers = [channel.send("DOM.describeNode", objectId=each) for each in objects]
    numbers.append(channel.send("Runtime.releaseObjectGroup", objectGroup=group))
    places = browser.run("snapshot.places")
    described = channel.results(numbers)[:-1]
    known = {
        answer["node"]["backendNodeId"]: place
        for answer, place in zip(described, places, strict=False)
        if place < len(snapshot.nodes) and snapshot.nodes[place].shown
    }
    return replace(snapshot, outline=_merged(_outline(told, known, snapshot)))


def _outline(told: Sequence[Mapping[str, Any]], known: Mapping[int, int], snapshot: Snapshot) -> list[OutlineNode]:
    """The tree without wrappers and without texts that the node above has for its name, in page order."""
    by_id = {each["nodeId"]: each for each in told[:MOST_NODES]}
    roots = [each for each in told if each.get("parentId") not in by_id][:1]
    made: list[OutlineNode] = []
    open_ = [(root, -1) for root in roots]
    while open_:
        each, parent = open_.pop()
        node = _node(each, parent, known)
        if _is_told(each, node, made, snapshot):
            made.append(node)
            parent = len(made) - 1
        # What is inside of an input (the parts of a date) no action can address.
        if node.role not in SKIPPED and (node.node < 0 or snapshot.nodes[node.node].text != "input"):
            below = (by_id.get(id_) for id_ in reversed(each.get("childIds", ())))
            open_.extend((child, parent) for child in below if child is not None)
    return made


def _merged(outline: Sequence[OutlineNode]) -> tuple[OutlineNode, ...]:
    """The tree with each text that stands alone in a node without a name made that node's name."""
    below = Counter(each.parent for each in outline)
    made: list[OutlineNode] = []
    places: list[int] = []
    for each in outline:
        parent = places[each.parent] if each.parent >= 0 else -1
        alone = each.role == "StaticText" and parent >= 0 and below[each.parent] == 1 and not made[parent].name
        if alone:
            made[parent] = replace(made[parent], name=each.name)
            places.append(parent)
        else:
            places.append(len(made))
            made.append(replace(each, parent=parent))
    return tuple(made)


def _is_told(each: Mapping[str, Any], node: OutlineNode, made: Sequence[OutlineNode], snapshot: Snapshot) -> bool:
    if node.role in SKIPPED:
        return False
    if node.node >= 0:
        # Of a control that the tree leaves out it does not tell the role.
        return not (each.get("ignored") and snapshot.nodes[node.node].field)
    if each.get("ignored") or node.role in ALWAYS_LIFTED or (node.role in LIFTED and not node.name):
        return False
    if node.role == "StaticText":
        return bool(node.name) and not (node.parent >= 0 and made[node.parent].name == node.name)
    return True


def _node(each: Mapping[str, Any], parent: int, known: Mapping[int, int]) -> OutlineNode:
    role = str(each.get("role", {}).get("value", "none"))
    return OutlineNode(
        parent,
        role,
        _words(each.get("name")),
        _words(each.get("value")),
        () if role == "RootWebArea" else tuple(_states(role, each.get("properties", ()))),
        known.get(each.get("backendDOMNodeId", -1), -1),
    )


def _words(value: Mapping[str, Any] | None) -> str:
    return " ".join(str(value.get("value", "")).split()) if value else ""


def _states(role: str, properties: Sequence[Mapping[str, Any]]) -> list[str]:
    held = {each["name"]: each["value"].get("value") for each in properties}
    found = []
    for name in STATES:
        value = held.get(name)
        if value in (True, "true"):
            found.append(name)
        elif name == "expanded" and value is False:
            found.append("collapsed")
        elif value == "mixed":
            found.append("mixed")
    if (level := held.get("level")) and role == "heading":
        found.append(f"level {level}")
    return found

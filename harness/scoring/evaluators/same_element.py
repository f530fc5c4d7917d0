"""Whether acting on one element of a page is acting on another."""

from __future__ import annotations

from lxml import etree

PASSIVE = frozenset({"span", "h1", "h2", "h3", "h4", "h5", "h6", "div", "li", "ul", "p"})
"""Tags of what does nothing by itself: whoever presses it means what it stands in."""
MOST_ABOVE = 3
"""How far above an element that is."""
_CLICKABLE_TAGS = frozenset({"a", "area", "button", "input", "label", "option", "select", "summary", "textarea"})
_CLICKABLE_ROLES = frozenset(
    {"button", "checkbox", "combobox", "gridcell", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option"}
    | {"radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem"}
)


def is_clickable(element: etree._Element) -> bool:
    """Whether the page says that an element is to be pressed, written in or chosen."""
    role = element.get("role", "").lower().split()
    return (
        element.tag in _CLICKABLE_TAGS
        or "onclick" in element.attrib
        or bool(role and role[0] in _CLICKABLE_ROLES)
        or element.get("contenteditable", "false").lower() in ("", "true", "plaintext-only")
    )


def is_same(reference: etree._Element, acted: etree._Element) -> bool:
    """Whether who acted on ``acted`` did what a node with ``reference`` asks for.

    They are the same element; or one of them stands in the other, in nothing else that can be pressed, at most
    ``MOST_ABOVE`` above it; or both stand in the same thing that can be pressed. A reference is looked for above itself
    only if it is ``PASSIVE``. An event tells the innermost element under the pointer, whatever that is, and is handed
    on to all above.

    Args:
        reference: What the node names.
        acted: What the event reached, in the same tree.
    """
    meant = [reference, *(_above(reference) if reference.tag in PASSIVE else ())]
    reached = [acted, *_above(_out_of_drawing(acted))]
    if acted in meant or reference in reached or _out_of_drawing(acted) is reference:
        return True
    return meant[-1] is reached[-1] and is_clickable(meant[-1])


def _above(element: etree._Element) -> list[etree._Element]:
    """What an element stands in, from the inside out, up to the first that can be pressed."""
    above: list[etree._Element] = []
    while not is_clickable(element) and len(above) < MOST_ABOVE:
        parent = element.getparent()
        if parent is None:
            break
        above.append(parent)
        element = parent
    return above


def _out_of_drawing(element: etree._Element) -> etree._Element:
    """The drawing that an element is a line of, or the element itself."""
    drawings = list(element.iterancestors("svg"))
    return drawings[-1] if drawings else element

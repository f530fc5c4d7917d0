"""A page with what is seen and what means something alone, as Mind2Web hands pages to models.

The paper keeps elements "that are visible and carry substantial semantic meaning, as determined by their attributes,
textual content, and neighboring elements" (Deng et al. 2023, section 4.2) and does not print its rules. These are ours.
"""

from __future__ import annotations

import copy

from lxml import etree

from harness.demonstrations.acceptable import is_clickable
from harness.demonstrations.page_html import ID, is_shown

# fmt: off
MEANING = frozenset({
    "alt", "checked", "disabled", "for", "href", "input_checked", "input_value", "label", "name", "option_selected",
    "placeholder", "role", "selected", "text_value", "title", "type", "value",
})
# fmt: on
"""The attributes that stay, and those whose names begin with ``aria-``."""
_TELLING = frozenset({"alt", "title", "placeholder", "aria-label", "aria-description", "label", "value"})
"""Of these the ones for whose sake an element without text stays."""
_NEIGHBOURS = 2


def cleaned(page: etree._Element) -> etree._Element:
    """A copy of a page with the elements that are visible and mean something.

    An element stays if it is shown and has text of its own, an attribute that tells something, can be pressed, or holds
    two elements or more that stay. The children of others stand in their place, and so does their text if it is shown.

    Args:
        page: The root of a page; its elements' boxes say which are shown.
    """
    tree = copy.deepcopy(page)
    # Backwards in the order of the document each element comes after all that it holds.
    for element in reversed(list(tree.iter(etree.Element))):
        shown = is_shown(element)
        if not shown:
            element.text = None
            for child in element:
                child.tail = None
        is_root = element is tree or (element.tag == "body" and element.getparent() is tree)
        if is_root or (shown and _means_something(element)):
            _strip(element)
        else:
            _hoist(element)
    return tree


def _means_something(element: etree._Element) -> bool:
    return (
        is_clickable(element)
        or len(element) >= _NEIGHBOURS
        or _has_text(element)
        or any(element.get(name, "").strip() for name in _TELLING)
    )


def _has_text(element: etree._Element) -> bool:
    return bool((element.text or "").strip() or any((child.tail or "").strip() for child in element))


def _strip(element: etree._Element) -> None:
    """Take away attributes that say nothing, and white space beyond single spaces."""
    for name in element.attrib:
        if name != ID and name not in MEANING and not str(name).startswith("aria-"):
            del element.attrib[name]
    element.text = _spaced(element.text)
    for child in element:
        child.tail = _spaced(child.tail)


def _spaced(text: str | None) -> str | None:
    if not text or not text.strip():
        return None
    return (" " if text[0].isspace() else "") + " ".join(text.split()) + (" " if text[-1].isspace() else "")


def _hoist(element: etree._Element) -> None:
    """Put what an element holds in its place."""
    parent = element.getparent()
    if parent is None:
        return
    before, tail = element.getprevious(), element.tail
    _add_text(parent, before, element.text)
    for child in list(element):
        element.addprevious(child)
        before = child
    _add_text(parent, before, tail)
    element.tail = None
    parent.remove(element)


def _add_text(parent: etree._Element, before: etree._Element | None, text: str | None) -> None:
    """Add text behind an element, or where there is none at the beginning of its parent."""
    if not text:
        return
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text

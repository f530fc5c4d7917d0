"""The page as it was when an event came: the recorded tree as elements in which paths can be resolved."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from harness.catalog.site_facts import PathMethod

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


_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CSS = HTMLTranslator()


class UnreadableTree(ValueError):
    """What was recorded is no tree of a page; says why."""


class WrongPath(ValueError):
    """A path of a task that is no CSS selector, or no XPath of elements; says which."""


class PageTree:
    """The elements of a page.

    Attributes:
        root: The document's own element.
    """

    def __init__(self, root: etree._Element) -> None:
        self.root = root
        self._found: dict[tuple[str, PathMethod], etree._Element | None] = {}

    @classmethod
    def read(cls, text: str) -> PageTree:
        """The tree that was recorded.

        Args:
            text: JSON: ``[tag, {attribute: value}, [child or text, ...]]``.

        Raises:
            UnreadableTree: it is none.
        """
        try:
            data = json.loads(text)
        except ValueError as error:
            raise UnreadableTree(f"no JSON: {error}") from error
        except RecursionError as error:
            raise UnreadableTree("it is nested too deep") from error
        return cls(_built(data))

    def at(self, place: Sequence[int]) -> etree._Element | None:
        """The element at a place: which child of which child it is, from ``root`` down; None if there is none."""
        element = self.root
        for number in place:
            if not 0 <= number < len(element):
                return None
            element = element[number]
        return element

    def place_of(self, element: etree._Element) -> tuple[int, ...]:
        """The place of an element of this tree."""
        place: list[int] = []
        while (parent := element.getparent()) is not None:
            place.append(parent.index(element))
            element = parent
        return tuple(reversed(place))

    def find(self, path: str, method: PathMethod) -> etree._Element | None:
        """The first element that a path finds; None if it finds none.

        Args:
            path: A CSS selector or an XPath.
            method: Which of them it is.

        Raises:
            WrongPath: it cannot be read.
        """
        if (path, method) not in self._found:
            self._found[path, method] = next(iter(self.all(path, method)), None)
        return self._found[path, method]

    def all(self, path: str, method: PathMethod) -> list[etree._Element]:
        """All elements that a path finds, in the order of the page.

        Args:
            path: A CSS selector or an XPath.
            method: Which of them it is.

        Raises:
            WrongPath: it cannot be read.
        """
        query = _xpath_of(path) if method == "css" else path
        try:
            found: Any = self.root.getroottree().xpath(query)
        except (etree.XPathError, ValueError) as error:  # no selector, or one with what no page can hold
            raise WrongPath(f"{path!r} is no path that can be resolved: {error}") from error
        if not isinstance(found, list):
            raise WrongPath(f"{path!r} is a path of no elements")
        return [each for each in found if isinstance(each, etree._Element)]


@lru_cache(maxsize=512)
def _xpath_of(css: str) -> str:
    try:
        return _CSS.css_to_xpath(css.strip())
    except SelectorError as error:
        raise WrongPath(f"{css!r} is no CSS selector that can be resolved: {error}") from error


def _built(data: Any) -> etree._Element:
    """The elements of a tree, made without recursion: pages may be deeper than Python's stack."""
    root = _element(data)
    below = [(root, data[2])]
    while below:
        element, children = below.pop()
        last: etree._Element | None = None
        for child in children:
            if isinstance(child, str):
                _add_text(element, last, _NO_XML.sub("\ufffd", child))
                continue
            last = _element(child)
            element.append(last)
            below.append((last, child[2]))
    return root


def _element(data: Any) -> etree._Element:
    match data:
        case [str() as tag, dict() as attributes, list()]:
            pass
        case _:
            raise UnreadableTree(f"no element: {json.dumps(data)[:60]}")
    element = etree.Element(tag_in_tree(tag))
    for name, value in attributes.items():
        # Frameworks leave attributes such as "@click" there, which no selector can ask for.
        if name == _name(name):
            element.set(name, _NO_XML.sub("\ufffd", str(value)))
    return element


def tag_in_tree(tag: str) -> str:
    """The tag that an element has in a tree: in small letters, and without what names in XML do not have."""
    return _name(tag.lower())


@lru_cache(maxsize=2048)
def _name(name: str) -> str:
    """A name as XML allows it."""
    clean = _NO_NAME.sub("_", name)
    return clean if clean and (clean[0].isalpha() or clean[0] == "_") else f"_{clean}"


def _add_text(element: etree._Element, last: etree._Element | None, text: str) -> None:
    if last is None:
        element.text = (element.text or "") + text
    else:
        last.tail = (last.tail or "") + text

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

"""CSS selectors of elements of a recorded tree: short ones that last, and as much as can be of what was there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from lxml import etree

from harness.scoring.evaluators.page_tree import PageTree, WrongPath
from harness.sites.maintenance.element_words import xpath_of

_COMBINATORS = frozenset(" >+~")
_QUOTES = frozenset("'\"")
_TELLING = ("name", "href", "aria-label", "placeholder", "title")
"""Attributes that tell an element from others, those first that change least."""
_LONGEST_VALUE = 200
_NAME = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*")


def compounds(css: str) -> list[str]:
    """The parts of a selector that each say something of one element, from the outermost in.

    Args:
        css: E.g. ``#results > li:has(a) button``, which gives ``#results``, ``li:has(a)`` and ``button``.
    """
    found, part, depth, quote = [], "", 0, ""
    for sign in css.strip():
        if quote:
            quote = "" if sign == quote else quote
        elif sign in _QUOTES:
            quote = sign
        elif sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif not depth and (sign in _COMBINATORS or sign.isspace()):
            if part:
                found.append(part)
            part = ""
            continue
        part += sign
    return [*found, part] if part else found


def containers_in(css: str) -> list[str]:
    """Selectors, each by itself, of what a selector wants its element to stand in or beside."""
    return compounds(css)[:-1]


def selector_for(tree: PageTree, element: etree._Element, was: str = "") -> str:
    """A selector that finds an element of a page, and nothing else.

    Args:
        tree: The page.
        element: One of its elements.
        was: The selector that found it before; what of that still holds is kept.
    """

    def finds(css: str) -> bool:
        try:
            return tree.all(css, "css") == [element]
        except WrongPath:
            return False

    return next(filter(finds, _possible(tree, element, was)), None) or _by_place(element)


def _possible(tree: PageTree, element: etree._Element, was: str) -> Iterator[str]:
    """Selectors that may find an element alone, those that last longest first."""
    # What was written by hand holds for other data, too, as long as it holds at all.
    parts = compounds(was)
    own = list(_own(element))
    if parts and "." in parts[-1] and "[" not in parts[-1]:
        # Who took a class has not taken what the data say.
        own.sort(key=lambda css: "[" in css)
    yield from ([was] if was else [])
    yield from (css for css in own if css.startswith("#"))
    holding = [part for part in parts[:-1] if _holds(tree, part, element)]
    for part in chain(parts[-1:], own):
        yield " ".join([*holding, part])
        yield part
    for above in element.iterancestors():
        for container in _own(above):
            if container != str(above.tag):
                yield from (f"{container} {css}" for css in own)


def _holds(tree: PageTree, part: str, element: etree._Element) -> bool:
    """Whether an element stands in what a part of a selector finds."""
    try:
        return not {*element.iterancestors()}.isdisjoint(tree.all(part, "css"))
    except WrongPath:
        return False


def _own(element: etree._Element) -> Iterator[str]:
    """What can be said of an element by itself, the most telling first."""
    tag = str(element.tag)
    if ident := element.get("id"):
        yield f"#{ident}" if _NAME.fullmatch(ident) else f"[id={_quoted(ident)}]"
    for name in (*_TELLING, *(each for each in element.attrib if str(each).startswith("data-"))):
        value = element.get(name)
        if not value or len(value) > _LONGEST_VALUE:
            continue
        said = f"{tag}[{name}={_quoted(value)}]"
        yield said
        if name == "name" and "value" in element.attrib:
            yield f"{said}[value={_quoted(element.get('value', ''))}]"
    for each in element.get("class", "").split():
        if _NAME.fullmatch(each):
            yield f"{tag}.{each}"
    if element.get("type"):
        yield f"{tag}[type={_quoted(element.get('type', ''))}]"
    yield tag


def _by_place(element: etree._Element) -> str:
    """A selector by the way down to an element."""
    steps = [step.removesuffix("]").partition("[") for step in xpath_of(element).split("/")[1:]]
    return " > ".join([steps[0][0], *(f"{tag}:nth-of-type({place})" for tag, _, place in steps[1:])])


def _quoted(text: str) -> str:
    """A text as a string of CSS."""
    return '"' + re.sub(r'["\\\n\r\f]', lambda sign: f"\\{ord(sign[0]):x} ", text) + '"'

"""A demonstration's page as a tree of elements, and back: text that is at once XML and HTML.

Mind2Web's own readers parse pages as XML. What a page of the web holds that XML cannot is left out: control characters,
and attributes with names such as ``@click``.
"""

from __future__ import annotations

import re

from lxml import etree

ID = "backend_node_id"
"""The attribute by which an element is named, in pages and candidates alike."""
BOX = "bounding_box_rect"
"""The attribute with left, top, width and height in CSS pixels of the document: ``110,607.5,264,78``."""
NOT_SHOWN = "-1,-1,-1,-1"
"""The box of an element that is not shown."""
EMPTY_TAGS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class UnreadablePage(ValueError):
    """A page's HTML holds no element."""


def parsed(html: str) -> etree._Element:
    """The root element of a page.

    Args:
        html: As XML, which Mind2Web's pages are, or else as HTML. It is data: nothing in it is fetched or expanded.

    Raises:
        UnreadablePage: it holds no element.
    """
    data = _NOT_IN_XML.sub("", html).encode()
    strict = etree.XMLParser(
        resolve_entities=False, huge_tree=True, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, strict)
    except etree.XMLSyntaxError:
        pass
    lenient = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True)
    try:
        tree: etree._Element | None = etree.fromstring(data, lenient)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise UnreadablePage(f"it holds no element ({error})") from error
    if tree is None:
        raise UnreadablePage("it holds no element")
    return tree


def serialised(tree: etree._Element) -> str:
    """The text of a page, which ``parsed`` reads; elements that can hold something are closed by a tag of their own."""
    for element in tree.iter(etree.Element):
        if element.text is None and not len(element) and element.tag not in EMPTY_TAGS:
            element.text = ""
    return str(etree.tostring(tree, encoding="unicode", with_tail=False))


def fitting(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _NOT_IN_XML.sub("", text)


def fits(name: str) -> bool:
    """Whether XML can hold an attribute or tag of a name."""
    return _NAME.fullmatch(name) is not None


def box_of(element: etree._Element) -> tuple[float, float, float, float] | None:
    """Left, top, width and height of an element; None if its page does not say, or it is not shown."""
    try:
        left, top, width, height = map(float, element.get(BOX, "").split(","))
    except ValueError:
        return None
    return (left, top, width, height) if width >= 0 and height >= 0 else None


def is_shown(element: etree._Element) -> bool:
    """Whether an element takes room on its page; where the page has no boxes, whether it is of a kind that does.

    Options of a drop-down list take none, and are shown if their list is.
    """
    if element.tag in {"option", "optgroup"}:
        above = element.getparent()
        return above is not None and is_shown(above)
    if element.get(BOX) is None:
        return element.tag not in {"head", "script", "style", "meta", "link", "title", "noscript", "template", "base"}
    box = box_of(element)
    return box is not None and box[2] > 0 and box[3] > 0

"""A demonstration's page as text that is at once XML and HTML; ``page_tree`` reads it.

What a page of the web holds that XML cannot is left out: control characters, and attributes with names such as
``@click``.
"""

from __future__ import annotations

import re

from lxml import etree

from harness.papers.mind2web.demonstrations.page_tree import NOT_IN_XML

NOT_SHOWN = "-1,-1,-1,-1"
"""The box of an element that is not rendered."""
EMPTY_TAGS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def serialised(tree: etree._Element) -> str:
    """The text of a page; elements that can hold something are closed by a tag of their own."""
    for element in tree.iter(etree.Element):
        if element.text is None and not len(element) and element.tag not in EMPTY_TAGS:
            element.text = ""
    return str(etree.tostring(tree, encoding="unicode", with_tail=False))


def fitting(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return NOT_IN_XML.sub("", text)


def fits(name: str) -> bool:
    """Whether XML can hold an attribute or tag of a name."""
    return _NAME.fullmatch(name) is not None

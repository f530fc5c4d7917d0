"""Pages as trees, and marks of their elements, for tests."""

from __future__ import annotations

from lxml import etree, html

from harness.catalog.trace import ElementMark
from harness.scoring.evaluators.page_tree import PageTree
from harness.sites.maintenance.element_words import mark_of


def tree_of(body: str) -> PageTree:
    """The tree of a page."""
    return PageTree(html.document_fromstring(f"<html><head><title>Page</title></head><body>{body}</body></html>"))


def element_in(tree: PageTree, css: str) -> etree._Element:
    """The one element that a selector finds."""
    found = tree.all(css, "css")
    assert len(found) == 1, f"{css} finds {len(found)} elements"
    return found[0]


def recorded(body: str, css: str) -> ElementMark:
    """By what a recording would have known an element."""
    return mark_of(element_in(tree_of(body), css), css)

"""A step's page as a tree in which elements are found by their ids, and what of an element means something."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from lxml import etree, html

from harness.kit.text import shorten

ID = "backend_node_id"
"""The attribute by which the page's HTML names elements."""
TEXT_TAG = "text"
"""What stands for a text in cleaned pages of Mind2Web: an element of this tag around it."""
SALIENT = (
    "role",
    "type",
    "name",
    "aria-label",
    "aria-description",
    "label",
    "title",
    "alt",
    "placeholder",
    "value",
    "input-value",
    "text-value",
    "input-checked",
    "checked",
    "option-selected",
    "selected",
)
"""Attributes that say what an element is or holds, in the order in which they are shown; with - or _ in the name."""
LONGEST_ATTRIBUTE = 60
"""Characters."""
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "meta", "link"})


class UnreadableStepPage(ValueError):
    """A page's HTML holds nothing that could be read; says why."""


class MarkedPage:
    """A page whose elements have ids.

    Attributes:
        root: Its outermost element.
    """

    def __init__(self, text: str) -> None:
        """Read a page.

        Args:
            text: Its HTML. It is a stranger's: nothing of it is run or fetched.

        Raises:
            UnreadableStepPage: it holds no element.
        """
        parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
        try:
            # As bytes, since a page that tells its encoding is refused as a text.
            root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
        except (etree.ParserError, ValueError) as error:
            raise UnreadableStepPage(f"the page cannot be read: {error}") from error
        etree.strip_elements(root, *_UNSEEN, with_tail=False)
        self.root: etree._Element = root

    @cached_property
    def by_id(self) -> dict[str, etree._Element]:
        """The elements that have an id, by it, in the order of the page; of several with one id the first."""
        found: dict[str, etree._Element] = {}
        for element in self.root.iter(etree.Element):
            if name := element.get(ID):
                found.setdefault(name, element)
        return found

    @cached_property
    def labels(self) -> dict[str, str]:
        """The texts of labels, by the ``id`` of the control that each is for."""
        return {each.get("for", ""): text_of(each) for each in self.root.iter("label") if each.get("for")}

    def label_of(self, element: etree._Element) -> str:
        """The text of the label that names an element as what it is for; empty if none does."""
        return self.labels.get(element.get("id") or "", "")


def text_of(element: etree._Element) -> str:
    """All text in an element, white space as one space; so is the end of an element, as between two links."""
    return " ".join(" ".join(element.itertext()).split())


def own_text(element: etree._Element) -> str:
    """The text that is in an element itself, and in no element in it but those that stand for texts."""
    parts = [element.text or ""]
    for child in element:
        if tag_of(child) == TEXT_TAG:
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return " ".join(" ".join(parts).split())


def tag_of(element: etree._Element) -> str:
    """The tag in small letters; empty for what is no element."""
    return element.tag.lower() if isinstance(element.tag, str) else ""


def salient(element: etree._Element, among: Collection[str] = SALIENT) -> Iterator[tuple[str, str]]:
    """The attributes of an element that mean something, with their values, in the order of ``SALIENT``.

    Args:
        element: The element.
        among: Which are wanted.
    """
    values = {str(name).lower().replace("_", "-"): str(value) for name, value in element.attrib.items()}
    for name in SALIENT:
        if name in among and name in values:
            told = " ".join(values[name].split())
            # "checked" and its like say all by being there.
            yield name, shorten(told or name, LONGEST_ATTRIBUTE)

"""A page with what is seen and what means something alone: what is shown to models.

The paper keeps elements "that are visible and carry substantial semantic meaning, as determined by their attributes,
textual content, and neighboring elements" (Deng et al. 2023, section 4.2) and does not print its rules; these are ours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from html import escape

from lxml import etree

from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.page_tree import (
    NOT_IN_XML,
    TEXT_TAG,
    WHOLE_PAGE,
    is_clickable,
    page_tree,
    seen_elements,
    tag_of,
)

MEANINGFUL = frozenset(
    {
        "role",
        "type",
        "name",
        "label",
        "title",
        "alt",
        "placeholder",
        "value",
        "for",
        "checked",
        "selected",
        "disabled",
        "readonly",
        "required",
        "input-value",
        "text-value",
        "input-checked",
        "option-selected",
    }
)
"""The attributes that stay, with - or _ in their names, as do those that begin with ``aria-``."""
_TELLING = frozenset({"alt", "title", "placeholder", "label", "aria-label", "aria-description"})
"""For whose sake an element stays that has neither text nor use."""
_IDLE_ROLES = frozenset({"", "none", "presentation"})
_STATES = frozenset({"checked", "selected", "disabled", "readonly", "required"})
"""They say all by being there."""
_LABELLED = frozenset({"input", "select", "textarea"})
_EMPTY_TAGS = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"})
_WITHIN_WORDS = "wbr"
_NEIGHBOURS = 2
_SPACES = re.compile(" {2,}")
_ODD_IN_NAME = re.compile(r"[^A-Za-z0-9_.-]")


def cleaned(raw_html: str) -> str:
    """A page with the elements that are seen and mean something; the time is linear in its length.

    Args:
        raw_html: The page, with ids and boxes (``page_tree``).

    Returns:
        Text that is XML and HTML at once. What an element that is left out holds stands in its place. Elements have
        their ids and those attributes that mean something; white space is single spaces.

    Raises:
        harness.papers.mind2web.demonstrations.page_tree.UnreadablePage: it holds no element.
    """
    root = page_tree(raw_html)
    seen = seen_elements(root)
    kept = frozenset(kept_elements(root, seen))
    text = NOT_IN_XML.sub("", "".join(_written(root, kept, seen)))
    return _SPACES.sub(" ", text).strip()


def kept_elements(root: etree._Element, seen: Collection[etree._Element]) -> list[etree._Element]:
    """The elements of a page that are left by cleaning, in the order of the document.

    These are the page as a whole, and of what is seen whatever can be pressed or written into, has text of its own, has
    an attribute or a role that tells something, or holds two or more that are left, side by side.

    Args:
        root: The page's outermost element.
        seen: Those that are seen.
    """
    kept = []
    # Of each element how many it holds that are left, not counting those within one another.
    within: dict[etree._Element, int] = {}
    for element in reversed(list(root.iter(etree.Element))):
        held = within.pop(element, 0)
        parent = element.getparent()
        stays = parent is None or tag_of(element) in WHOLE_PAGE
        if stays or (element in seen and (held >= _NEIGHBOURS or _means_something(element))):
            kept.append(element)
            held = 1
        if parent is not None:
            within[parent] = within.get(parent, 0) + held
    return kept[::-1]


def plain_name(attribute: str) -> str:
    """The name of an attribute as HTML has it: Mind2Web writes ``aria_label`` for ``aria-label``."""
    return attribute.lower().replace("_", "-")


def is_meaningful(attribute: str) -> bool:
    """Whether an attribute says something of what its element is, is called or holds."""
    name = plain_name(attribute)
    return name in MEANINGFUL or name.startswith("aria-")


def _means_something(element: etree._Element) -> bool:
    return (
        is_clickable(element)
        or _has_text(element)
        or element.get("role", "").strip().lower() not in _IDLE_ROLES
        or any(plain_name(str(name)) in _TELLING and str(value).strip() for name, value in element.attrib.items())
    )


def _has_text(element: etree._Element) -> bool:
    if (element.text or "").strip():
        return True
    return any((child.tail or "").strip() or tag_of(child) == TEXT_TAG for child in element)


def _written(root: etree._Element, kept: Collection[etree._Element], seen: Collection[etree._Element]) -> Iterator[str]:
    """The page in pieces."""
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            yield _opening(element) if element in kept else _gap(element)
            yield _spaced(element.text) if element in seen else ""
        else:
            yield _closing(element) if element in kept else _gap(element)
            yield _spaced(element.tail) if element.getparent() in seen else ""


def _gap(element: etree._Element) -> str:
    """What keeps the words on both sides of an element apart that is left out."""
    return "" if tag_of(element) == _WITHIN_WORDS else " "


def _opening(element: etree._Element) -> str:
    tag = _name(element)
    said = "".join(f' {name}="{escape(value)}"' for name, value in _attributes(element, tag))
    return f"<{tag}{said}/>" if tag in _EMPTY_TAGS else f"<{tag}{said}>"


def _closing(element: etree._Element) -> str:
    tag = _name(element)
    return "" if tag in _EMPTY_TAGS else f"</{tag}>"


def _name(element: etree._Element) -> str:
    tag = _ODD_IN_NAME.sub("_", tag_of(element))
    return tag if tag[:1].isalpha() else f"x{tag}"


def _attributes(element: etree._Element, tag: str) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        key, said = str(name), " ".join(str(value).split())
        if _stays(key, tag) and (said or key.lower() in _STATES):
            yield key, said


def _stays(attribute: str, tag: str) -> bool:
    if attribute == "id":
        return tag in _LABELLED
    return attribute == ID_ATTRIBUTE or (is_meaningful(attribute) and not _ODD_IN_NAME.search(attribute))


def _spaced(text: str | None) -> str:
    """A text with its white space, also at its ends, as single spaces."""
    if not text:
        return ""
    words = escape(" ".join(text.split()), quote=False)
    if not words:
        return " "
    return f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}"

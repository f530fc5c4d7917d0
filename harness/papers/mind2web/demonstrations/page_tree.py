"""A recorded page as a tree of elements: which of them are seen, where, and which can be pressed.

What is not in the markup itself comes from attributes that the recording added, as in the public files of Mind2Web:
``backend_node_id``, ``bounding_box_rect`` and ``is_clickable``.
"""

from __future__ import annotations

import re

from lxml import etree

BOX_ATTRIBUTE = "bounding_box_rect"
"""Left, top, width and height in CSS pixels of the document, ``110,607.5,264,78``; all -1 for what is not rendered."""
CLICKABLE_ATTRIBUTE = "is_clickable"
"""Is ``true`` if the browser says that something listens for presses of the element."""
TEXT_TAG = "text"
"""In pages of Mind2Web an element of this tag stands around each text."""
WHOLE_PAGE = frozenset({"html", "body"})
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML can hold: control characters, halves of a pair."""

Box = tuple[float, float, float, float]

_OPTIONS = frozenset({"option", "optgroup"})
_NEVER_SEEN = frozenset({"head", "title", "meta", "link", "base", "script", "style", "noscript", "template"})
_PRESSED_TAGS = frozenset({"button", "input", "select", "textarea", "option", "label", "summary", "area"})
_PRESSED_ROLES = frozenset(
    {
        "button",
        "checkbox",
        "combobox",
        "gridcell",
        "link",
        "listbox",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
        "treeitem",
    }
)


class UnreadablePage(ValueError):
    """A page's HTML holds no element."""


def page_tree(html: str) -> etree._Element:
    """The outermost element of a page.

    Args:
        html: As XML, which the pages of Mind2Web are, or else as HTML. It is a stranger's: nothing of it is run,
            fetched or expanded. Below 2,048 levels elements are lost.

    Raises:
        UnreadablePage: it holds no element.
    """
    data = NOT_IN_XML.sub("", html).encode()
    try:
        return etree.fromstring(
            data, etree.XMLParser(huge_tree=True, resolve_entities=False, remove_comments=True, remove_pis=True)
        )
    except etree.XMLSyntaxError:
        pass
    try:
        tree: etree._Element | None = etree.fromstring(
            data, etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
        )
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise UnreadablePage(f"the page cannot be read: {error}") from error
    if tree is None:
        raise UnreadablePage("the page holds no element")
    return tree


def tag_of(element: etree._Element) -> str:
    """The tag in small letters, without a namespace."""
    return str(element.tag).rpartition("}")[2].lower()


def box_of(element: etree._Element) -> Box | None:
    """Left, top, width and height in CSS pixels of the document; None if it is not rendered, or nothing says so."""
    try:
        left, top, width, height = map(float, element.get(BOX_ATTRIBUTE, "").split(","))
    except ValueError:
        return None
    return (left, top, width, height) if width >= 0 and height >= 0 else None


def seen_elements(root: etree._Element) -> frozenset[etree._Element]:
    """The elements of a page that take room on it, or hold one that does.

    Options are seen if their list is: they take no room before it is opened. Whether something else covers an element
    or cuts it off is not known. Where the page does not say what takes room, all does but what never can.

    Args:
        root: Its outermost element.
    """
    seen: set[etree._Element] = set()
    # Backwards, each element comes after all that it holds.
    for element in reversed(list(root.iter(etree.Element))):
        if tag_of(element) in _OPTIONS:
            if _is_in_seen_list(element):
                seen.add(element)
            continue
        if element in seen or _takes_room(element):
            seen.add(element)
            if (parent := element.getparent()) is not None:
                seen.add(parent)
    return frozenset(seen)


def _takes_room(element: etree._Element) -> bool:
    if element.get(BOX_ATTRIBUTE) is None:
        return tag_of(element) not in _NEVER_SEEN
    box = box_of(element)
    return box is not None and box[2] > 0 and box[3] > 0


def _is_in_seen_list(option: etree._Element) -> bool:
    above = option.getparent()
    if above is not None and tag_of(above) == "optgroup":
        above = above.getparent()
    return above is not None and tag_of(above) not in _OPTIONS and _takes_room(above)


def is_clickable(element: etree._Element) -> bool:
    """Whether something happens when an element is pressed, as far as the page tells.

    So it is with controls, links, roles that say so, what can be written into, and what the browser says of. The page
    as a whole does not count, though scripts often listen on it for what happens anywhere.
    """
    tag = tag_of(element)
    if tag in WHOLE_PAGE:
        return False
    return (
        tag in _PRESSED_TAGS
        or (tag == "a" and element.get("href") is not None)
        or element.get("role", "").strip().lower() in _PRESSED_ROLES
        or element.get(CLICKABLE_ATTRIBUTE) == "true"
        or element.get("contenteditable", "false").lower() not in {"false", "inherit"}
    )


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

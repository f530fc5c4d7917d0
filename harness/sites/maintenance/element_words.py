"""What the elements of a recorded tree say, what they are called, and by what a recording would know them again."""

from __future__ import annotations

from lxml import etree

from harness.catalog.trace import ElementMark
from harness.scoring.evaluators.page_tree import PageTree

LONGEST_TEXT = 200
MARKED = ("id", "name", "type", "value", "href", "role", "aria-label", "placeholder", "title")
"""Attributes that a mark holds."""
CONTROLS = frozenset({"input", "select", "textarea"})
_PRESSED = frozenset({"submit", "button", "reset"})
_SILENT = frozenset({"script", "style", "noscript", "template"})


def words(text: str) -> str:
    """A text with single spaces, shortened."""
    return " ".join(text.split())[:LONGEST_TEXT]


def said_by(element: etree._Element) -> str:
    """What an element says: its text, or of a control the words of its label."""
    if element.tag == "input" and element.get("type", "").lower() in _PRESSED:
        return words(element.get("value", ""))
    return label_of(element) if element.tag in CONTROLS else words(_text(element, frozenset()))


def texts_of(element: etree._Element) -> tuple[str, ...]:
    """All that a recording may have taken for what an element says: of a list its options, too."""
    return (said_by(element), words(_text(element, frozenset()))) if element.tag in CONTROLS else (said_by(element),)


def label_of(control: etree._Element) -> str:
    """The words of a control's labels: those that name it, and the one that it stands in."""
    root = control.getroottree().getroot()
    ident = control.get("id")
    named = [each for each in root.iter("label") if ident and each.get("for") == ident]
    around = list(control.iterancestors("label"))
    wanted = control.get("aria-labelledby", "").split()
    pointed = [each for each in root.iter() if each.get("id") in wanted] if wanted else []
    return words(" ".join(_text(each, CONTROLS) for each in [*pointed, *named, *around]))


def mark_of(element: etree._Element, css: str) -> ElementMark:
    """By what a recording would know an element again.

    Args:
        element: Of the tree of a page.
        css: A selector that finds it.
    """
    attributes = {name: element.get(name, "")[:LONGEST_TEXT] for name in MARKED if name in element.attrib}
    return ElementMark(
        css=css, xpath=xpath_of(element), tag=str(element.tag), text=said_by(element), attributes=attributes
    )


def xpath_of(element: etree._Element) -> str:
    """The way to an element from the document's own, with the place of each among those of its tag."""
    steps: list[str] = []
    node: etree._Element | None = element
    while node is not None:
        tag = str(node.tag)
        place = 1 + sum(1 for _ in node.itersiblings(tag, preceding=True))
        steps.append(f"{tag}[{place}]")
        node = node.getparent()
    return "/" + "/".join(reversed(steps))


def way_in(xpath: str) -> list[str]:
    """The steps of a way from the document's own; none of an XPath that begins elsewhere, which tells of no place."""
    steps = xpath.split("/")[1:]
    return steps if steps and steps[0].partition("[")[0] == "html" and "local-name()" not in xpath else []


def opener_of(tree: PageTree, element: etree._Element) -> etree._Element | None:
    """What a person presses to unfold what an element stands in: a summary, or what says that it controls that.

    Args:
        tree: The page.
        element: One of its elements, which cannot be seen.
    """
    for above in element.iterancestors():
        if above.tag == "details" and "open" not in above.attrib:
            return above.find("summary")
        for each in tree.root.iterfind(".//*[@aria-expanded='false']"):
            if above.get("id", " ") in each.get("aria-controls", "").split():
                return each
    return None


def _text(element: etree._Element, without: frozenset[str]) -> str:
    """The text in an element, but for what stands in elements of some tags."""
    parts: list[str] = [element.text or ""]
    for child in element:
        if child.tag not in _SILENT and child.tag not in without:
            parts.append(_text(child, without))
        parts.append(child.tail or "")
    return " ".join(parts)

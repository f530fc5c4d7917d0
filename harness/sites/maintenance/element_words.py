"""What the elements of a recorded tree say, what they are called, and by what a recording would know them again."""

from __future__ import annotations

from collections import Counter

from lxml import etree

from harness.catalog.trace import ElementMark
from harness.scoring.evaluators.page_tree import PageTree
from harness.sites.maintenance.records import ChangeKind

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


_NAMES = ("id", "name")
_WORDS = ("aria-label", "placeholder", "title")
_SIGNING = ("id", "name", "value", "href", "for", "type")
_SIGNED_TEXT = 40


def changes_of(before: ElementMark, element: etree._Element) -> list[ChangeKind]:
    """What a mark says has changed of an element; nothing of what it does not know.

    Args:
        before: As it was recorded.
        element: As it is now.
    """
    after = mark_of(element, "")
    was, now = before.attributes, after.attributes
    found: list[ChangeKind] = []
    if any(name in was and was[name] != now.get(name) for name in _NAMES) or (before.tag and before.tag != after.tag):
        found.append("renamed")
    if any(name in was and was[name] != now.get(name) for name in _WORDS) or _says_other(before, element):
        found.append("relabelled")
    if "href" in was and was["href"] != now.get("href"):
        found.append("readdressed")
    if (way := way_in(before.xpath)) and _bare(way) != _bare(way_in(after.xpath)):
        found.append("moved")
    return found


def is_elsewhere(before: etree._Element, tree: PageTree, after: etree._Element) -> ChangeKind | None:
    """Whether an element stands in something else, or elsewhere among its neighbours; None if it does not.

    The containers of both are compared level by level from the inside out, as far as both reach. One that is only
    called otherwise is the same, unless the page still has the old one.

    Args:
        before: The element, in the tree of the page as it was.
        tree: The page as it is.
        after: The same element in that.
    """
    ways = [[each, *each.iterancestors()] for each in (before, after)]
    if [each.tag for each in ways[0]] != [each.tag for each in ways[1]]:
        return "moved"
    there = {_container(each) for each in tree.root.iter() if isinstance(each.tag, str)}
    for old, new in zip(ways[0][1:], ways[1][1:], strict=True):
        is_named = bool(old.get("id") or old.get("class"))
        if is_named and _container(old) != _container(new) and _container(old) in there:
            return "moved"
    for old, new in zip(*ways, strict=True):
        if _rank(old, new) != _rank(new, old):
            return "reordered"
    return None


def _rank(element: etree._Element, other: etree._Element) -> int:
    """How many of the neighbours that both have stand before an element."""
    there = _neighbours(other)
    common = {sign for sign, count in there.items() if count == 1}
    mine = _neighbours(element)
    before = (_sign(each) for each in element.itersiblings(preceding=True) if isinstance(each.tag, str))
    return sum(sign in common and mine[sign] == 1 for sign in before)


def _neighbours(element: etree._Element) -> Counter[tuple[str, ...]]:
    around = [*element.itersiblings(preceding=True), *element.itersiblings()]
    return Counter(_sign(each) for each in around if isinstance(each.tag, str))


def _sign(element: etree._Element) -> tuple[str, ...]:
    """What tells an element from its neighbours."""
    text = "".join(str(each) for each in element.itertext())
    attributes = [element.get(name, "") for name in _SIGNING]
    return str(element.tag), element.get("class", ""), *attributes, "".join(text.split())[:_SIGNED_TEXT]


def _container(element: etree._Element) -> tuple[str, str, str]:
    return str(element.tag), element.get("id", ""), element.get("class", "")


def _says_other(before: ElementMark, element: etree._Element) -> bool:
    return bool(before.text) and _folded(before.text) not in map(_folded, texts_of(element))


def _folded(text: str) -> str:
    """A text without spaces and letter case, as far as every mark holds it."""
    return "".join(text[: LONGEST_TEXT // 2].split()).casefold()


def _bare(way: list[str]) -> list[str]:
    """The tags of the way to an element."""
    return [step.partition("[")[0] for step in way]

"""In what an element of a page differs from the one that was recorded: pure functions of marks and trees."""

from __future__ import annotations

from collections import Counter

from lxml import etree

from harness.catalog.trace import ElementMark
from harness.scoring.evaluators.page_tree import PageTree
from harness.sites.maintenance.element_words import LONGEST_TEXT, mark_of, texts_of, way_in
from harness.sites.maintenance.records import ChangeKind

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

"""Which element of a page is most like one that was recorded: a pure function of the page's tree and the mark."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from cssselect import SelectorError
from lxml import etree

from harness.catalog.trace import ElementMark, TraceAction
from harness.scoring.evaluators.page_tree import PageTree, WrongPath, is_clickable
from harness.sites.maintenance.element_words import texts_of, way_in, words, xpath_of
from harness.sites.maintenance.selectors import containers_in

WEIGHTS: Mapping[str, float] = {
    # What a person knows an element by, which most redesigns leave as it is.
    "text": 3.0,
    # What the form sends it as and where a link leads: a matter of the server, which a new layout does not touch.
    "name": 2.0,
    "href": 2.0,
    # Given to tell it from all others, and the first thing that a redesign gives anew.
    "id": 2.0,
    # One of several buttons, boxes or radios that share a name; of a field it is what the page has filled in.
    "value": 1.5,
    # Words, too, but ones that few people see.
    "aria-label": 1.0,
    "placeholder": 1.0,
    "title": 1.0,
    # What can be done with it.
    "tag": 1.0,
    "type": 0.5,
    "role": 0.5,
    # In what the recorded selector looks for it, such as the card of a product: tells equal buttons from each other.
    "containers": 2.0,
    # The way down to it, which a moved element has lost and all its neighbours share.
    "place": 1.0,
}
"""What is compared, and how much it tells; what a mark does not know does not count."""
LEAST = 0.5
"""Likeness, from 0 to 1, below which an element is another one."""
MARGIN = 0.05
"""By how much the nearest has to be nearer than the next to be proposed with certainty."""
MOST_COMPARED = 5_000
"""Elements of a page that are compared, the first: so that no page takes minutes."""
MOST_LEVELS = 200
"""Of the ways down to elements, as far as they are compared."""
_EXACT = frozenset({"name", "type", "role", "value"})
_TOKENS = re.compile(r"[A-Za-z]+|\d+")
_WRITTEN = frozenset({"fill", "fill_search"})


@dataclass(frozen=True)
class NearElement:
    """An element that may be the one that was recorded.

    Attributes:
        element: It.
        likeness: From 0 to 1.
        parts: What was compared -> likeness, in the order of ``WEIGHTS``.
    """

    element: etree._Element
    likeness: float
    parts: Mapping[str, float]


def nearest(tree: PageTree, mark: ElementMark, do: TraceAction) -> list[NearElement]:
    """The elements that are most like a recorded one, the nearest first; none that is less like it than ``LEAST``.

    Args:
        tree: The page.
        mark: What was recorded.
        do: What is to be done to it: a text is written into fields only, options are chosen from lists only.
    """
    wanted = _Wanted(mark, tree)
    fit = (each for each in tree.root.iter() if _is_fit(each, mark, do))
    near = [wanted.compared(each) for each in islice(fit, MOST_COMPARED)]
    near = [each for each in near if each.likeness >= LEAST]
    return sorted(near, key=lambda each: -each.likeness)


def likeness_of(tree: PageTree, mark: ElementMark, element: etree._Element) -> float:
    """How like a recorded element one of a page is, from 0 to 1."""
    return _Wanted(mark, tree).compared(element).likeness


def is_certain(near: list[NearElement]) -> bool:
    """Whether the nearest is nearer than the next by ``MARGIN``."""
    return bool(near) and (len(near) == 1 or near[0].likeness - near[1].likeness >= MARGIN)


def reasons(near: NearElement) -> list[str]:
    """What speaks for and against an element, in words."""
    said = []
    for name, value in near.parts.items():
        how = "the same" if value >= 1 else "other" if value <= 0 else f"alike to {value:.0%}"
        said.append(f"{name}: {how}")
    return said


class _Wanted:
    """A mark, and what of the page it is compared with has to be looked up once."""

    def __init__(self, mark: ElementMark, tree: PageTree) -> None:
        self._mark = mark
        self._way = _steps(mark.xpath)
        self._containers: list[list[etree._Element]] = []
        for css in containers_in(mark.css):
            try:
                self._containers.append(tree.all(css, "css"))
            except (WrongPath, SelectorError):
                continue

    def compared(self, element: etree._Element) -> NearElement:
        parts = {name: value for name in WEIGHTS if (value := self._part(name, element)) is not None}
        weight = sum(WEIGHTS[name] for name in parts)
        likeness = sum(WEIGHTS[name] * value for name, value in parts.items()) / weight if weight else 0.0
        return NearElement(element, likeness, parts)

    def _part(self, name: str, element: etree._Element) -> float | None:
        """How alike they are in one thing; None where the mark does not know it."""
        mark = self._mark
        if name == "text":
            return max(alike(mark.text, text) for text in texts_of(element)) if mark.text else None
        if name == "tag":
            return _of_tags(mark.tag, str(element.tag)) if mark.tag else None
        if name == "place":
            return _of_ways(self._way, element) if self._way else None
        if name == "containers":
            return self._contained(element)
        before = mark.attributes.get(name)
        if before is None or (name == "value" and _is_field(mark)):
            return None
        after = element.get(name, "")
        if name in _EXACT:
            return float(before == after)
        return _of_names(before, after) if name == "id" else alike(before, after)

    def _contained(self, element: etree._Element) -> float | None:
        """In how many of the containers an element stands that the recorded selector names and the page still has."""
        there = [each for each in self._containers if each]
        if not there:
            return None
        above = {element, *element.iterancestors()}
        return sum(not above.isdisjoint(each) for each in there) / len(there)


def _is_fit(element: etree._Element, mark: ElementMark, do: TraceAction) -> bool:
    if not isinstance(element.tag, str) or (element.tag == "input" and element.get("type", "").lower() == "hidden"):
        return False
    if do in _WRITTEN:
        return element.tag in {"input", "textarea"} or "contenteditable" in element.attrib
    if do == "select_option":
        return element.tag == "select" or element.get("role") in {"listbox", "combobox"}
    return is_clickable(element) or element.tag == mark.tag


def alike(before: str, after: str) -> float:
    """How alike two texts are, from 0 to 1, whatever their letter case and spaces."""
    first, second = (words(text).casefold() for text in (before, after))
    if first == second:
        return 1.0
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def _of_names(before: str, after: str) -> float:
    """How alike two names of code are: by their words, since ``next-page`` and ``nextPage`` are one name."""
    first, second = ([each.lower() for each in _TOKENS.findall(_split_camel(text))] for text in (before, after))
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio() if first or second else 0.0


def _split_camel(text: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text)


def _of_tags(before: str, after: str) -> float:
    if before == after:
        return 1.0
    kinds: Iterable[frozenset[str]] = (
        frozenset({"a", "button", "summary"}),
        frozenset({"input", "textarea", "select"}),
    )
    return 0.5 if any({before, after} <= kind for kind in kinds) else 0.0


def _is_field(mark: ElementMark) -> bool:
    """Whether what a mark holds as its value is what the page had filled in."""
    kind = mark.attributes.get("type", "text").lower()
    return mark.tag in {"textarea", "select"} or (
        mark.tag == "input" and kind not in {"radio", "checkbox", "submit", "button", "reset", "image"}
    )


def _steps(xpath: str) -> list[str]:
    return way_in(xpath)[:MOST_LEVELS]


def _of_ways(before: list[str], element: etree._Element) -> float:
    """How alike two ways down are: tags count, and places among neighbours half."""
    after = _steps(xpath_of(element))
    whole = difflib.SequenceMatcher(None, before, after, autojunk=False).ratio()
    bare = [[step.partition("[")[0] for step in way] for way in (before, after)]
    return (whole + difflib.SequenceMatcher(None, bare[0], bare[1], autojunk=False).ratio()) / 2

"""A page pruned to some of its elements and what is around them, as a model is shown it (Deng et al. 2023, 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain

from lxml import etree

from harness.kit.text import shorten
from harness.papers.mind2web.mindact.marked_page import (
    SALIENT,
    TEXT_TAG,
    MarkedPage,
    own_text,
    salient,
    tag_of,
    text_of,
)

LONGEST_OPTION = 160
"""Characters of an element in a list of options."""
_SHOWN = tuple(name for name in SALIENT if name not in ("name", "value"))
_MOST_BELOW = 20
_VOID = frozenset({"input", "img", "br", "hr", "area", "embed", "source", "track", "wbr"})
"""Nothing is in them, and nothing closes them."""


@dataclass(frozen=True)
class Surroundings:
    """How much is shown around each element.

    Attributes:
        below: Levels of elements in it.
        beside: Elements before and behind it.
        text: Characters of a text.
    """

    below: int
    beside: int
    text: int


FROM_WIDE_TO_NARROW: tuple[Surroundings, ...] = (
    Surroundings(below=3, beside=2, text=120),
    Surroundings(below=2, beside=1, text=60),
    Surroundings(below=0, beside=0, text=40),
)
"""Tried in this order until a request fits."""


def snippet(page: MarkedPage, numbers: Mapping[str, str], around: Surroundings) -> str:
    """The page with some elements, what they are in, what is in them and beside them.

    Args:
        page: The step's page.
        numbers: What each of the elements is called in the snippet, by its id; empty to leave it without a name.
        around: How much else is shown.
    """
    marked = {page.by_id[name]: number for name, number in numbers.items()}
    kept = set(chain.from_iterable(_around(element, around) for element in marked))
    return " ".join(_written(page.root, kept, marked, around.text))


def option_words(page: MarkedPage, name: str, number: str) -> str:
    """One element in a line, as it stands in a list of options.

    Args:
        page: The step's page.
        name: Its id.
        number: What it is called in the snippet.
    """
    return shorten(element_words(page, name, number), LONGEST_OPTION)


def element_words(page: MarkedPage, name: str, number: str = "") -> str:
    """One element with what is in it, as a page is written in a snippet.

    Args:
        page: The step's page.
        name: Its id.
        number: What it is called; empty to leave it without a name.
    """
    element = page.by_id[name]
    kept = {element, *_below(element, FROM_WIDE_TO_NARROW[0].below)}
    return " ".join(_written(element, kept, {element: number}, LONGEST_OPTION // 2))


def _around(element: etree._Element, around: Surroundings) -> Iterator[etree._Element]:
    yield element
    yield from element.iterancestors()
    yield from _below(element, around.below)
    for preceding in (True, False):
        beside = element.itersiblings(etree.Element, preceding=preceding)
        yield from (each for _, each in zip(range(around.beside), beside, strict=False))


def _below(element: etree._Element, levels: int) -> Sequence[etree._Element]:
    found: list[etree._Element] = []
    layer = [element]
    for _ in range(levels):
        layer = [child for each in layer for child in each if tag_of(child) not in ("", TEXT_TAG)]
        found += layer
    return found[:_MOST_BELOW]


def _written(
    root: etree._Element, kept: set[etree._Element], marked: Mapping[etree._Element, str], longest: int
) -> Iterator[str]:
    """The kept elements as HTML, piece by piece; without recursion, since pages may be deeper than Python's stack."""
    waiting: list[etree._Element | str] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        children = [child for child in item if child in kept]
        # What is cut off below is told by its text.
        text = shorten(own_text(item) if children else text_of(item), longest)
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in salient(item, _SHOWN))
        if item in marked or attributes or text or len(children) != 1:
            number = f" id={marked[item]}" if marked.get(item) else ""
            yield " ".join([f"<{tag_of(item)}{number}{attributes}>", *([escape(text, quote=False)] if text else [])])
            waiting += [] if tag_of(item) in _VOID else [f"</{tag_of(item)}>"]
        waiting += reversed(children)

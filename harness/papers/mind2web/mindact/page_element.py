"""What rankers read: the query of a step, and each candidate in words (Deng et al. 2023, Figure 4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

from harness.kit.text import shorten
from harness.papers.mind2web.demonstrations.demonstration import Candidate
from harness.papers.mind2web.mindact.marked_page import TEXT_TAG, MarkedPage, own_text, salient, tag_of, text_of

LONGEST_TEXT = 200
"""Characters of an element's own words."""
LONGEST_NEIGHBOUR = 80
"""Characters of the words of its parent, and of each child."""
MOST_CHILDREN = 5
PREVIOUS_TOLD = 5
"""The last steps that are told; what was done long before says little of what is next."""


@dataclass(frozen=True)
class StepQuery:
    """What a candidate is compared with.

    Attributes:
        task: What is to be done.
        previous: What was done, in words (``[button]  Search -> CLICK``), the last one last.
    """

    task: str
    previous: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Both as one text."""
        done = "; ".join(self.previous[-PREVIOUS_TOLD:]) or "nothing"
        return f"Task: {self.task}\nDone so far: {done}"


@dataclass(frozen=True)
class PageElement:
    """A candidate as rankers see it.

    Attributes:
        backend_node_id: Its id.
        tag: In small letters.
        text: What stands in it, and on its label.
        attributes: Those that mean something.
        parent: Its parent in words; empty if it has none.
        children: Its children in words, the first few.
        ancestors: Their tags, the nearest first.
        place: Which of the page's candidates it is, from 0.
    """

    backend_node_id: str
    tag: str
    text: str
    attributes: tuple[tuple[str, str], ...]
    parent: str
    children: tuple[str, ...]
    ancestors: tuple[str, ...]
    place: int

    @property
    def own_words(self) -> str:
        """What it says itself: its text and the values of its attributes."""
        return " ".join([self.text, *(value for _, value in self.attributes)]).strip()

    @property
    def words(self) -> str:
        """All of it as one text, as an encoder reads it."""
        attributes = ", ".join(f"{name} {value}" for name, value in self.attributes)
        lines = [
            f"Element: {self.tag}",
            self.text and f"Text: {self.text}",
            attributes and f"Attributes: {attributes}",
            self.parent and f"In: {self.parent}",
            self.children and f"Holds: {'; '.join(self.children)}",
        ]
        return "\n".join(line for line in lines if line)


def elements_of(page: MarkedPage, candidates: Iterable[Candidate]) -> list[PageElement]:
    """The candidates that the page has, in words, in the order of the page; others cannot be chosen.

    Args:
        page: The step's page.
        candidates: Its elements, in any order: files have the acceptable ones first, of which nothing may remain.
    """
    names = {each.backend_node_id for each in candidates}
    found: list[PageElement] = []
    for name, element in page.by_id.items():
        if name in names and tag_of(element) not in ("html", TEXT_TAG):
            found.append(_in_words(page, element, name, len(found)))
    return found


def _in_words(page: MarkedPage, element: etree._Element, name: str, place: int) -> PageElement:
    parent = element.getparent()
    children = [each for each in element if tag_of(each) not in ("", TEXT_TAG)]
    return PageElement(
        backend_node_id=name,
        tag=tag_of(element),
        text=shorten(" ".join(filter(None, [page.label_of(element), text_of(element)])), LONGEST_TEXT),
        attributes=tuple(salient(element)),
        parent="" if parent is None else _neighbour(parent, own_text(parent)),
        children=tuple(_neighbour(each, text_of(each)) for each in children[:MOST_CHILDREN]),
        ancestors=tuple(tag_of(each) for each in element.iterancestors()),
        place=place,
    )


def _neighbour(element: etree._Element, text: str) -> str:
    values = [value for _, value in salient(element)]
    return shorten(" ".join([tag_of(element), *values, *([text] if text else [])]), LONGEST_NEIGHBOUR)

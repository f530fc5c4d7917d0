"""What a ranker is: it says how likely each element of a page is to be the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.papers.mind2web.demonstrations.asking import AskedStep
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery, elements_of

TOP = 50
"""How many of the best go on to a model (Deng et al. 2023, section 4.3)."""


class Ranker(Protocol):
    """Compares elements with what is to be done."""

    @property
    def name(self) -> str:
        """As it is told in tables."""

    @property
    def learned_from(self) -> tuple[str, ...]:
        """The sites that it was trained on: on others it is held out."""

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:
        """How well each element fits: only the order of the scores means something.

        Args:
            query: What is to be done, and what was done.
            elements: All candidates of one page.

        Returns:
            A finite number for each.
        """


def ranked(ranker: Ranker, query: StepQuery, elements: Sequence[PageElement]) -> list[PageElement]:
    """The elements of a page, the likeliest first; those with equal scores in the order of the page."""
    scores = ranker.score(query, elements)
    return [element for _, element in sorted(zip(scores, elements, strict=True), key=lambda each: -each[0])]


def page_of(asked: AskedStep) -> MarkedPage:
    """The page of a step: cleaned, where it has been.

    Raises:
        harness.papers.mind2web.mindact.marked_page.UnreadableStepPage: it holds no element.
    """
    return MarkedPage(asked.cleaned_html or asked.raw_html)


def query_of(asked: AskedStep) -> StepQuery:
    """What the candidates of a step are compared with."""
    return StepQuery(asked.task, asked.previous)


def candidates_of(asked: AskedStep, page: MarkedPage) -> list[PageElement]:
    """The candidates of a step that its page has."""
    return elements_of(page, asked.candidates)

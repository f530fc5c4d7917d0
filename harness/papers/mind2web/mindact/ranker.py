"""What a ranker is, which says how likely each element is to be the next one; and those that learned nothing."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from harness.papers.mind2web.demonstrations.asking import AskedStep
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery, elements_of
from harness.papers.mind2web.mindact_options import LEXICAL, ORDER, RANDOM

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


_WORD = re.compile(r"[^\W_]+")
_K1 = 1.2
_B = 0.75


class RandomRanker:
    """By chance: what any other has to be better than."""

    name = RANDOM
    learned_from = ()

    def __init__(self, seed: int = 0) -> None:
        """Draw by a seed; the same step is drawn alike."""
        self._seed = seed

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:
        """A number between 0 and 1 for each."""
        chance = random.Random(f"{self._seed} {query.words}")  # noqa: S311 - a baseline, not a secret
        return [chance.random() for _ in elements]


class OrderRanker:
    """By the order of the page, from above."""

    name = ORDER
    learned_from = ()

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:  # noqa: ARG002 - as all
        """The less, the further down."""
        return [-float(element.place) for element in elements]


class LexicalRanker:
    """By the task's words in an element's own: BM25, with the page's elements as the documents.

    Source: Robertson and Zaragoza 2009, The Probabilistic Relevance Framework, with k1 = 1.2 and b = 0.75. Of what was
    done before nothing is used: its words would lead back to elements that are done with.
    """

    name = LEXICAL
    learned_from = ()

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:
        """BM25."""
        return bm25(tokens(query.task), [tokens(f"{element.tag} {element.own_words}") for element in elements])


def tokens(text: str) -> list[str]:
    """The words of a text in small letters, without the s of plurals."""
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _WORD.findall(text.lower())]


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """How well documents fit a query.

    Args:
        query: Its words.
        documents: The words of each.

    Returns:
        A score for each document, 0 for those that share no word with the query.
    """
    counts = [Counter(document) for document in documents]
    held = Counter(word for count in counts for word in count)
    mean = sum(map(len, documents)) / len(documents) if documents else 0.0
    wanted = dict.fromkeys(query)

    def of_one(count: Counter[str], length: int) -> float:
        total = 0.0
        for word in wanted:
            if often := count.get(word, 0):
                rarity = math.log(1 + (len(documents) - held[word] + 0.5) / (held[word] + 0.5))
                total += rarity * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * length / mean))
        return total

    return [of_one(count, len(document)) for count, document in zip(counts, documents, strict=True)]

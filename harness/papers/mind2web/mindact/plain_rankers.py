"""Rankers that have learned nothing: by chance, by the order of the page, and by words. They are the floors."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence

from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery
from harness.papers.mind2web.mindact_options import LEXICAL, ORDER, RANDOM

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

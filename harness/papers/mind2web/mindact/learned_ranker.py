"""A ranker that weighs features of an element, with weights learned from demonstrations; kept as JSON."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, plain, read
from harness.kit.files.writing import write_json
from harness.papers.mind2web.mindact.element_features import NAMES, features_of
from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery
from harness.papers.mind2web.mindact_options import LEARNED

PENALTY = 1.0
"""Of half the sum of the squared weights, beside the sum of the steps' losses."""
MOST_OTHERS = 100
"""Other elements of a step that are learned from, drawn at random; the paper draws its negatives, too."""

_Step: TypeAlias = tuple[NDArray[np.float32], NDArray[np.bool_]]
"""The features of a step's elements, and which of them may be chosen."""


class UnreadableRanker(UserError):
    """A file that holds no learned ranker; the message says why."""


@dataclass(frozen=True)
class LearningStep:
    """A step to learn from.

    Attributes:
        website: Its site.
        query: What is to be done, and what was done.
        elements: The candidates of its page.
        acceptable: Which of them may be chosen.
    """

    website: str
    query: StepQuery
    elements: tuple[PageElement, ...]
    acceptable: tuple[bool, ...]


@dataclass(frozen=True)
class LearnedWeights:
    """What was learned.

    Attributes:
        features: The names of the features that the weights are of.
        weights: One a feature.
        websites: The sites of the steps that it was learned from: on others it is held out.
        steps: How many these were.
    """

    features: tuple[str, ...]
    weights: tuple[float, ...]
    websites: tuple[str, ...]
    steps: int


class LearnedRanker:
    """Ranks by the weighted sum of an element's features."""

    name = LEARNED

    def __init__(self, learned: LearnedWeights) -> None:
        """Rank by what was learned."""
        self.learned = learned
        self.learned_from = learned.websites
        self._weights = np.array(learned.weights)

    @classmethod
    def read(cls, file: Path) -> LearnedRanker:
        """The ranker in a file.

        Raises:
            UnreadableRanker: there is none, or it weighs other features.
        """
        try:
            learned = read(file, LearnedWeights)
        except (OSError, Malformed) as error:
            raise UnreadableRanker(
                f"{file} holds no ranker: {error}; turkbench papers mind2web train makes one"
            ) from error
        if learned.features != NAMES or len(learned.weights) != len(NAMES) or not np.isfinite(learned.weights).all():
            raise UnreadableRanker(f"{file} weighs other features than this version: train it again")
        return cls(learned)

    def write(self, file: Path) -> None:
        """Keep it as JSON.

        Raises:
            OSError: it cannot be written.
        """
        write_json(file, plain(self.learned))

    def score(self, query: StepQuery, elements: Sequence[PageElement]) -> list[float]:
        """The weighted sums."""
        found: list[float] = (features_of(query, elements) @ self._weights).tolist()
        return found


class LearningData:
    """What is learned from, as numbers: pages are not kept."""

    def __init__(self, seed: int = 0) -> None:
        """Draw other elements by ``seed``."""
        self._chance = np.random.default_rng(seed)
        self._steps: dict[str, list[_Step]] = {}

    def add(self, step: LearningStep) -> None:
        """Take in a step; one without an acceptable element beside others teaches nothing and is passed over."""
        wanted = np.array(step.acceptable, dtype=bool)
        others = np.flatnonzero(~wanted)
        if not wanted.any() or not len(others):
            return
        drawn = self._chance.choice(others, size=min(MOST_OTHERS, len(others)), replace=False)
        rows = np.sort(np.concatenate([np.flatnonzero(wanted), drawn]))
        features = features_of(step.query, step.elements)[rows].astype(np.float32)
        self._steps.setdefault(step.website, []).append((features, wanted[rows]))

    def learned(self, without: Collection[str] = ()) -> LearnedRanker:
        """Learn weights by which acceptable elements come before the others of their page.

        A conditional logit: of each step the probability that a choice falls on an acceptable element is made large.

        Args:
            without: Sites that nothing is learned from.

        Raises:
            UserError: there is nothing to learn from.
        """
        websites = tuple(sorted(website for website in self._steps if website not in without))
        data = [step for website in websites for step in self._steps[website]]
        if not data:
            raise UserError("there is nothing to learn from: no step has an acceptable element beside others")
        weights = tuple(float(each) for each in _fitted(data))
        return LearnedRanker(LearnedWeights(NAMES, weights, websites, len(data)))


def _fitted(data: Sequence[_Step]) -> NDArray[np.float64]:
    from scipy.optimize import minimize  # noqa: PLC0415 - to rank needs it not
    from scipy.special import logsumexp, softmax  # noqa: PLC0415

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, slope = PENALTY * float(weights @ weights) / 2, PENALTY * weights
        for rows, wanted in data:
            scores = rows @ weights
            total += float(logsumexp(scores) - logsumexp(scores[wanted]))
            slope = slope + softmax(scores) @ rows - softmax(scores[wanted]) @ rows[wanted]
        return total, slope

    found: NDArray[np.float64] = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B").x
    return found

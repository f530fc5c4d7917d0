"""Recall at k: how often an acceptable element is among the k that a ranker puts first (Deng et al. 2023, 4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from harness.kit.statistics.clustered import mean_of_items_many
from harness.kit.statistics.estimate import Estimate
from harness.papers.mind2web.mindact.demonstrated_pages import RankedPage
from harness.papers.mind2web.mindact.ranker import TOP, Ranker

AT = (1, 5, 10, TOP)
"""The k that are told."""


@dataclass(frozen=True)
class StepRanks:
    """Where rankers put the best acceptable element of a step.

    Attributes:
        website: Its site.
        annotation_id: The demonstration that it is of.
        candidates: How many candidates its page has.
        ranks: By the ranker's name, from 1; None if the page has no acceptable element, for whatever reason.
        problem: That reason; empty if there is one.
    """

    website: str
    annotation_id: str
    candidates: int
    ranks: dict[str, int | None]
    problem: str


@dataclass(frozen=True)
class RankerRecall:
    """How good a ranker is.

    Attributes:
        ranker: Its name.
        at: Recall by k, over all steps. A step without an acceptable element is one that is missed.
    """

    ranker: str
    at: dict[int, Estimate]


@dataclass(frozen=True)
class PageSizes:
    """How many candidates pages have.

    Attributes:
        least: The fewest.
        median: Half of the pages have fewer.
        most: The most.
        large: Steps whose page has more than ``TOP``: on the others recall at ``TOP`` says nothing.
        steps: All steps.
    """

    least: int
    median: int
    most: int
    large: int
    steps: int


def ranks_of(pages: Iterable[RankedPage], rankers: Callable[[str], Sequence[Ranker]]) -> Iterable[StepRanks]:
    """Where rankers put what may be chosen, step by step.

    Args:
        pages: The steps.
        rankers: Those to measure on a website: it is given the site, and no two have one name.
    """
    for page in pages:
        step = page.step
        found = {ranker.name: _best(ranker, page) for ranker in rankers(step.website)}
        yield StepRanks(step.website, page.annotation_id, len(step.elements), found, page.problem)


def recalls(steps: Sequence[StepRanks], seed: int = 0) -> list[RankerRecall]:
    """Recall of each ranker, with intervals for tasks like these (steps of one demonstration belong together).

    Args:
        steps: Those to look at; all with the same rankers, one at least.
        seed: Of the resampling.
    """
    codes = {name: code for code, name in enumerate(dict.fromkeys(step.annotation_id for step in steps))}
    clusters = [codes[step.annotation_id] for step in steps]
    found = []
    for name in steps[0].ranks:
        hits = [[float((step.ranks[name] or k + 1) <= k) for k in AT] for step in steps]
        estimates = mean_of_items_many(hits, [1.0] * len(steps), clusters, seed=seed)
        found.append(RankerRecall(name, dict(zip(AT, estimates, strict=True))))
    return found


def page_sizes(steps: Sequence[StepRanks]) -> PageSizes:
    """How many candidates the pages of steps have; there is one step at least."""
    counts = sorted(step.candidates for step in steps)
    return PageSizes(counts[0], counts[len(counts) // 2], counts[-1], sum(map(_is_large, steps)), len(counts))


def of_large_pages(steps: Iterable[StepRanks]) -> list[StepRanks]:
    """Those steps whose page has more than ``TOP`` candidates."""
    return [step for step in steps if _is_large(step)]


def problems_of(steps: Iterable[StepRanks]) -> Counter[str]:
    """Why steps have no acceptable element, with how many."""
    return Counter(step.problem for step in steps if step.problem)


def _is_large(step: StepRanks) -> bool:
    return step.candidates > TOP


def _best(ranker: Ranker, page: RankedPage) -> int | None:
    if page.problem:
        return None
    scores = ranker.score(page.step.query, page.step.elements)
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    return next(rank for rank, place in enumerate(order, start=1) if page.step.acceptable[place])

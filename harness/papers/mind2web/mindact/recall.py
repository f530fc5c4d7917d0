"""Recall at k: how often an acceptable element is among the k that a ranker puts first (Deng et al. 2023, 4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.statistics.clustered import mean_of_items_many
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import aligned, counted, percent, printable
from harness.papers.mind2web.demonstrations.asking import AskedStep, asked_step
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Demonstration
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker, LearningData, LearningStep
from harness.papers.mind2web.mindact.marked_page import UnreadableStepPage
from harness.papers.mind2web.mindact.ranker import TOP, Ranker, candidates_of, page_of, query_of
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact_options import LEARNED
from harness.papers.mind2web.traces import demonstrations_of
from harness.run.progress import Progress


@dataclass(frozen=True)
class RankedPage:
    """A step with its candidates, and what became of it on the way.

    Attributes:
        annotation_id: Of the demonstration.
        step: The candidates, and which of them may be chosen.
        problem: Why no ranker can find an acceptable one; empty if one can.
    """

    annotation_id: str
    step: LearningStep
    problem: str


def ranked_pages(
    demonstrations: Iterable[Demonstration], websites: Collection[str] | None = None
) -> Iterator[RankedPage]:
    """The steps of demonstrations, one after the other.

    Args:
        demonstrations: They are asked for one by one.
        websites: Only those of these sites; None for all.
    """
    for demonstration in demonstrations:
        if websites is not None and demonstration.website not in websites:
            continue
        for index, step in enumerate(demonstration.steps):
            yield RankedPage(demonstration.annotation_id, *_candidates(asked_step(demonstration, index), step))


def _candidates(asked: AskedStep, step: DemonstratedStep) -> tuple[LearningStep, str]:
    query = query_of(asked)
    try:
        elements = candidates_of(asked, page_of(asked))
    except UnreadableStepPage:
        return LearningStep(asked.website, query, (), ()), "unreadable page"
    wanted = {each.backend_node_id for each in step.positives}
    acceptable = tuple(element.backend_node_id in wanted for element in elements)
    problem = "" if any(acceptable) else "not on the cleaned page" if wanted else "no acceptable element recorded"
    return LearningStep(asked.website, query, tuple(elements), acceptable), problem


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


def recall_text(steps: Sequence[StepRanks], seed: int = 0) -> str:
    """Recall of rankers, over all pages and over the large ones.

    Args:
        steps: Where they put what may be chosen; one step at least.
        seed: Of the resampling.
    """
    return "\n".join(_lines(steps, seed))


def _lines(steps: Sequence[StepRanks], seed: int) -> Iterator[str]:
    sizes = page_sizes(steps)
    websites = sorted({step.website for step in steps})
    yield (
        f"{counted(len(steps), 'step')} of {counted(len({step.annotation_id for step in steps}), 'demonstration')} on "
        f"{printable(', '.join(websites))}; candidates a page: {sizes.least}–{sizes.median}–{sizes.most}"
    )
    for problem, number in problems_of(steps).most_common():
        yield f"missed by every ranker: {counted(number, 'step')}, {problem}"
    yield ""
    yield "all pages, recall in per cent (95 % interval, clustered by demonstration)"
    yield _table(recalls(steps, seed))
    large = of_large_pages(steps)
    yield ""
    if not large:
        yield f"no page has more than {TOP} candidates: recall at {TOP} says nothing here"
        return
    yield f"pages with more than {TOP} candidates alone ({counted(len(large), 'step')})"
    yield _table(recalls(large, seed))


def _table(found: Sequence[RankerRecall]) -> str:
    heading = ["ranker", *(f"@{k}" for k in AT)]
    return aligned([heading, *([each.ranker, *(_cell(each.at[k]) for k in AT)] for each in found)])


def _cell(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    return f"{percent(estimate.value)} ({percent(estimate.low)}–{percent(estimate.high)})"


class NotHeldOut(UserError):
    """A ranker would be measured on what it was trained on; the message says which."""


@dataclass
class RecallJob:
    """Rankers, measured.

    Attributes:
        traces: A file of demonstrations, or a folder of them.
        rankers: Their names; ``learned`` is learned from all sites but those on which it is measured.
        held_out: The sites to measure on; none for each in turn.
        seed: Of all that is drawn.
        shown: Is told how it gets on.
        split: The split to measure on; ``all`` for every demonstration.
    """

    traces: Path
    rankers: Sequence[str]
    held_out: tuple[str, ...]
    seed: int
    shown: Progress
    split: str = "all"
    _data: LearningData = field(init=False)
    _learned: dict[tuple[str, ...], LearnedRanker] = field(init=False, default_factory=dict)

    def ranks(self) -> list[StepRanks]:
        """Where the rankers put what may be chosen, step by step.

        Raises:
            NotHeldOut: a ranker was trained on a site that it is to be measured on.
            UserError: there is no step to measure on, a ranker cannot be made, or the demonstrations cannot be read.
        """
        if LEARNED in self.rankers:
            self._read_data()
        steps = list(ranks_of(self._pages("recall", self.held_out or None, self.split), self._for))
        if not steps:
            where = f" of {', '.join(self.held_out)}" if self.held_out else ""
            raise UserError(f"{self.traces} holds no step{where} to measure on")
        return steps

    def _for(self, website: str) -> list[Ranker]:
        without = self.held_out or (website,)
        learned = [self._without(without)] if LEARNED in self.rankers else []
        for ranker in self._given:
            # New tasks on known sites are what this split holds out.
            if website in ranker.learned_from and self.split != "cross-task":
                raise NotHeldOut(
                    f"{ranker.name} was trained on {', '.join(ranker.learned_from)}: measure it on another site, with "
                    "--held-out-website"
                )
        return [*self._given, *learned]

    @cached_property
    def _given(self) -> list[Ranker]:
        found = [ranker_named(name, self.seed) for name in self.rankers if name != LEARNED]
        if len({ranker.name for ranker in found}) < len(found):
            raise UserError("--ranker: give one of a kind only, since they are told apart by it")
        return found

    def _without(self, websites: tuple[str, ...]) -> LearnedRanker:
        if websites not in self._learned:
            self._learned[websites] = self._data.learned(without=websites)
        return self._learned[websites]

    def _read_data(self) -> None:
        self._data = LearningData(self.seed)
        for page in self._pages("reading what is learned from", None):
            self._data.add(page.step)

    def _pages(self, what: str, websites: tuple[str, ...] | None, split: str = "all") -> Iterator[RankedPage]:
        self.shown.start(what, None)
        try:
            for page in ranked_pages(demonstrations_of(self.traces, split, self.seed), websites):
                yield page
                self.shown.advance(None, None)
        finally:
            self.shown.finish()

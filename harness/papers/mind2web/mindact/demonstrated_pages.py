"""Steps of demonstrations as rankers learn from them and are measured on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from harness.papers.mind2web.demonstrations.asked_step import AskedStep
from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Demonstration
from harness.papers.mind2web.mindact.learned_ranker import LearningStep
from harness.papers.mind2web.mindact.marked_page import UnreadableStepPage
from harness.papers.mind2web.mindact.ranker import candidates_of, page_of, query_of


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

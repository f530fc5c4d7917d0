"""How often rankers find what may be chosen, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.kit.statistics.estimate import Estimate
from harness.kit.text import aligned, counted, percent, printable
from harness.papers.mind2web.mindact.ranker import TOP
from harness.papers.mind2web.mindact.recall import (
    AT,
    RankerRecall,
    StepRanks,
    of_large_pages,
    page_sizes,
    problems_of,
    recalls,
)


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

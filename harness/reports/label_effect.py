"""What one label in place of many does to the scores of a run, as text."""

from __future__ import annotations

from harness.analysis.people.label_aggregations import AGGREGATIONS, MAJORITY
from harness.analysis.rescoring import Relabelled
from harness.kit.text import NOTHING, aligned, percent, points
from harness.records.results import MeanScores, Results
from harness.reports.run_summary import OVERALL


def effect_table(labels: Relabelled, after: Results) -> str:
    """What an aggregation of labels did to the scores of a run, as text.

    Args:
        labels: The labels that the results were made with.
        after: The results.
    """
    before, done, name = labels.majority, labels.effect, labels.aggregation
    rows = [["score", MAJORITY, name, "change", "constant", name, "change"]]
    places: list[tuple[str, MeanScores, MeanScores]] = [(OVERALL, before.overall, after.overall)]
    places += [(f"split {split}", before.splits[split], each) for split, each in after.splits.items()]
    places += [(f"kind {kind}", before.kinds[kind], each) for kind, each in after.kinds.items()]
    for title, old, new in places:
        rows.append([title, *_change(old.score, new.score), *_change(old.constant, new.constant)])
    told = (
        f"{done.replaced:,} of {done.fields:,} scored choices have one label in place of several. As they are: "
        f"{done.single:,} with fewer than two votes, {done.kept:,} whose options differ between instances or "
        f"whose answer no one label can say. Questions decided against the votes: {done.overturned:,}; "
        f"ties decided: {done.ties:,}."
    )
    return f"Labels: {name} ({AGGREGATIONS[name]})\n\n{aligned(rows)}\n\n{told}"


def _change(before: float | None, after: float | None) -> list[str]:
    if before is None or after is None:
        return [NOTHING, NOTHING, NOTHING]
    return [percent(before), percent(after), points(after - before)]

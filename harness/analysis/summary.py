"""From instance scores to the numbers of a run: per task, per kind, overall, with ceilings, floors and counts.

An instance is the mean of its scored fields, a task the mean of its scored instances, and the headline the mean of
its tasks (docs/metrics.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from harness.analysis.counts import Counts
from harness.analysis.means import Numbers, bounds, number, numbers_of, task_means, with_skill
from harness.analysis.score_table import FIELD_MEASURES, MEASURES, ScoreTable
from harness.files.codec import typed
from harness.runlog.episode import OUTCOMES
from harness.runlog.results import Results
from harness.scoring.scores import InstanceScore


def summarise(scores: Iterable[InstanceScore]) -> Results:
    """All numbers of a run.

    Args:
        scores: One per episode, under one profile, in any order. They are looked at once, and none is kept, so that a
            run of any length takes little memory.
    """
    table, counts = ScoreTable(), Counts()
    for score in scores:
        table.add(score)
        counts.add(score.episode)
    instances, fields = table.instances(), table.fields()
    tasks = task_means(instances)
    splits = tasks.groupby("split", observed=True)
    overall = with_skill(numbers_of(tasks[list(MEASURES)].mean()))
    overall["instances"] = int(instances["score"].notna().sum())
    overall["tasks"] = int(tasks["score"].notna().sum())
    overall["mean_over_instances"] = number(instances["score"].mean())
    overall["mean_over_fields"] = number(fields["score"].mean())
    overall["bounds"] = bounds(instances)
    found = {
        "overall": overall,
        "splits": {str(split): with_skill(numbers_of(group[list(MEASURES)].mean())) for split, group in splits},
        "tasks": {str(name): _task_numbers(row) for name, row in tasks.iterrows()},
        "kinds": {str(kind): _kind_numbers(group) for kind, group in fields.groupby("kind", observed=True)},
        "outcomes": {outcome: counts.outcomes[outcome] for outcome in OUTCOMES},
        "rates": counts.rates(),
        "unscored_fields": dict(sorted(counts.unscored.items())),
    }
    return typed(found, Results)


def _task_numbers(row: pd.Series[Any]) -> Numbers:
    counts = {"split": row["split"], "instances": int(row["instances"]), "episodes": int(row["episodes"])}
    return {**counts, **with_skill(numbers_of(row[list(MEASURES)]))}


def _kind_numbers(group: pd.DataFrame) -> Numbers:
    untied = number(group.loc[~group["tied"].astype(bool), "score"].mean())
    return {"fields": len(group), **with_skill(numbers_of(group[list(FIELD_MEASURES)].mean())), "untied": untied}

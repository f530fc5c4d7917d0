"""From instance scores to the numbers of a run: per task, per kind, overall, with ceilings, floors and counts.

An instance is the mean of its scored fields, a task the mean of its scored instances, and the headline the mean of
its tasks (docs/metrics.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from harness.answers import SCORED, UNLABELLED
from harness.episode import OUTCOMES, FieldRecord
from harness.labels import is_blank
from harness.scoring import InstanceScore

MEASURES = ("score", "ceiling", "do_nothing", "constant", "untied")
Numbers = dict[str, Any]


def summarise(scores: Sequence[InstanceScore]) -> Numbers:
    """All numbers of a run, as a JSON object.

    Args:
        scores: One per episode, under one profile.

    Returns:
        ``overall``, ``splits``, ``tasks`` and ``kinds`` with score, ceiling, floors and skill; ``outcomes`` and
        ``rates``; ``unscored_fields`` by reason. A number that nothing could be measured for is null.
    """
    # Sums of fractions depend on their order, and workers finish in any.
    scores = sorted(scores, key=lambda score: (score.episode.task, score.episode.index))
    instances = _instances(scores)
    fields = _fields(scores)
    tasks = _task_means(instances)
    overall = _with_skill(_row(tasks[list(MEASURES)].mean()))
    overall["instances"] = int(instances["score"].notna().sum())
    overall["tasks"] = int(tasks["score"].notna().sum())
    overall["mean_over_instances"] = _number(instances["score"].mean())
    overall["mean_over_fields"] = _number(fields["score"].mean())
    overall["bounds"] = _bounds(instances)
    return {
        "overall": overall,
        "splits": {
            str(split): _with_skill(_row(group[list(MEASURES)].mean())) for split, group in tasks.groupby("split")
        },
        "tasks": {str(name): _task_numbers(row) for name, row in tasks.iterrows()},
        "kinds": {str(kind): _kind_numbers(group) for kind, group in fields.groupby("kind")},
        "outcomes": _outcomes(scores),
        "rates": _rates(scores),
        "unscored_fields": dict(Counter(f.status for s in scores for f in s.episode.fields if f.status != SCORED)),
    }


def _instances(scores: Sequence[InstanceScore]) -> pd.DataFrame:
    rows = [
        {
            "task": score.episode.task,
            "split": score.episode.split,
            "outcome": score.episode.outcome,
            **{measure: getattr(score, measure) for measure in MEASURES},
        }
        for score in scores
    ]
    frame = pd.DataFrame(rows, columns=["task", "split", "outcome", *MEASURES])
    return frame.astype(dict.fromkeys(MEASURES, "float64"))


def _fields(scores: Sequence[InstanceScore]) -> pd.DataFrame:
    rows = [
        {
            "kind": field.record.kind,
            "score": field.score.score,
            "ceiling": field.score.ceiling,
            "do_nothing": field.do_nothing.score,
            "constant": field.constant.score,
            "tied": field.score.tied,
        }
        for score in scores
        for field in score.fields
    ]
    return pd.DataFrame(rows, columns=["kind", "score", "ceiling", "do_nothing", "constant", "tied"])


def _task_means(instances: pd.DataFrame) -> pd.DataFrame:
    groups = instances.groupby("task", sort=True)
    means = groups[list(MEASURES)].mean()
    means["split"] = groups["split"].first()
    means["instances"] = groups["score"].count()
    means["episodes"] = groups.size()
    return means


def _task_numbers(row: pd.Series[Any]) -> Numbers:
    counts = {"split": row["split"], "instances": int(row["instances"]), "episodes": int(row["episodes"])}
    return {**counts, **_with_skill(_row(row[list(MEASURES)]))}


def _kind_numbers(group: pd.DataFrame) -> Numbers:
    measures = ["score", "ceiling", "do_nothing", "constant"]
    untied = _number(group.loc[~group["tied"].astype(bool), "score"].mean())
    return {"fields": len(group), **_with_skill(_row(group[measures].mean())), "untied": untied}


def _row(means: pd.Series[Any]) -> Numbers:
    return {str(name): _number(value) for name, value in means.items()}


def _number(value: object) -> float | None:
    return None if pd.isna(value) else float(value)  # type: ignore[arg-type, call-overload]


def _with_skill(numbers: Numbers) -> Numbers:
    """Add the share of the ceiling, and of the way from each floor to the ceiling, that the score reaches."""
    score, ceiling = numbers["score"], numbers["ceiling"]
    numbers["of_ceiling"] = score / ceiling if score is not None and ceiling else None
    for floor in ("do_nothing", "constant"):
        numbers[f"skill_over_{floor}"] = _skill(score, ceiling, numbers[floor])
    return numbers


def _skill(score: float | None, ceiling: float | None, floor: float | None) -> float | None:
    if score is None or ceiling is None or floor is None or ceiling - floor < 1e-9:
        return None
    return (score - floor) / (ceiling - floor)


def _bounds(instances: pd.DataFrame) -> list[float] | None:
    """The least and the most that the headline can be, whatever the instances without a score had scored."""
    missing = instances["outcome"] == "harness_error"
    if not missing.any():
        return None
    bounds = []
    for value in (0.0, 1.0):
        filled = instances["score"].where(~missing, value)
        bounds.append(float(filled.groupby(instances["task"]).mean().mean()))
    return bounds


def _outcomes(scores: Sequence[InstanceScore]) -> dict[str, int]:
    counts = Counter(score.episode.outcome for score in scores)
    return {outcome: counts[outcome] for outcome in OUTCOMES}


def _rates(scores: Sequence[InstanceScore]) -> Mapping[str, float | None]:
    submissions = [score.episode.submission for score in scores if score.episode.submission]
    blank = [field for score in scores for field in score.episode.fields if field.status == UNLABELLED]
    accepted = sum(submission.accepted for submission in submissions)
    return {
        "accepted_submissions": accepted / len(submissions) if submissions else None,
        "filled_where_every_worker_left_blank": sum(map(_filled, blank)) / len(blank) if blank else None,
    }


def _filled(field: FieldRecord) -> bool:
    return field.sent != field.untouched and not all(map(is_blank, field.sent))

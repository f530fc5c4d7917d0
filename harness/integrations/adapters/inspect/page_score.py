"""The scorer: our score of the form as it was sent, and our means over tasks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from harness.integrations.adapters.inspect.open_page import page_of_sample
from harness.integrations.adapters.inspect.registry_names import named_as_given
from harness.integrations.adapters.stage.messages import Ended
from harness.integrations.exports.inspect_sample import MEAN, MEASURES, SCORER
from harness.kit.statistics.clustered import mean_of_clusters
from harness.kit.statistics.estimate import Estimate


@metric(name=MEAN)
@named_as_given
def mean_over_tasks() -> Metric:
    """The mean over tasks of the means of their instances: the headline of a run of ours."""

    def mean(scores: list[SampleScore]) -> float:
        return _number(_over_tasks(scores).value)

    return mean


@metric(name="interval_over_tasks")
@named_as_given
def interval_over_tasks() -> Metric:
    """The interval of this mean, 95 %, for tasks like these; ``nan`` where there are too few of them for one."""

    def interval(scores: list[SampleScore]) -> Mapping[str, float]:
        found = _over_tasks(scores)
        return {"low": _number(found.low), "high": _number(found.high)}

    return interval


def _over_tasks(scores: Sequence[SampleScore]) -> Estimate:
    numbers: dict[Any, int] = {}
    clusters = [numbers.setdefault((each.sample_metadata or {})["task"], len(numbers)) for each in scores]
    return mean_of_clusters([each.score.as_float() for each in scores], clusters)


@scorer(
    name=SCORER,
    metrics={name: [mean_over_tasks(), *([interval_over_tasks()] if name == "score" else [])] for name in MEASURES},
)
@named_as_given
def page_score() -> Scorer:
    """Sends the form as it stands, if it is not sent yet, and tells what came of it."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - there is none: labels stay elsewhere
        return score_of(await page_of_sample().end())

    return score


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def score_of(ended: Ended) -> Score:
    """What came of an episode, as Inspect keeps it; what is not known is ``nan``."""
    return Score(
        value={name: _number(getattr(ended, name)) for name in MEASURES},
        explanation=": ".join(filter(None, (ended.outcome, ended.limit and f"limit {ended.limit}", ended.detail))),
        reason=ended.outcome if ended.score is None else None,
        metadata={"outcome": ended.outcome, "limit": ended.limit, "fields": dict(ended.fields)},
    )

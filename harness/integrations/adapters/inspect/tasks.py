"""The tasks: forms, and websites."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from harness.catalog.kinds import KindName
from harness.integrations.adapters.inspect.open_page import Pages, name_of, named_as_given, page_of_sample
from harness.integrations.adapters.inspect.page_agent import PageTools, content_of, page_agent
from harness.integrations.adapters.stage.messages import Ended, Instances
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.integrations.exports.inspect_sample import MEAN, MEASURES, SCORER, sample_id
from harness.kit.errors import UserError
from harness.kit.files.installation import own_version
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


FRAMEWORK = "inspect"
SECONDS = 3_600.0
"""How long a page may be worked on, unless somebody says otherwise: Inspect counts turns, tokens and time itself."""


@task(name=name_of("forms"))
@named_as_given
def forms(encoding: str = "simplified", pages: int = 2, max_turns: int = 30, **settings: Any) -> Task:
    """The pages of crowdsourcing tasks.

    Args:
        encoding: How the page's text is written (docs/reference/encodings.md).
        pages: So many pages at most are open at the same time, each in a browser of its own.
        max_turns: Replies of a model; what the form holds after the last one is scored.
        settings: Arguments of ``harness.integrations.adapters.stage.stage_config.stage_config``, such as ``task``,
            ``split`` and ``max_seconds``.

    Raises:
        UserError: there are no such instances.
    """
    return _task("form", encoding, pages, max_turns, **settings)


@task(name=name_of("sites"))
@named_as_given
def sites(encoding: str = "simplified", pages: int = 2, max_turns: int = 30, **settings: Any) -> Task:
    """Goals on websites; arguments and errors as of ``forms``."""
    return _task("site", encoding, pages, max_turns, **settings)


def _task(kind: KindName, encoding: str, at_once: int, max_turns: int, **settings: Any) -> Task:
    config = stage_config(FRAMEWORK, kind, **{"max_seconds": SECONDS, **settings})
    with Stage(config) as stage:
        samples = samples_of(stage.instances())
    if not samples:
        raise UserError(f"no instance is chosen in {config.tasks_dir}: see task, split and tasks_dir")
    pages = Pages(config, at_once)
    return Task(
        MemoryDataset(samples, name=config.tasks_dir.name),
        setup=open_page(pages, encoding),
        solver=page_agent(max_turns),
        cleanup=pages.leave,
        scorer=page_score(),
        turn_limit=max_turns,
        version=own_version(),
        metadata={"metrics": config.metrics},
    )


def samples_of(instances: Instances) -> list[Sample]:
    """A sample for each instance. It names the instance, and has no target: labels stay in the process of the stage."""
    return [
        Sample(f"{task}, row {row}", id=sample_id(task, row), metadata={"task": task, "row": row})
        for task, rows in instances.items()
        for row in rows
    ]


@solver(name=name_of("open_page"))
@named_as_given
def open_page(pages: Pages, encoding: str) -> Solver:
    """Opens the page of a sample: messages become what a model is told of it, and tools are those of the page.

    Args:
        pages: Where it is opened.
        encoding: How the page's text is written.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - Inspect's interface
        page = await pages.open(state)
        seen = await page.call("observe", {"encoding": encoding})
        state.messages = [
            ChatMessageSystem(content=page.told.instructions),
            ChatMessageUser(content=content_of(seen)),
        ]
        state.tools = await PageTools().tools()
        return state

    return solve

"""The environment's data set and its rubric."""

from __future__ import annotations

import math
from typing import Any

import verifiers
from datasets import Dataset

from harness.catalog.task_kinds import KindName
from harness.integrations.adapters.stage.messages import Instances
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.integrations.adapters.verifiers.page_env import PageEnv
from harness.kit.errors.user import UserError

KNOWN = ("ceiling", "do_nothing", "constant")
"""What is told of an episode beside its score, as metrics."""


def load_environment(
    kind: KindName = "form",
    task: str | None = None,
    split: str | None = None,
    *,
    encoding: str = "simplified",
    pages: int = 2,
    max_turns: int = 30,
    **settings: Any,
) -> verifiers.Environment:
    """The pages of a task, or of all tasks of a split.

    Args:
        kind: Of the tasks.
        task: Only this task, by its exact name or a glob; None for all.
        split: Only tasks of this split; None for all.
        encoding: How the page's text is written (docs/encodings.md).
        pages: So many rollouts at most are played at once, each in a browser of its own.
        max_turns: Replies of a model; what the form holds after the last one is scored.
        settings: Further arguments of ``harness.integrations.adapters.stage.stage_config.stage_config``, such as
            ``max_seconds``.

    Raises:
        UserError: there are no such instances.
    """
    config = stage_config("verifiers", kind, task=task, split=split, **settings)
    with Stage(config) as stage:
        rows = examples(stage.instances())
    if not rows:
        raise UserError(f"no instance is chosen in {config.tasks_dir}: see task, split and tasks_dir")
    rubric = verifiers.Rubric(funcs=[score])
    for name in KNOWN:
        rubric.add_metric(_metric(name))
    return PageEnv(
        config, pages=pages, encoding=encoding, dataset=Dataset.from_list(rows), rubric=rubric, max_turns=max_turns
    )


def examples(instances: Instances) -> list[dict[str, Any]]:
    """A row of the data set for each instance: its name as the prompt, which the page takes the place of."""
    return [
        {"prompt": [{"role": "user", "content": f"{task}, row {row}"}], "info": {"of_task": task, "row": row}}
        for task, rows in instances.items()
        for row in rows
    ]


async def score(state: verifiers.State) -> float:
    """The reward: the score of the form as it was sent, 0 to 1; nan if it is not known."""
    return _told(state, "score")


def _metric(name: str) -> Any:
    async def metric(state: verifiers.State) -> float:
        return _told(state, name)

    metric.__name__ = name
    return metric


def _told(state: verifiers.State, name: str) -> float:
    known = (state.get("outcome") or {}).get(name)
    return math.nan if known is None else float(known)

"""The task set: an instance is a task, and its reward is our score."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import verifiers.v1 as vf

from harness.catalog.kinds import KindName
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.errors import UserError
from harness.records.config import RunConfig

OUTCOME = "outcome"
"""Where a trace's ``info`` has what came of the episode (``...adapters.stage.messages.Ended``)."""
KNOWN = ("ceiling", "do_nothing", "constant")
"""What is told of an episode beside its score, as metrics."""


class PageTasksetConfig(vf.TasksetConfig):
    """Which instances there are, and how their pages are scored: ``--env.taskset.*``.

    Attributes:
        kind: Of the tasks: ``form`` or ``site``.
        tasks: Only tasks of this name, which may be a glob; None for all.
        split: Only tasks of this split; None for all.
        tasks_dir: The folder of the tasks; None for the bundled ones.
        overlay: Further facts about them.
        metrics: The profile of scores.
        max_steps: Actions of an episode.
        max_seconds: Seconds of an episode.
        max_instances: At most so many instances of a task.
        headed: Show the browser's window.
    """

    kind: KindName = "form"
    tasks: str | None = None
    split: str | None = None
    tasks_dir: str | None = None
    overlay: str | None = None
    metrics: str = RunConfig.metrics
    max_steps: int = 100
    max_seconds: float = 3600.0
    max_instances: int | None = None
    headed: bool = False


class PageData(vf.TaskData):
    """An instance, without a label of it.

    Attributes:
        of_task: Its task's name.
        row: Its place in the task's table, from 0.
        stage: Of the stage on which it is played: arguments of ``stage_config``.
    """

    of_task: str
    row: int
    stage: dict[str, Any]


class PageTask(vf.Task[PageData]):
    """An instance that is scored by what came of its episode."""

    @property
    def key(self) -> str:
        """The name of the instance; unlike the content of its data, it is the same on every machine."""
        return f"{self.data.of_task}, row {self.data.row}"

    @vf.reward
    async def page_score(self, trace: vf.Trace) -> float:
        """The score of the form as it was sent, 0 to 1; nan if it is not known."""
        return _told(trace, "score")

    @vf.metric
    async def floors_and_ceiling(self, trace: vf.Trace) -> Mapping[str, float]:
        """The best that the labels allow, and what can be had without judgement; nan if it is not known."""
        return {name: _told(trace, name) for name in KNOWN}


class PageTaskset(vf.Taskset[PageTask, PageTasksetConfig]):
    """The instances of a task, or of all tasks of a split."""

    def load(self) -> Iterator[PageTask]:
        """A task for each; its prompt is its name, which the page takes the place of.

        Raises:
            UserError: there are no such instances.
        """
        settings = settings_of(self.config)
        config = stage_of(settings)
        with Stage(config) as stage:
            instances = stage.instances()
        if not any(instances.values()):
            raise UserError(f"no instance is chosen in {config.tasks_dir}: see tasks, split and tasks_dir")
        for task, rows in instances.items():
            for row in rows:
                name = f"{task}, row {row}"
                yield PageTask(
                    PageData(name=name, prompt=name, of_task=task, row=row, stage=settings), self.config.task
                )


def settings_of(config: PageTasksetConfig) -> dict[str, Any]:
    """The arguments of ``stage_config`` that a configuration holds."""
    settings: dict[str, Any] = config.model_dump(exclude=set(vf.TasksetConfig.model_fields))
    settings["task"] = settings.pop("tasks")  # a "task" there is the framework's
    return settings


def stage_of(settings: Mapping[str, Any]) -> RunConfig:
    """The configuration of a stage."""
    return stage_config("verifiers", **settings)


def _told(trace: vf.Trace, name: str) -> float:
    known = (trace.info.get(OUTCOME) or {}).get(name)
    return math.nan if known is None else float(known)

"""Somebody else's CUBE in runs of ours: each task is an episode on a website, scored by the task's reward."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any

from cube.task import RuntimeContext, TaskConfig

from harness.browser.site_browser import SiteBrowser
from harness.catalog.task import FACTS
from harness.integrations.adapters.cube.benchmark_process import BenchmarkProcess
from harness.integrations.adapters.cube.foreign_task import ForeignTask
from harness.integrations.adapters.cube.installed_cube import configuration_of, tasks_of
from harness.kit.files.writing import path_name
from harness.records.config import CubeChoice
from harness.run.bundle import bundled, write, written
from harness.run.run_tasks import NoForeignTasks

GOAL = "Do what the task asks for."


class ForeignCube:
    """See ``harness.run.run_tasks.ForeignTasks``. Its tasks have to do with a browser tool what they do."""

    def __init__(self, choice: CubeChoice) -> None:
        """Import it.

        Args:
            choice: Which.

        Raises:
            NoForeignTasks: there is none, or it does not take its settings or origins.
        """
        self._origins = choice.origins
        self._config = configuration_of(choice)
        self._tasks = tasks_of(self._config)
        self._process = BenchmarkProcess(self._config)
        self._context: RuntimeContext | None = None

    def folder(self) -> Path:
        """See ``ForeignTasks``."""
        if not self._tasks:
            raise NoForeignTasks(f"{self._config.name} has no tasks")
        name = path_name(self._config.name)
        files = ((f"{name}/{task}/{FACTS}", _json(self._facts(config))) for task, config in sorted(self._tasks.items()))
        bundle = bundled(files)
        try:
            return (written(bundle.name) or write(bundle)) / name
        except OSError as error:
            raise NoForeignTasks(f"the cache cannot be written: {error}") from error

    def __enter__(self) -> ForeignCube:
        self._context = self._process.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def lend(self, task: str, browser: SiteBrowser) -> closing[ForeignTask]:
        """See ``ForeignTasks``."""
        return closing(ForeignTask(self._tasks[task], self._context, browser))

    def _facts(self, task: TaskConfig) -> dict[str, Any]:
        """What ``task.json`` says of one of its tasks; what is to be done, the task says when it is played."""
        benchmark, metadata = self._config.benchmark_metadata, task.metadata
        of_benchmark = f"A task of the CUBE benchmark {benchmark.name} {benchmark.version}."
        return {
            "kind": "site",
            "title": task.task_id,
            "description": " ".join(filter(None, (metadata.abstract_description, of_benchmark))),
            "split": metadata.split,
            "licence": benchmark.license,
            "goal": GOAL,
            "start": f"{self._origins[0]}/",
            "origins": list(self._origins),
            "evaluators": {"page_reward": True},
            "max_steps": metadata.recommended_max_steps,
        }


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, indent=1).encode() + b"\n"

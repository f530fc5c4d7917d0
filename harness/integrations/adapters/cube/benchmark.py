"""Forms and websites as one benchmark of CUBE."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from cube.benchmark import Benchmark, BenchmarkConfig, BenchmarkMetadata, ResetIsolation
from cube.core import Observation
from cube.task import RuntimeContext, Task, TaskConfig, TaskMetadata
from pydantic import Field, SerializeAsAny

from harness.catalog import Catalog
from harness.catalog.kinds import KindName
from harness.catalog.tasks_folder import NAMESPACE, instance_id
from harness.integrations.adapters.cube.page_tool import FRAMEWORK, PageTool, PageToolConfig
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.files.codec import plain


class PageMetadata(TaskMetadata):
    """What is known of an instance without opening it.

    Attributes:
        kind: Of its task.
        task: The task's name.
        row: The instance's place in its table, from 0.
        part: The split it is in. CUBE's ``split`` knows train, val and test alone: what is not in train is test there.
    """

    kind: KindName
    task: str
    row: int
    part: str


class PageTask(Task[PageMetadata, PageTool]):
    """One instance, from the open page to the submitted form, or to the end of the work on a website."""

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Open the page.

        Returns:
            What every agent is told of it with the page as text, and the instance with its fields as they are now.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        page, now, seen = self.tool.open(self.metadata.task, self.metadata.row)
        fields = [plain(field) for field in now.fields if field.name in page.names]
        told = {"task": self.metadata.task, "row": self.metadata.row, "goal": page.goal, "fields": fields}
        return seen, told

    def finished(self, obs: Observation | None = None) -> bool:  # noqa: ARG002 - CUBE hands it over
        """Whether the form was sent, the work on the website has ended, or a limit was reached."""
        return self.tool.ended is not None

    def evaluate(self, obs: Observation | None = None) -> tuple[float, dict[str, Any]]:  # noqa: ARG002 - as above
        """The score, 0 to 1, and what came of the episode. What is not over is ended: what the form holds is sent.

        A score that is not known, as where a judge would have to decide, is not a number.

        Raises:
            NotStaged, StageGone: no page was opened, or its browser was lost.
        """
        ended = self.tool.submit()
        return math.nan if ended.score is None else ended.score, plain(ended)


class PageTaskConfig(TaskConfig[PageMetadata]):
    """What a worker needs to make a task."""

    def make(self, runtime_context: RuntimeContext | None = None) -> PageTask:
        """The task; nothing starts before it is reset.

        Args:
            runtime_context: Of the benchmark, which shares nothing: each task has a browser and a server of its own.
        """
        given = self.tool_config or PageToolConfig()
        tool = given.model_copy(update={"kind": self.metadata.kind})
        return PageTask(metadata=self.metadata, tool_config=tool, runtime_context=runtime_context)


KINDS: tuple[KindName, ...] = ("form", "site")


class PageBenchmark(Benchmark["PageBenchmarkConfig"]):
    """Nothing that tasks share: each has a browser and a server of its own."""

    def _setup(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class PageBenchmarkConfig(BenchmarkConfig[PageMetadata]):
    """Each instance that somebody has labelled, of forms and of websites, as a task.

    Attributes:
        kinds: The kinds of tasks that are in it.
        tool_config: Where the tasks are, and how their pages are shown and scored.
    """

    benchmark_metadata: ClassVar[BenchmarkMetadata] = BenchmarkMetadata(
        name=NAMESPACE,
        version="0.1.0",
        description="Crowdsourcing tasks as forms to fill in, and goals on websites, in a real browser",
        license="MIT",
        num_tasks=542,
        tags=["browser", "web", "forms", "crowdsourcing"],
        requirements={"browser": "Chromium"},
        reset_isolation=ResetIsolation.RESTART,
        named_subsets={
            "forms": ("kind", "form"),
            "sites": ("kind", "site"),
            "train": ("part", "train"),
            "test": ("part", "test"),
            "challenge": ("part", "challenge"),
        },
    )
    task_config_class: ClassVar[type[TaskConfig]] = PageTaskConfig
    benchmark_class: ClassVar[type[Benchmark]] = PageBenchmark

    kinds: tuple[KindName, ...] = KINDS
    tool_config: SerializeAsAny[PageToolConfig] = Field(default_factory=PageToolConfig)

    @property
    def task_metadata(self) -> Mapping[str, PageMetadata]:
        """The tasks by id.

        Raises:
            UserError: the folder of the tasks cannot be read.
        """
        made: dict[str, PageMetadata] = {}
        for kind in self.kinds:
            made |= _instances(kind, self.tool_config.tasks_dir, self.tool_config.overlay, self.tool_config.max_steps)
        return made


@cache
def _instances(kind: KindName, tasks_dir: Path | None, overlay: Path | None, steps: int) -> Mapping[str, PageMetadata]:
    """Those of a kind of task, by id; none if the folder has no task of that kind."""
    config = stage_config(FRAMEWORK, kind, tasks_dir=tasks_dir, overlay=overlay)
    catalog = Catalog(config.tasks_dir, config.overlay)
    if kind not in map(catalog.kind_of, catalog.names()):
        return {}
    made = {}
    with Stage(config) as stage:
        for task, rows in stage.instances().items():
            part = catalog.split_of(task)
            for row in rows:
                id_ = instance_id(kind, task, row)
                made[id_] = PageMetadata(
                    id=id_,
                    split="train" if part == "train" else "test",
                    abstract_description=catalog.facts(task).description,
                    recommended_max_steps=steps,
                    kind=kind,
                    task=task,
                    row=row,
                    part=part,
                )
    return made

"""Forms and websites as one benchmark of CUBE."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import ClassVar

from cube.benchmark import Benchmark, BenchmarkConfig, BenchmarkMetadata, ResetIsolation
from cube.task import TaskConfig
from pydantic import Field, SerializeAsAny

from harness.catalog import Catalog
from harness.catalog.kinds import KindName
from harness.catalog.tasks_folder import NAMESPACE, instance_id
from harness.integrations.adapters.cube.page_task import PageMetadata, PageTaskConfig
from harness.integrations.adapters.cube.page_tool import FRAMEWORK, PageToolConfig
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config

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

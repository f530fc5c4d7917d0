"""What a run is about: its configuration, and the instances that it picks from the catalog."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from harness.answers import is_answered
from harness.catalog import Catalog
from harness.catalog.problems import MalformedTask, Problem
from harness.catalog.task import Instance
from harness.episode import Limits, TaskKey

DisplayName = Literal["webdriver", "desktop"]


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides a run.

    Attributes:
        solver: A name of ``harness.solver.SOLVERS``, or ``package.module:Class``.
        tasks_dir: The folder of task folders.
        overlay: A file of further facts about its tasks.
        split: Only tasks of this split.
        tasks: Only these tasks: exact names, or globs.
        max_instances: At most this many instances of a task, drawn by the seed.
        workers: Browsers at a time.
        seed: Of the sample and of solvers that draw.
        metrics: A name of ``harness.metrics.PROFILES``.
        headed: Show the browser's window.
        display: Where the visual actions take place.
        live_clock: Leave chance and time of pages alone.
        server: The origin of a server in agent mode that runs already; None to start one.
        limits: Per episode.
    """

    solver: str
    tasks_dir: Path
    overlay: Path | None = None
    split: str | None = None
    tasks: tuple[str, ...] = ()
    max_instances: int | None = None
    workers: int = 1
    seed: int = 0
    metrics: str = "standard"
    headed: bool = False
    display: DisplayName = "webdriver"
    live_clock: bool = False
    server: str | None = None
    limits: Limits = field(default_factory=Limits)

    def to_json(self) -> dict[str, Any]:
        """A JSON object; paths as text."""
        record = asdict(self)
        return {key: str(value) if isinstance(value, Path) else value for key, value in record.items()}


@dataclass(frozen=True)
class Job:
    """One instance to be worked on."""

    key: TaskKey
    instance: Instance


@dataclass
class Selection:
    """What a run evaluates, and what it leaves out.

    Attributes:
        jobs: The instances, task by task.
        problems: Why tasks cannot be used.
        left_out: Counts of what is not evaluated, by reason.
    """

    jobs: list[Job] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def select_instances(catalog: Catalog, config: RunConfig) -> Selection:
    """Choose the instances of a run.

    A task without a table or one that cannot be read is left out and counted, and so is an instance that nobody
    labelled. With ``max_instances`` the first of a permutation is taken that depends on seed and instance ids alone.

    Raises:
        harness.catalog.problems.CatalogError: unknown split or task.
    """
    selection = Selection()
    for name in catalog.select(config.split, config.tasks):
        try:
            task = catalog.task(name)
        except MalformedTask as error:
            selection.problems += error.problems
            selection.left_out["tasks that cannot be read"] += 1
            continue
        if not task.evaluable:
            selection.left_out["tasks without a table of labels"] += 1
            continue
        labelled = [instance for instance in task.instances if is_answered(instance)]
        selection.left_out["instances that nobody labelled"] += len(task.instances) - len(labelled)
        key = TaskKey.of(task)
        chosen = _sample(labelled, config.seed, config.max_instances)
        selection.jobs += [Job(key, instance) for instance in chosen]
    selection.left_out = +selection.left_out
    return selection


def _sample(instances: Sequence[Instance], seed: int, at_most: int | None) -> list[Instance]:
    if at_most is None:
        return list(instances)
    drawn = sorted(instances, key=lambda each: hashlib.sha256(f"{seed}:{each.id}".encode()).digest())
    return sorted(drawn[:at_most], key=lambda each: each.index)

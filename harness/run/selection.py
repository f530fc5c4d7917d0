"""What a run is about: its configuration, and the instances that it picks from the catalog."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from harness.answers.columns import is_answered
from harness.catalog import Catalog
from harness.catalog.problems import MalformedTask, Problem
from harness.catalog.task import Instance, Task
from harness.episode.limits import Limits
from harness.episode.registry import LeaveOut
from harness.episode.solver import Setup
from harness.mirror.outside import Network, Outside

DisplayName = Literal["webdriver", "desktop"]


_PATHS = ("tasks_dir", "overlay", "media")


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides a run.

    Attributes:
        solver: A name as ``harness.episode.registry.find_solver`` takes it.
        tasks_dir: The folder of task folders.
        options: What the solver's user chose, see ``harness.episode.solver.Setup``.
        overlay: A file of further facts about its tasks.
        split: Only tasks of this split.
        tasks: Only these tasks: exact names, or globs.
        max_instances: At most this many instances of a task, drawn by the seed.
        workers: Browsers at a time.
        seed: Of the sample, and of solvers that draw unless they have a seed of their own.
        solver_seed: Of solvers that draw; None for the seed of the sample.
        metrics: A name of ``harness.metrics.PROFILES``.
        headed: Show the browser's window.
        display: Where the visual actions take place.
        live_clock: Leave chance and time of pages alone.
        server: The origin of a server in agent mode that runs already; None to start one.
        limits: Per episode.
        network: What pages reach: the mirror of outside files, the network itself, or nothing.
        media: Folder of local copies of outside media.
        skip_missing_media: Leave out instances whose page needs media that are not there.
        exclude_content_warnings: Leave out tasks that are marked as offensive.
    """

    solver: str
    tasks_dir: Path
    options: Mapping[str, Any] = field(default_factory=dict)
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
    network: Network = "mirror"
    media: Path | None = None
    skip_missing_media: bool = False
    exclude_content_warnings: bool = False
    solver_seed: int | None = None

    @property
    def drawing_seed(self) -> int:
        """The seed of solvers that draw."""
        return self.seed if self.solver_seed is None else self.solver_seed

    def setup(self, folder: Path) -> Setup:
        """What the solver is made of, in a run whose directory is ``folder``."""
        return Setup(self.solver, self.options, folder, self.tasks_dir, self.overlay, self.drawing_seed)

    def to_json(self) -> dict[str, Any]:
        """A JSON object; paths as text."""
        record = asdict(self)
        return {key: str(value) if isinstance(value, Path) else value for key, value in record.items()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> RunConfig:
        """From ``to_json``.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        paths = {name: Path(record[name]) for name in _PATHS if record[name] is not None}
        return cls(**{**record, **paths, "tasks": tuple(record["tasks"]), "limits": Limits(**record["limits"])})


@dataclass(frozen=True)
class Job:
    """One instance to be worked on."""

    task: Task
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
    """Choose the instances of a run, all at once; raises as ``choose`` does."""
    selection = Selection()
    for task, instances in choose(catalog, config, selection):
        selection.jobs += [Job(task, instance) for instance in instances]
    return selection


def choose(
    catalog: Catalog,
    config: RunConfig,
    selection: Selection,
    names: Sequence[str] | None = None,
    leave_out: LeaveOut | None = None,
) -> Iterator[tuple[Task, list[Instance]]]:
    """Choose the instances of a run, task by task, so that no more than one table need be in memory.

    A task without a table or one that cannot be read is left out and counted, and so is an instance that nobody
    labelled. With ``max_instances`` the first of a permutation is taken that depends on seed and instance ids alone.

    Args:
        catalog: The tasks.
        config: What is asked for.
        selection: Takes the problems, and the counts of what is left out; its jobs are left alone.
        names: The tasks in the order in which to look at them; None for all that are asked for, by name.
        leave_out: Leaves out further instances, before the sample is drawn.

    Raises:
        harness.catalog.problems.CatalogError: unknown split or task.
    """
    left_out = selection.left_out
    outside = Outside(config.network, config.media) if config.skip_missing_media else None
    for name in catalog.select(config.split, config.tasks) if names is None else names:
        try:
            task = catalog.task(name)
            inside = catalog.instances(name, config.split)
        except MalformedTask as error:
            selection.problems += error.problems
            left_out["tasks that cannot be read"] += 1
            continue
        if not task.evaluable:
            left_out["tasks without a table of labels"] += 1
            continue
        labelled = [instance for instance in inside if is_answered(instance)]
        if config.exclude_content_warnings and task.facts.content_warning:
            left_out["tasks with a content warning"] += 1
            left_out["instances of tasks with a content warning"] += len(labelled)
            continue
        if silent := len(inside) - len(labelled):
            left_out["instances that nobody labelled"] += silent
        if leave_out:
            reasons = [leave_out(task, instance) for instance in labelled]
            left_out.update(reason for reason in reasons if reason)
            labelled = [instance for instance, reason in zip(labelled, reasons, strict=True) if not reason]
        drawn = _drawn(labelled, config)
        if outside:
            drawn = _with_media(task, drawn, outside, left_out)
        instances = sorted(islice(drawn, config.max_instances), key=lambda each: each.index)
        if instances:
            yield task, instances


def _drawn(instances: Sequence[Instance], config: RunConfig) -> Iterator[Instance]:
    """In the order in which a sample takes them."""
    if config.max_instances is None:
        return iter(instances)
    return iter(sorted(instances, key=lambda each: hashlib.sha256(f"{config.seed}:{each.id}".encode()).digest()))


def _with_media(
    task: Task, instances: Iterator[Instance], outside: Outside, left_out: Counter[str]
) -> Iterator[Instance]:
    for instance in instances:
        if outside.missing(task, instance).media:
            left_out["instances whose media are missing"] += 1
        else:
            yield instance

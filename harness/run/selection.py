"""What a run is about: the instances that it picks from the catalog, and the setup of its solver."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.kinds import FORM
from harness.catalog.mirror.outside import Outside
from harness.catalog.problems import MalformedTask, Problem
from harness.catalog.task import Instance, Task
from harness.episode.registry import LeaveOut, find_solver
from harness.episode.solver import Setup
from harness.kit.errors import UserError
from harness.kit.text import counted
from harness.records.config import RunConfig
from harness.run.task_kind import task_kind


def setup_of(config: RunConfig, folder: Path, tasks: Sequence[str] = ()) -> Setup:
    """What the solver is made of, in a run whose directory is ``folder``; ``tasks`` are those of the run, if known."""
    return find_solver(config.solver).setup(
        config.options,
        folder=folder,
        tasks_dir=config.tasks_dir,
        overlay=config.overlay,
        seed=config.drawing_seed,
        require_sandbox=config.require_sandbox,
        kind=config.kind or FORM,
        tasks=tuple(tasks),
    )


NAMED = 3
"""How many tasks a message names where one was to be meant."""


class NotOneInstance(UserError):
    """What was asked for is not one instance; the message says what there is."""


ON_THE_WEB = "tasks on the web, which only --network live reaches"
"""Why a task on a website that does not come with the harness is left out."""
SITE_NOT_THERE = "tasks on a bundled website that is not there"
"""Why others are; the task server says which."""
_UNLABELLED = "no chosen task has labelled instances; --unlabelled takes others, too, without a score"


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


def one_instance(config: RunConfig, row: int) -> Instance:
    """The one instance that is to be opened, labelled or not.

    Args:
        config: Names the task; its other choices are left aside.
        row: The instance's place in its task's table, from 0.

    Raises:
        harness.catalog.problems.CatalogError: there is no such task, or its files cannot be used.
        NotOneInstance: several tasks are meant, or the task has no such row.
    """
    catalog = Catalog(config.tasks_dir, config.overlay, seeds=config.seeds)
    names = catalog.select(config.split, config.tasks)
    if len(names) != 1:
        some = ", ".join([*map(repr, names[:NAMED]), *(["..."] if len(names) > NAMED else [])])
        raise NotOneInstance(f"one page is opened, and {len(names)} tasks are meant: {some}; give the name of one")
    instances = catalog.task(names[0]).pages
    if not instances:
        raise NotOneInstance("\n".join([f"{names[0]!r} has no instances", *map(str, catalog.problems)]))
    if not 0 <= row < len(instances):
        raise NotOneInstance(f"there is no instance {row}: {names[0]!r} has the instances 0 to {len(instances) - 1}")
    return instances[row]


def select_instances(catalog: Catalog, config: RunConfig) -> Selection:
    """Choose the instances of a run, all at once; raises as ``choose`` does."""
    selection = Selection()
    for task, instances in choose(catalog, config, selection):
        selection.jobs += [Job(task, instance) for instance in instances]
    return selection


def why_nothing(left_out: Mapping[str, int], config: RunConfig, elsewhere: int = 0) -> str:
    """Why a run has nothing to do.

    Args:
        left_out: What was left out of it, and how often.
        config: Of the run.
        elsewhere: Of a shard: how many instances the other shards have.
    """
    if elsewhere:
        there = f"there {'is' if elsewhere == 1 else 'are'} {counted(elsewhere, 'instance')}"
        return f"--shard {config.shard}: nothing to evaluate, since {there}; use no more shards than that"
    reasons = [f"{left_out[why]} {why}" for why in (ON_THE_WEB, SITE_NOT_THERE) if left_out.get(why)]
    return f"nothing to evaluate: {', '.join(reasons) or _UNLABELLED}"


def choose(
    catalog: Catalog,
    config: RunConfig,
    selection: Selection,
    names: Sequence[str] | None = None,
    leave_out: LeaveOut | None = None,
) -> Iterator[tuple[Task, list[Instance]]]:
    """Choose the instances of a run, task by task, so that no more than one table need be in memory.

    A task that cannot be read is left out and counted, and so are a task without a table and an instance that nobody
    labelled, unless they are asked for. With ``max_instances`` the first of a permutation is taken that depends on seed
    and instance ids alone.

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
        if config.kind and task.kind != config.kind:
            left_out["tasks of the other kind"] += 1
            continue
        kind = task_kind(task.kind)
        if why := kind.unreachable(task, config):
            left_out[why] += 1
            continue
        if not task.evaluable and not config.unlabelled:
            left_out["tasks without a table of labels"] += 1
            continue
        labelled = [each for each in inside if config.unlabelled or kind.is_answered(each)]
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

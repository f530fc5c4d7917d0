"""The chosen instances of a run, task by task, as a process may know them that is to know no label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.problems import Problem
from harness.catalog.task import TABLE, Instance, Task
from harness.episode.registry import LeaveOut, find_solver
from harness.models.providers.surroundings import is_loopback
from harness.records.config import RunConfig
from harness.run.page_job import PageJob
from harness.run.selection import SITE_NOT_THERE, Selection, choose, setup_of
from harness.run.task_kind import task_kind


@dataclass(frozen=True)
class PlannedTask:
    """What is to be played of one task.

    Attributes:
        name: The task's name.
        columns: How many answer columns it has.
        jobs: The chosen instances; of a shard its own.
        elsewhere: Of a shard: those of the other shards.
        advice: What to tell the user of files that its pages ask for; empty if nothing.
        fixed_media: Media that its template itself shows and that are not there.
        origins: Where a task on a website may go; none of a form.
        bundled: Whether its website is served by the run's task server.
        named: Whether ``origins`` are those that the run's user has named.
    """

    name: str
    columns: int
    jobs: tuple[PageJob, ...]
    advice: str
    fixed_media: tuple[str, ...]
    origins: tuple[str, ...] = ()
    bundled: bool = False
    named: bool = False
    elsewhere: tuple[PageJob, ...] = ()

    @property
    def reach(self) -> str:
        """What to tell the user of the web that its browser reaches; empty if it reaches none."""
        if self.named:
            elsewhere = tuple(origin for origin in self.origins if not is_loopback(origin))
            return f"--cube-origin: {_reaching(elsewhere)}" if elsewhere else ""
        return "" if self.bundled or not self.origins else web_reach(self.origins)

    def policy(self, server: str) -> NavigationPolicy:
        """Where the browser of its jobs may go.

        Args:
            server: The origin of the run's task server.
        """
        if self.named:
            names = [str(urlsplit(each).hostname) for each in self.origins]
            return NavigationPolicy(self.origins, dict(zip(names, names, strict=True)))
        return site_policy(self.origins, server, bundled=self.bundled) if self.origins else FORM


def web_reach(origins: tuple[str, ...]) -> str:
    """What to tell the user of the hosts of the web that a browser reaches."""
    return f"--network live: {_reaching(origins)}"


def _reaching(origins: tuple[str, ...]) -> str:
    hosts = ", ".join(dict.fromkeys(urlsplit(each).netloc for each in origins))
    return f"browsers REACH THE WEB, at {hosts}, and nothing else of it"


def policy_of(task: Task, server: str) -> NavigationPolicy:
    """Where the browser of a task may go.

    Args:
        task: The task.
        server: The origin of the run's task server.
    """
    return task_kind(task.kind).policy(task, server)


def site_policy(origins: tuple[str, ...], server: str, *, bundled: bool) -> NavigationPolicy:
    """Where the browser of a task on a website may go.

    Args:
        origins: As of ``PlannedTask``.
        server: The origin of the run's task server.
        bundled: Whether that serves the website.
    """
    hosts = {str(urlsplit(each).hostname): urlsplit(server).netloc for each in origins} if bundled else {}
    return NavigationPolicy(origins, hosts)


@dataclass(frozen=True)
class PlanSummary:
    """What was found while instances were chosen.

    Attributes:
        left_out: Counts of what is not evaluated, by reason.
        unusable: Why tasks cannot be used.
        problems: Everything that is wrong with the tasks; only known in the end.
    """

    left_out: Mapping[str, int]
    unusable: tuple[Problem, ...]
    problems: tuple[Problem, ...] = ()

    def without(self, tasks: int, problems: tuple[Problem, ...]) -> PlanSummary:
        """The same where websites turn out not to be there.

        Args:
            tasks: How many tasks that were chosen are left out for it.
            problems: What is to be told of their websites.
        """
        left_out = {**self.left_out, SITE_NOT_THERE: tasks} if tasks else self.left_out
        return replace(self, left_out=left_out, unusable=(*self.unusable, *problems))


Plan = Iterator[tuple[PlannedTask | None, PlanSummary]]
"""Each task of which there is something to play, and in the end None; with what was found so far."""


def planned_tasks(config: RunConfig, folder: Path, names: Sequence[str], leave_out: LeaveOut | None) -> Plan:
    """Choose the instances of a run, large tables first.

    To its shards they are dealt like cards, one by one in this order: so the shards are of like length, and the
    instances of a task are with as many of them as can be.

    Args:
        config: Of the run.
        folder: The run directory.
        names: The tasks that are asked for.
        leave_out: Leaves out further instances, unless the solver says itself on which it cannot work.

    Raises:
        harness.catalog.problems.CatalogError: there is no such split.
    """
    found = find_solver(config.solver)
    of_solver = found.leave_out(setup_of(config, folder))
    if of_solver and not found.needs_labels:
        of_solver = _unlabelled(of_solver)
    catalog = Catalog(config.tasks_dir, config.overlay, tables_kept=1, seeds=config.seeds)
    outside = Outside(config.network, config.media)
    selection = Selection()
    order = sorted(names, key=lambda name: -_size(config.tasks_dir / name / TABLE))
    (number, of), dealt = config.part, 0
    for task, instances in choose(catalog, config, selection, order, of_solver or leave_out):
        every = tuple(PageJob(each.task, each.index, each.id, task.split) for each in instances)
        first = (number - 1 - dealt) % of
        jobs, elsewhere = every[first::of], tuple(job for place, job in enumerate(every) if place % of != first)
        dealt += len(every)
        told = outside.advice(task), outside.fixed_media(task)
        planned = PlannedTask(task.name, len(task.columns), jobs, *told, *task_kind(task.kind).reach(task))
        planned = replace(planned, elsewhere=elsewhere)
        if config.cube:  # whatever stands in the folder
            planned = replace(planned, origins=config.cube.origins, named=True)
        yield planned, PlanSummary(dict(selection.left_out), tuple(selection.problems))
    yield None, PlanSummary(dict(selection.left_out), tuple(selection.problems), tuple(catalog.problems))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _unlabelled(leave_out: LeaveOut) -> LeaveOut:
    """The same for a solver that is not to be shown labels."""
    last: list[tuple[Task, Task]] = []

    def reason(task: Task, instance: Instance) -> str:
        if not last or last[0][0] is not task:
            last[:] = [(task, replace(task, instances=tuple(replace(each, labels={}) for each in task.instances)))]
        return leave_out(last[0][1], last[0][1].pages[instance.index])

    return reason

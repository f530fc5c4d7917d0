"""Reference traces, and episodes of runs on websites, done once more in browsers: whatever is made of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.browser.input_back_end import BrowserSession
from harness.catalog import Catalog, MalformedTask
from harness.catalog.task import Instance, Task
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import site_assignment
from harness.integrations.exports.exported_runs import ExportedEpisode, ExportedRun
from harness.integrations.exports.site_again import Does, ShownTask, Taker, do_trace
from harness.kit.files.installation import SITE_TASKS
from harness.records.episode import Episode
from harness.run.page_source import PageSource
from harness.run.pool import PoolListener
from harness.run.progress import Mode, progress
from harness.run.replaying import ReplayJob, again
from harness.run.site_control import new_key
from harness.run.worker import JobReport
from harness.sites.site_pool import SitePlace, do_on_sites

OF_TRACES = "reference trace"
_NEEDS_THE_WEB = "its site is on the web, which --network live reaches"

Made = TypeVar("Made")
Walk = Callable[[BrowserSession, ShownTask, Does, str], Made]
"""Does a task once more, with the key of the task server's control, and makes something of it."""
Take = Callable[[int, str, Made], bool]
"""Is given a place in the order, the name of what was done there and what was made of it; says whether it is of use."""


@dataclass(frozen=True)
class ChosenTraces:
    """Which reference traces are done.

    Attributes:
        tasks: Names or globs; none for all.
        splits: Only tasks of these splits; none for all.
        seeds: On how many seeds of its bundled site each task is done, from its own on.
    """

    tasks: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    seeds: int = 1


@dataclass(frozen=True)
class TraceJob:
    """A reference trace to be done."""

    task: Task
    instance: Instance


class TraceWork(Generic[Made]):
    """Does traces, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, walk: Walk[Made], control_key: str) -> None:
        """Do them with ``walk``."""
        self._walk = walk
        self._key = control_key

    def do(self, session: BrowserSession, job: TraceJob, _report: JobReport) -> Made:
        """Do one."""
        assignment = site_assignment(job.task, job.instance, 0)
        assert assignment.trace is not None  # noqa: S101 - tasks without one are left out before
        return self._walk(session, ShownTask(assignment, OF_TRACES, 1.0), do_trace(assignment.trace), self._key)


class EpisodeWork(Generic[Made]):
    """Does episodes of a run, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, walk: Walk[Made], control_key: str, catalog: Catalog, run: str) -> None:
        """Prepare.

        Args:
            walk: Does them.
            control_key: As of ``Walk``.
            catalog: Has the tasks.
            run: The run's name.
        """
        self._walk = walk
        self._key = control_key
        self._catalog = catalog
        self._run = run

    def do(self, session: BrowserSession, job: ReplayJob, _report: JobReport) -> Made:
        """Do one: what failed in the run is tried again, since it may have left something, and is not taken down."""

        def does(taker: Taker, act: SiteActions, _: Probe) -> None:
            for call, step in zip(job.calls, job.episode.steps, strict=True):
                if step.looked:
                    act.observation.snapshot()
                if step.ok:
                    taker.take(call)
                else:
                    act.call(call)

        site = job.episode.site
        score = site.main.score if site and site.main else None
        assignment = site_assignment(self._catalog.task(job.instance.task), job.instance, 0)
        return self._walk(session, ShownTask(assignment, self._run, score), does, self._key)


@dataclass(frozen=True)
class Browsers:
    """What pages are opened with.

    Attributes:
        pages: Where the tasks are, by default those on the bundled sites, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.
    """

    pages: PageSource
    workers: int = 1
    mode: Mode | None = None


class SiteWalks(Generic[Made]):
    """Has traces and episodes done once more, in any order, each with its place in the order of them all.

    Attributes:
        count: Places so far.
        left_out: What was not done, by reason.
    """

    def __init__(self, walk: Walk[Made], take: Take[Made], browsers: Browsers) -> None:
        """Prepare.

        Args:
            walk: Does each, in a worker's process.
            take: Takes what was made, in this one.
            browsers: What with.
        """
        self.count = 0
        self.left_out: Counter[str] = Counter()
        self._walk = walk
        self._take = take
        self._browsers = browsers

    def traces(self, chosen: ChosenTraces) -> None:
        """Do reference traces.

        Args:
            chosen: Which.

        Raises:
            CatalogError, ServerRefused, NoBrowser: as their messages say.
            KeyboardInterrupt: it was interrupted.
        """
        pages = self._browsers.pages
        place = SitePlace(
            pages.tasks_dir or SITE_TASKS,
            pages.overlay,
            live=pages.network == "live",
            require_sandbox=pages.require_sandbox,
        )
        jobs = list(self._trace_jobs(place, chosen))
        first = self.count
        self.count += len(jobs)
        places = {(job.instance.task, job.instance.index): first + number for number, job in enumerate(jobs)}
        shown = progress(self._browsers.mode)

        def done(job: TraceJob, made: Made) -> None:
            name = f"{job.instance.task!r}, instance {job.instance.index}"
            useful = self._take(places[job.instance.task, job.instance.index], name, made)
            shown.advance("made" if useful else "left out", None)

        def failed(job: TraceJob, reason: str) -> None:
            self.left_out[f"{job.instance.task!r}, instance {job.instance.index}: {reason}"] += 1
            shown.advance("failed", None)

        listener = PoolListener(done, failed, shown.note, shown.interrupted)
        pairs = [(job, job.task.site) for job in jobs if job.task.site]
        if jobs and not do_on_sites(
            pairs,
            lambda key: TraceWork(self._walk, key),
            listener,
            place=place,
            shown=shown,
            what="traces",
            workers=self._browsers.workers,
        ):
            raise KeyboardInterrupt

    def _trace_jobs(self, place: SitePlace, chosen: ChosenTraces) -> Iterator[TraceJob]:
        catalog = Catalog(place.tasks_dir, place.overlay, seeds=chosen.seeds)
        for name in catalog.select(None, list(chosen.tasks)):
            if catalog.kind_of(name) != "site":
                continue
            try:
                task = catalog.task(name)
            except MalformedTask as error:
                self.left_out[str(error)] += 1
                continue
            if chosen.splits and task.split not in chosen.splits:
                continue
            if task.trace is None:
                self.left_out["a task without trace.json"] += 1
            elif task.site and not task.site.site and not place.live:
                self.left_out[f"{name!r}: {_NEEDS_THE_WEB}"] += 1
            else:
                yield from (TraceJob(task, instance) for instance in task.pages)

    def episodes(self, chosen: Iterable[ExportedEpisode]) -> None:
        """Do episodes of runs.

        Args:
            chosen: The episodes.

        Raises:
            NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
        """
        by_run: dict[str, list[ExportedEpisode]] = {}
        for each in chosen:
            by_run.setdefault(each.source.name, []).append(each)
        for group in by_run.values():
            self._of_run(group)

    def _of_run(self, group: list[ExportedEpisode]) -> None:
        source, first = group[0].source, self.count
        self.count += len(group)
        if source.config.kind != "site":
            self.left_out[f"{source.name}: a run of forms, which are no websites"] += len(group)
            return
        places = {(each.episode.task, each.episode.index): first + number for number, each in enumerate(group)}
        key, pages = new_key(), self._browsers.pages

        def done(job: ReplayJob, made: Made) -> None:
            self._take(places[job.episode.task, job.episode.index], _name(source, job.episode), made)

        def failed(episode: Episode, reason: str) -> None:
            self.left_out[f"{_name(source, episode)}: {reason}"] += 1

        if unseen := sum(each.episode.unseen for each in group):
            self.left_out["an episode past the action library, of which no actions are recorded"] += unseen
        again(
            source.run,
            [each.episode for each in group],
            lambda: EpisodeWork(self._walk, key, pages.catalog(source.config), source.name),
            done,
            failed,
            pages=pages,
            workers=self._browsers.workers,
            mode=self._browsers.mode,
            control_key=key,
        )


def _name(source: ExportedRun, episode: Episode) -> str:
    return f"{source.name}, {episode.task!r}, instance {episode.index}"

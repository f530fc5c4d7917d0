"""Demonstrations of what reference traces and runs did on websites, as a file in Mind2Web's form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from harness.browser.browser_session import BrowserSession
from harness.catalog import Catalog, MalformedTask
from harness.catalog.task import Instance, Task
from harness.demonstrations.demonstration import Demonstration
from harness.demonstrations.mind2web_file import written
from harness.demonstrations.mind2web_json import as_json, demonstration_of
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import site_assignment
from harness.files.places import BUNDLED_TASKS
from harness.files.writing import write_bytes
from harness.run.backstage import new_key
from harness.run.page_source import PageSource
from harness.run.pool import PoolListener
from harness.run.progress import Mode, progress
from harness.run.replaying import ReplayJob, again
from harness.run.site_pool import SitePlace, do_on_sites
from harness.run.worker import JobReport
from harness.runlog.episode import Episode
from harness.trajectory.demonstrating import Demonstrated, KeptOfPages, ShownTask, demonstrated, do_trace
from harness.trajectory.exported_runs import ExportedEpisode, ExportedRun
from harness.trajectory.sinks import CannotExport
from harness.trajectory.spool import Spool
from harness.trajectory.step_taker import StepTaker

SITE_TASKS = BUNDLED_TASKS / "_sites"
OF_TRACES = "reference trace"
_NEEDS_THE_WEB = "its site is on the web, which --network live reaches"


@dataclass(frozen=True)
class DemonstrationChoice:
    """Which tasks are demonstrated where no run is given, and what is kept of pages.

    Attributes:
        tasks: Names or globs; none for all.
        splits: Only tasks of these splits; none for all.
        seeds: On how many seeds of its bundled site each task is demonstrated, from its own on.
        keep: What is kept of pages beside their HTML.
    """

    tasks: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    seeds: int = 1
    keep: KeptOfPages = field(default_factory=KeptOfPages)


@dataclass(frozen=True)
class TraceDemonstration:
    """A reference trace to be demonstrated."""

    task: Task
    instance: Instance


class TraceDemonstrations:
    """Demonstrates traces, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, backstage_key: str, keep: KeptOfPages) -> None:
        """As of ``demonstrated``."""
        self._key = backstage_key
        self._keep = keep

    def do(self, session: BrowserSession, job: TraceDemonstration, _report: JobReport) -> Demonstrated:
        """Demonstrate one."""
        assignment = site_assignment(job.task, job.instance, 0)
        assert assignment.trace is not None  # noqa: S101 - tasks without one are left out before
        shown = ShownTask(assignment, OF_TRACES, 1.0)
        return demonstrated(session, shown, do_trace(assignment.trace), self._key, self._keep)


class EpisodeDemonstrations:
    """Demonstrates episodes of a run, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, catalog: Catalog, run: str, backstage_key: str, keep: KeptOfPages) -> None:
        """Prepare.

        Args:
            catalog: Has the tasks.
            run: The run's name.
            backstage_key: As of ``demonstrated``.
            keep: As of ``demonstrated``.
        """
        self._catalog = catalog
        self._run = run
        self._key = backstage_key
        self._keep = keep

    def do(self, session: BrowserSession, job: ReplayJob, _report: JobReport) -> Demonstrated:
        """Demonstrate one: what failed in the run is tried again, since it may have left something, and is no step."""

        def does(taker: StepTaker, act: SiteActions, _: Probe) -> None:
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
        return demonstrated(session, ShownTask(assignment, self._run, score), does, self._key, self._keep)


class DemonstrationExport:
    """One export: takes what browsers have done, in any order, and writes it in one."""

    def __init__(self, out: Path, choice: DemonstrationChoice) -> None:
        """Prepare.

        Args:
            out: The file; its name says in which form, as of ``written``.
            choice: What is kept of pages, and of which tasks.

        Raises:
            CannotExport: there is such a file.
        """
        if out.exists():
            raise CannotExport(f"{out} exists; name another with --out, or remove it")
        self.left_out: Counter[str] = Counter()
        self.splits: set[str] = set()
        self.steps = 0
        self.count = 0
        self._out = out
        self._choice = choice

    @property
    def pages_folder(self) -> Path:
        """Where files of pages come to stand."""
        return self._out.with_name(f"{self._out.name.partition('.')[0]}-pages")

    def traces(self, pages: PageSource, workers: int, mode: Mode | None) -> None:
        """Write demonstrations of reference traces.

        Args:
            pages: Where the tasks are, by default those on the bundled sites, and what they reach.
            workers: Browsers at a time.
            mode: How to tell how it gets on.

        Raises:
            CatalogError, ServerRefused, NoBrowser: as their messages say.
            KeyboardInterrupt: it was interrupted; nothing is written.
        """
        place = SitePlace(
            pages.tasks_dir or SITE_TASKS,
            pages.overlay,
            live=pages.network == "live",
            require_sandbox=pages.require_sandbox,
        )
        jobs = list(self._trace_jobs(place))
        places = {(job.instance.task, job.instance.index): number for number, job in enumerate(jobs)}
        shown = progress(mode)
        with Spool() as spool:

            def done(job: TraceDemonstration, made: Demonstrated) -> None:
                name = f"{job.instance.task!r}, instance {job.instance.index}"
                self._take(spool, places[job.instance.task, job.instance.index], name, made)
                shown.advance("made" if made.demonstration else "left out", None)

            def failed(job: TraceDemonstration, reason: str) -> None:
                self.left_out[f"{job.instance.task!r}, instance {job.instance.index}: {reason}"] += 1
                shown.advance("failed", None)

            listener = PoolListener(done, failed, shown.note, shown.interrupted)
            pairs = [(job, job.task.site) for job in jobs if job.task.site]
            keep = self._choice.keep
            if jobs and not do_on_sites(
                pairs,
                lambda key: TraceDemonstrations(key, keep),
                listener,
                place=place,
                shown=shown,
                what="traces",
                workers=workers,
            ):
                raise KeyboardInterrupt
            self._write(spool, range(len(jobs)))

    def _trace_jobs(self, place: SitePlace) -> Iterator[TraceDemonstration]:
        catalog = Catalog(place.tasks_dir, place.overlay, seeds=self._choice.seeds)
        for name in catalog.select(None, list(self._choice.tasks)):
            if catalog.kind_of(name) != "site":
                continue
            try:
                task = catalog.task(name)
            except MalformedTask as error:
                self.left_out[str(error)] += 1
                continue
            if self._choice.splits and task.split not in self._choice.splits:
                continue
            if task.trace is None:
                self.left_out["a task without trace.json"] += 1
            elif task.site and not task.site.site and not place.live:
                self.left_out[f"{name!r}: {_NEEDS_THE_WEB}"] += 1
            else:
                yield from (TraceDemonstration(task, instance) for instance in task.pages)

    def episodes(self, chosen: Iterable[ExportedEpisode], pages: PageSource, workers: int, mode: Mode | None) -> None:
        """Write demonstrations of episodes of runs.

        Args:
            chosen: The episodes.
            pages: Where the tasks are, and what they reach.
            workers: Browsers at a time.
            mode: How to tell how it gets on.

        Raises:
            NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
        """
        by_run: dict[str, list[ExportedEpisode]] = {}
        for each in chosen:
            by_run.setdefault(each.source.name, []).append(each)
        with Spool() as spool:
            count = 0
            for group in by_run.values():
                self._of_run(spool, group, count, _Browsers(pages, workers, mode))
                count += len(group)
            self._write(spool, range(count))

    def _of_run(self, spool: Spool, group: list[ExportedEpisode], first: int, browsers: _Browsers) -> None:
        source = group[0].source
        if source.config.kind != "site":
            self.left_out[f"{source.name}: a run of forms, which are no websites"] += len(group)
            return
        places = {(each.episode.task, each.episode.index): first + number for number, each in enumerate(group)}
        key = new_key()

        def done(job: ReplayJob, made: Demonstrated) -> None:
            self._take(spool, places[job.episode.task, job.episode.index], _name(source, job.episode), made)

        def failed(episode: Episode, reason: str) -> None:
            self.left_out[f"{_name(source, episode)}: {reason}"] += 1

        if unseen := sum(each.episode.unseen for each in group):
            self.left_out["an episode past the action library, of which no actions are recorded"] += unseen
        keep = self._choice.keep
        again(
            source.run,
            [each.episode for each in group],
            lambda: EpisodeDemonstrations(browsers.pages.catalog(source.config), source.name, key, keep),
            done,
            failed,
            pages=browsers.pages,
            workers=browsers.workers,
            mode=browsers.mode,
            backstage_key=key,
        )

    def _take(self, spool: Spool, place: int, name: str, made: Demonstrated) -> None:
        """Keep what was done until all is there."""
        self.left_out.update({f"{action}, which is done to no element": n for action, n in made.left_out.items()})
        if made.demonstration is None:
            self.left_out[f"{name}: {made.why}"] += 1
            return
        spool.put(place, [as_json(made.demonstration)])
        for file, data in made.files.items():
            write_bytes(self.pages_folder / file, data)

    def _write(self, spool: Spool, places: Iterable[int]) -> None:
        def counted() -> Iterator[Demonstration]:
            for row in spool.rows(places):
                demonstration = demonstration_of(row, "what was demonstrated")
                self.steps += len(demonstration.steps)
                self.splits.add(str(demonstration.more["split"]))
                yield demonstration

        demonstrations = counted()
        for first in demonstrations:  # where there is none, there is to be no file
            self.count = written(chain([first], demonstrations), self._out)


@dataclass(frozen=True)
class _Browsers:
    pages: PageSource
    workers: int
    mode: Mode | None


def _name(source: ExportedRun, episode: Episode) -> str:
    return f"{source.name}, {episode.task!r}, instance {episode.index}"

"""A run: choose instances, look at their pages, let the solver work on each, and keep everything on disk."""

from __future__ import annotations

import contextlib
import datetime
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from harness.browser.launch import BrowserSettings
from harness.browser.seat import Seat, SeatMaker, headless_seat
from harness.catalog import Catalog
from harness.episode import Episode, run_episode
from harness.inventory import PageFacts, TaskInventory, fingerprint, inspect_page
from harness.metrics import PROFILES
from harness.names import path_name
from harness.run.pool import Pool
from harness.run.provenance import comparability_id, fingerprint_of, provenance
from harness.run.runlog import RunDirectory
from harness.run.selection import Job, RunConfig, select_instances
from harness.scoring import InstanceScore, score_episode
from harness.server import check_agent_mode, own_server, page_url
from harness.solver import AnswerKey, make_solver
from harness.summary import summarise

PROTOCOL = "field-names"
"""The solver gets the page and the names of its answer fields (TurkingBench, section 3.3)."""


class Progress(Protocol):
    """Told how a run gets on."""

    def start(self, what: str, total: int) -> None:
        """A phase of ``total`` pieces begins."""

    def advance(self, score: float | None) -> None:
        """A piece is done; ``score`` is the instance's, if it has one."""

    def interrupted(self) -> None:
        """The pieces under way are the last."""

    def finish(self) -> None:
        """The phase is over."""


@dataclass(frozen=True)
class RunResult:
    """What a run came to.

    Attributes:
        folder: The run directory.
        record: The content of its ``run.json``.
        scores: The scores of its episodes.
        status: ``complete``; ``incomplete`` (instances without a score); ``interrupted``.
    """

    folder: Path
    record: Mapping[str, Any]
    scores: Sequence[InstanceScore]
    status: str


class Run:
    """One run from configuration to results."""

    def __init__(self, config: RunConfig, folder: Path, progress: Progress) -> None:
        """Prepare a run.

        Args:
            config: What to do.
            folder: The run directory, which is made.
            progress: Told how it gets on.

        Raises:
            harness.catalog.problems.CatalogError: tasks folder, overlay, split or task names are wrong.
            harness.solver.UnknownSolver: there is no such solver.
        """
        make_solver(config.solver)
        self.config = config
        self.catalog = Catalog(config.tasks_dir, config.overlay)
        self.selection = select_instances(self.catalog, config)
        self.profile = PROFILES[config.metrics]
        self.directory = RunDirectory(folder)
        self._progress = progress
        self._scores: list[InstanceScore] = []
        self._inventories: dict[str, TaskInventory] = {}
        self._unseen: dict[tuple[str, str], str] = {}
        self._browser = ""
        self._started = datetime.datetime.now(datetime.UTC)

    def execute(self) -> RunResult:
        """Do it. Ctrl-C or SIGTERM ends it after the episodes under way, with a valid run directory.

        Raises:
            harness.server.ServerRefused: the task server cannot be started or used.
            harness.browser.launch.NoBrowser: no browser can be started.
        """
        status = "complete"
        try:
            with _terminate_as_interrupt(), self._server() as origin:
                self._write("running")
                settings = BrowserSettings(
                    origin=origin, headless=not self.config.headed, live_clock=self.config.live_clock
                )
                with _seats(self.config, settings) as (seat_maker, seat_settings):
                    self._look(seat_maker, seat_settings)
                    self._work(seat_maker, seat_settings)
        except KeyboardInterrupt:
            status = "interrupted"
        except BaseException:
            # Without an episode there is no run, and its folder can be used again.
            if self._scores:
                self._write("interrupted")
            else:
                self.directory.discard()
            raise
        if status == "complete" and any(score.episode.outcome == "harness_error" for score in self._scores):
            status = "incomplete"
        record = self._write(status)
        return RunResult(self.directory.folder, record, self._scores, status)

    @contextlib.contextmanager
    def _server(self) -> Iterator[str]:
        if self.config.server:
            origin = self.config.server.rstrip("/")
            check_agent_mode(origin, self.catalog.set_fingerprint(self.catalog.names()))
            yield origin
        else:
            with own_server(self.config.tasks_dir, self.config.overlay) as origin:
                yield origin

    def _look(self, make_seat: SeatMaker, settings: BrowserSettings) -> None:
        """The reference pass over pages that the inventory does not know yet."""
        by_task: dict[str, list[Job]] = {}
        for job in self.selection.jobs:
            by_task.setdefault(job.instance.task, []).append(job)
        waiting = []
        for name, jobs in by_task.items():
            inventory = TaskInventory.load(jobs[0].key.task, live_clock=self.config.live_clock)
            self._inventories[name] = inventory
            waiting += [job for job in jobs if job.instance.id not in inventory.pages]
        if not waiting:
            return
        left = Counter(job.instance.task for job in waiting)

        def seen(job: Job, page: PageFacts | None) -> None:
            name = job.instance.task
            if page:
                self._inventories[name].pages[job.instance.id] = page
            left[name] -= 1
            if not left[name]:
                self._inventories[name].save()
            self._progress.advance(None)

        def failed(job: Job, reason: str) -> None:
            self._unseen[job.instance.task, job.instance.id] = reason
            seen(job, None)

        self._progress.start("looking at pages", len(waiting))
        pool = Pool(
            lambda seat, _, job: inspect_page(seat.browser, page_url(settings.origin, job.instance)),
            seen,
            failed,
            settings=settings,
            make_seat=make_seat,
            workers=self.config.workers,
            on_interrupt=self._progress.interrupted,
        )
        try:
            pool.run(waiting)
        finally:
            self._progress.finish()
            for inventory in self._inventories.values():
                if left[inventory.task.name]:
                    inventory.save()

    def _work(self, make_seat: SeatMaker, settings: BrowserSettings) -> None:
        solvers = [make_solver(self.config.solver) for _ in range(self.config.workers)]

        def work(seat: Seat, worker: int, job: Job) -> tuple[Episode, dict[str, bytes]]:
            page = self._inventories[job.instance.task].pages[job.instance.id]
            self._browser = seat.browser.version
            answers = tuple(job.key.columns.answers(job.instance, page.fields))
            return run_episode(
                seat.browser,
                seat.display,
                page_url(settings.origin, job.instance),
                solvers[worker],
                AnswerKey(job.instance, answers, job.key.columns, self.profile),
                page=page,
                task=job.key,
                seed=self.config.seed,
                limits=self.config.limits,
            )

        self._progress.start(self.config.solver, len(self.selection.jobs))
        waiting = []
        for job in self.selection.jobs:
            # A page that cannot be looked at cannot be worked on.
            if reason := self._unseen.get((job.instance.task, job.instance.id)):
                self._keep(_failed(job, reason), {})
            else:
                waiting.append(job)
        pool = Pool(
            work,
            lambda _, done: self._keep(*done),
            lambda job, reason: self._keep(_failed(job, reason), {}),
            settings=settings,
            make_seat=make_seat,
            workers=self.config.workers,
            on_interrupt=self._progress.interrupted,
        )
        try:
            pool.run(waiting)
        finally:
            self._progress.finish()

    def _keep(self, episode: Episode, images: dict[str, bytes]) -> None:
        self.directory.add(episode, images)
        score = score_episode(episode, self.profile)
        self._scores.append(score)
        self._progress.advance(score.score)

    def _write(self, status: str) -> dict[str, Any]:
        config, catalog = self.config, self.catalog
        names = sorted({job.instance.task for job in self.selection.jobs})
        pages = {
            (job.instance.task, job.instance.id): page
            for job in self.selection.jobs
            if job.instance.task in self._inventories
            and (page := self._inventories[job.instance.task].pages.get(job.instance.id))
        }
        record: dict[str, Any] = {
            "status": status,
            "started": self._started.isoformat(timespec="seconds"),
            "ended": None if status == "running" else datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "config": config.to_json(),
            "provenance": provenance(self._browser),
            "task_set": catalog.set_fingerprint(names),
            "inventory": fingerprint(pages),
            "protocol": PROTOCOL,
            "sample": fingerprint_of(sorted((job.instance.task, job.instance.id) for job in self.selection.jobs)),
            "planned_episodes": len(self.selection.jobs),
            "left_out": dict(self.selection.left_out),
            "problems": [str(problem) for problem in self.selection.problems],
            "identical_tasks": [group for group in catalog.duplicates() if set(group) & set(names)],
            "results": summarise(self._scores) if self._scores else None,
        }
        record["comparability_id"] = comparability_id(record, config.metrics)
        self.directory.write(record)
        return record


def _failed(job: Job, reason: str) -> Episode:
    instance = job.instance
    return Episode(
        task=instance.task,
        index=instance.index,
        id=instance.id,
        split=job.key.task.split,
        outcome="harness_error",
        detail=reason,
    )


@contextlib.contextmanager
def _seats(config: RunConfig, settings: BrowserSettings) -> Iterator[tuple[SeatMaker, BrowserSettings]]:
    """How workers get a browser with a screen."""
    if config.display == "webdriver":
        yield headless_seat, settings
        return
    # Imported here alone: it needs an X display and packages that a headless run does without.
    from harness.browser.desktop import desktop_seats  # noqa: PLC0415

    with desktop_seats() as display:
        yield display.seat, replace(settings, headless=False, kiosk=True, display=display.name)


@contextlib.contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does; in the main thread, where signals arrive."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def default_folder(config: RunConfig, now: datetime.datetime, base: Path = Path("runs")) -> Path:
    """``runs/<time>_<solver>_<split>``, with a number behind if it is taken."""
    name = f"{now:%Y-%m-%dT%H-%M-%S}_{path_name(config.solver.rpartition(':')[2])}_{path_name(config.split or 'all')}"
    folder, number = base / name, 1
    while folder.exists():
        number += 1
        folder = base / f"{name}-{number}"
    return folder

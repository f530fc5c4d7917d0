"""What a worker does with an instance: look at its page, let the solver work on it, and write the episode down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from harness.browser.browser_session import BrowserSession
from harness.browser.left_page import LeftPage
from harness.catalog import Catalog
from harness.catalog.task import Instance, Task
from harness.episode.phases import Clock
from harness.episode.play import make_episode, read_left_page, run_episode
from harness.episode.registry import find_solver
from harness.episode.watchdog import is_code_left
from harness.metrics import PROFILES
from harness.mirror.outside import MissingAddresses, Outside
from harness.models.client import MissingExtra, ModelError, NoAccess
from harness.models.outage import ProviderGone
from harness.run.pause import NotNow
from harness.run.selection import setup_of
from harness.run.task_pages import TaskPages
from harness.run.worker import JobReport
from harness.runlog.agent_report import AgentReport
from harness.runlog.config import RunConfig
from harness.runlog.directory import RunDirectory
from harness.runlog.episode import Episode, EpisodeRecord, Outcome
from harness.runlog.fatal import FatalError
from harness.scoring.scores import score_episode


@dataclass(frozen=True)
class PageJob:
    """One instance to be worked on, as it is handed to a worker.

    Attributes:
        task: The task's name.
        index: The instance's place in its file.
        id: Its id.
        split: The task's split.
        left_page: The id of the instance's page, if a solver that hung left it open; empty to begin anew.
    """

    task: str
    index: int
    id: str
    split: str
    left_page: str = ""

    def failed(self, reason: str) -> Episode:
        """Its episode after a harness error."""
        return Episode(self.task, self.index, self.id, self.split, "harness_error", reason)


@dataclass(frozen=True)
class PlayedEpisode:
    """What the parent keeps of an episode; the rest is on disk."""

    outcome: Outcome
    score: float | None
    browser: str
    served: frozenset[str] = frozenset()
    report: AgentReport | None = None


class Player:
    """Plays instances one after another, in a worker's process; see ``harness.run.worker.Work``."""

    def __init__(self, config: RunConfig, folder: Path) -> None:
        """Make the solver.

        Raises:
            harness.episode.registry.UnknownSolver: it cannot be made.
        """
        self._config = config
        self._profile = PROFILES[config.metrics]
        found = find_solver(config.solver)
        self._solver = None if found.answered_by == "workers" else found.make(setup_of(config, folder))
        self._catalog = Catalog(config.tasks_dir, config.overlay, tables_kept=1)
        self._outside = Outside(config.network, config.media)
        self._directory = RunDirectory(folder)
        self._pages: TaskPages | None = None

    @property
    def spent(self) -> bool:
        """Whether a solver is still in its thread."""
        return is_code_left()

    def do(self, session: BrowserSession, job: PageJob, report: JobReport) -> PlayedEpisode:
        """Play one instance and write its episode.

        Raises:
            harness.runlog.directory.CannotWrite: the run directory cannot be written.
            NotNow: the model's provider answers nobody at present.
            harness.runlog.fatal.FatalError: no call of the solver's model can succeed: a library or the
                key is missing.
            harness.catalog.problems.MalformedTask: the task's files cannot be used any more.
            Exception: as ``run_episode``.
        """
        if self._pages is None or self._pages.task.name != job.task:
            self._pages = None  # the table before goes first
            self._pages = TaskPages(self._catalog.task(job.task), self._config, self._outside)
        task = self._pages.task
        instance = _instance(job, task)
        assignment = self._pages.assignment(session.browser, instance, report.say)
        limits = self._config.limits
        if self._solver is None:
            record = EpisodeRecord(make_episode(assignment, None))
        elif job.left_page:
            assert report.left  # noqa: S101 - whoever hands out such a job has the browser, too
            timeout = session.browser.settings.timeout
            with LeftPage(report.left.copy(), job.left_page, timeout) as left:
                record = EpisodeRecord(read_left_page(left, assignment, limits))
        else:
            report.instead(replace(job, left_page=session.browser.target))
            try:
                record = run_episode(session, self._solver, assignment, limits, on_longer=report.longer)
            except (MissingExtra, NoAccess) as error:
                raise FatalError(str(error)) from error
            except ProviderGone as error:
                # No fault of this page: it stays unplayed, to be tried again.
                raise NotNow(str(error), error.lasting) from error
            except ModelError as error:
                # It was asked often enough; a new browser would change nothing.
                record = EpisodeRecord(job.failed(f"the model gave no answer: {error}"))
        return self._keep(record, self._outside.missing(task, instance), session)

    def _keep(self, record: EpisodeRecord, missing: MissingAddresses, session: BrowserSession) -> PlayedEpisode:
        clock = Clock()
        allowed = self._config.allowed(record.episode.limit)
        episode = replace(record.episode, missing_media=missing.media, missing_assets=missing.assets, allowed=allowed)
        score = score_episode(episode, self._profile).score
        clock.lap("record")
        episode = replace(episode, timing={**episode.timing, **clock.timing})
        self._directory.add(episode, record.images, record.texts)
        return PlayedEpisode(episode.outcome, score, session.browser.version, episode.served, episode.agent_report)


def _instance(job: PageJob, task: Task) -> Instance:
    """The instance of a job.

    Raises:
        LookupError: the task's table has changed since the run began.
    """
    instances = task.instances
    if job.index >= len(instances) or instances[job.index].id != job.id:
        raise LookupError(f"the files of {job.task!r} have changed since the run began")
    return instances[job.index]

"""What a worker does with an instance: look at its page, let the solver work on it, and hand in what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import BrowserSession
from harness.browser.wire import BrowserGone
from harness.episode.clock import is_code_left
from harness.episode.play import PageDied, PlayedPage
from harness.episode.registry import find_solver
from harness.episode.solver import AnySolver, DevtoolsSolver
from harness.episode.work import EpisodeEnd
from harness.models.client import MissingExtra, ModelError, NoAccess
from harness.models.retry import ProviderGone
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.fatal import FatalError, NoAnswers
from harness.records.lost_attempts import KeptAttempts, LostAttemptFiles
from harness.records.under_way import UnderWayFile
from harness.run.foreign_tasks import ForeignTasks
from harness.run.label_store import LabelStore, PlayedEpisode
from harness.run.page_job import EpisodeFiles, PageJob
from harness.run.pause import NotNow
from harness.run.selection import setup_of
from harness.run.task_kind import PlayerSetup, task_kind
from harness.run.worker import JobReport, Replaced

if TYPE_CHECKING:
    from harness.models.accounts import Accounts


@dataclass(frozen=True)
class WorkerFiles:
    """What a worker has.

    Attributes:
        store: Tells it of pages.
        files: Takes what an episode is going to name.
        lost: Takes what came to nothing; can be sent to another process of the machine.
        accounts: What calls of models share; None if that is in the run directory.
        under_way: Keeps what people who look on are told; None where the run directory is on another machine.
    """

    store: LabelStore
    files: EpisodeFiles
    lost: LostAttemptFiles
    accounts: Accounts | None = None
    under_way: UnderWayFile | None = None


def place_beside(folder: Path, store: LabelStore) -> WorkerFiles:
    """The place of a worker on the machine of the run directory, which it writes itself."""
    return WorkerFiles(store, RunDirectory(folder), KeptAttempts(folder), under_way=UnderWayFile(folder))


def warm_up(config: RunConfig, folder: Path) -> None:
    """Load what players share that are forked from this process: what the solver needs, and what films are coded by.

    Args:
        config: Of the run.
        folder: As for ``Player``.
    """
    find_solver(config.solver).warm_up(setup_of(config, folder))
    if config.film == "steps" and config.film_pictures == "webp":
        from harness.browser.camera.camera import load_formats  # noqa: PLC0415 - runs without films do without

        load_formats()


class Player:
    """Plays instances one after another, in a worker's process; see ``harness.run.worker.Work``."""

    def __init__(
        self,
        config: RunConfig,
        folder: Path,
        open_place: Callable[[], WorkerFiles],
        foreign: ForeignTasks | None = None,
    ) -> None:
        """Make the solver.

        Args:
            config: Of the run.
            folder: The run directory; on another machine a folder with what the solver has prepared there.
            open_place: Gives what knows the pages and takes episodes; called once, in this process.
            foreign: The benchmark that the tasks are of, set up; None for tasks of a folder.

        Raises:
            harness.episode.registry.UnknownSolver: it cannot be made.
        """
        found = find_solver(config.solver)
        self._limits = config.limits
        self._attended = config.attended
        place = open_place()
        self._store, self._files, self._kept = place.store, place.files, place.lost
        self._onlooker = place.under_way
        setup = replace(setup_of(config, folder), accounts=place.accounts)
        self._solver = None if found.answered_by == "workers" else found.make(setup)
        self._film = config.film_pictures if config.film == "steps" else None
        setup_of_kind = PlayerSetup(config, folder, self._files, self._solver, foreign)
        self._player = task_kind(config.kind).player(setup_of_kind)

    @property
    def spent(self) -> bool:
        """Whether a solver is still in its thread."""
        return is_code_left()

    def do(self, session: BrowserSession, job: PageJob, report: JobReport) -> tuple[PlayedEpisode | None, str]:
        """Play one instance, and have its episode written.

        Returns:
            What came of it, if that is known in this process, and the browser's version.

        Raises:
            harness.records.directory.CannotWrite: the run directory cannot be written.
            NotNow: the model's provider answers nobody at present.
            Replaced: the page died under the solver.
            harness.records.fatal.FatalError: no call of the solver's model can succeed: a library or the
                key is missing.
            harness.catalog.problems.MalformedTask: the task's files cannot be used any more.
            harness.browser.wire.BrowserGone, harness.browser.channel.CommandFailed,
            harness.browser.browser.PageFailed: page or browser died before the solver was handed it.
        """
        if self._film:
            # One that an earlier attempt has left would show another episode.
            self._files.write_film(job.task, job.index, None, {})
        work_item = self._work_item(session, job, report)
        if self._solver is None:
            played = PlayedPage()
        elif job.lost and job.lost.final:
            played = self._player.given_up(job, work_item)
        elif job.left_page:
            played = self._left(session, job, report)
        else:
            played = self._play(session, self._solver, work_item, job, report)
        return self._store.keep(job, job.with_attempts(played)), session.browser.version

    def _work_item(self, session: BrowserSession, job: PageJob, report: JobReport) -> Any:
        origin = session.browser.settings.origin
        work_item = self._store.work_item(job, origin)
        if work_item is None:
            work_item, words = self._store.learn(job, origin, self._player.look(session, job))
            if words:
                report.say(words)
        return work_item

    def _play(
        self, session: BrowserSession, solver: AnySolver, work_item: Any, job: PageJob, report: JobReport
    ) -> PlayedPage:
        limits = self._player.limits(work_item, job.limits(self._limits))
        hung = replace(job, left_page=self._player.begin(session, job, work_item))
        on_open = partial(report.instead, hung, partial(_with_its_process, hung, limits, self._kept))
        if self._onlooker:
            self._onlooker.begin(job.task, job.index)
        try:
            played, trajectory = self._player.act(
                session,
                solver,
                work_item,
                limits,
                job=job,
                ask_person=report.ask if self._attended else None,
                film=self._film,
                onlooker=self._onlooker,
                on_open=on_open,
                on_longer=report.longer,
            )
        except PageDied as lost:
            self._files.keep(lost.trajectory.images, lost.trajectory.texts)
            raise self._replaced(hung.after(lost, unknown=isinstance(solver, DevtoolsSolver))) from lost
        except MissingExtra as error:
            raise FatalError(str(error)) from error
        except NoAccess as error:
            raise NoAnswers(str(error)) from error
        except ProviderGone as error:
            # No fault of this page: it stays unplayed, to be tried again.
            raise NotNow(str(error), error.lasting) from error
        except ModelError as error:
            # It was asked often enough; a new browser would change nothing.
            end = EpisodeEnd("harness_error", f"the model gave no answer: {error}")
            return PlayedPage(end=end, attempts=1)
        finally:
            if self._onlooker:
                self._onlooker.end()
        self._files.keep(trajectory.images, trajectory.texts)
        if made := trajectory.film():
            self._files.write_film(job.task, job.index, made.film, made.pictures)
        return played

    def _left(self, session: BrowserSession, job: PageJob, report: JobReport) -> PlayedPage:
        """What is known of the attempt of a solver that hung."""
        try:
            return self._player.left(session, job, report, job.limits(self._limits))
        except (BrowserGone, CommandFailed, PageFailed) as error:
            raise self._replaced(job.unreadable(str(error))) from error

    def _replaced(self, job: PageJob) -> Replaced:
        """What gives way to a job after a lost attempt, which is written down first."""
        job.keep_lost(self._kept)
        return Replaced(job)


def _with_its_process(job: PageJob, limits: Limits, kept: LostAttemptFiles, reason: str, seconds: float) -> PageJob:
    """As ``PageJob.died``, in the process that the dead one was forked from; the lost attempt is written down first."""
    other = job.died(limits, reason, seconds)
    other.keep_lost(kept)
    return other

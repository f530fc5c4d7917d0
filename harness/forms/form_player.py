"""How a worker plays forms: a page is looked at, worked on, and what it holds is read back."""

from __future__ import annotations

from collections.abc import Callable

from harness.browser.browser_choice import PictureFormat
from harness.browser.form.inventory import PageFacts, inspect_page
from harness.browser.input_back_end import BrowserSession
from harness.browser.left_page import LeftPage
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Assignment, FormWorkItem
from harness.episode.play import PlayedPage, episode_of, play_page, read_left_page, untouched
from harness.episode.solver import AnySolver
from harness.episode.trajectory import Trajectory
from harness.episode.work import EpisodeEnd
from harness.forms.task_pages import TaskPages
from harness.records.config import Limits, RunConfig
from harness.records.episode import Episode
from harness.records.under_way import UnderWayFile
from harness.run.page_job import PageJob
from harness.run.task_kind import LabelSide, TaskPlayer
from harness.run.worker import JobReport


class FormLabelSide(LabelSide):
    """See ``harness.run.task_kind.LabelSide``."""

    def __init__(self, config: RunConfig, outside: Outside) -> None:
        """Open it.

        Args:
            config: Of the run.
            outside: What pages reach.
        """
        self._config = config
        self._outside = outside

    def pages(self, task: Task) -> TaskPages:
        """See ``LabelSide``."""
        return TaskPages(task, self._config, self._outside)

    def begin(self, pages: TaskPages, instance: Instance, origin: str, left: str = "") -> Assignment | None:
        """See ``LabelSide``."""
        reference = pages.known(instance.id)
        return pages.make(instance, origin, reference) if reference else None

    def learn(self, pages: TaskPages, instance: Instance, origin: str, reference: PageFacts) -> tuple[Assignment, str]:
        """See ``LabelSide``."""
        words = pages.learn(instance.id, reference)
        return pages.make(instance, origin, reference), words

    def finish(self, assignment: Assignment, played: PlayedPage) -> Episode:
        """See ``LabelSide``."""
        return episode_of(assignment, played)


class FormPlayer(TaskPlayer):
    """See ``harness.run.task_kind.TaskPlayer``."""

    def look(self, session: BrowserSession, job: PageJob) -> PageFacts:
        """See ``TaskPlayer``: the reference pass."""
        return inspect_page(session.browser, job.url(session.browser.settings.origin))

    def begin(self, session: BrowserSession, job: PageJob, work_item: FormWorkItem) -> str:
        """See ``TaskPlayer``: a page that a solver left open is known by its target."""
        return session.browser.target

    def act(
        self,
        session: BrowserSession,
        solver: AnySolver,
        work_item: FormWorkItem,
        limits: Limits,
        *,
        job: PageJob,
        ask_person: Callable[[str], str | None] | None,
        film: PictureFormat | None,
        onlooker: UnderWayFile | None,
        on_open: Callable[[], None],
        on_longer: Callable[[float], None],
    ) -> tuple[PlayedPage, Trajectory]:
        """See ``TaskPlayer``."""
        return play_page(
            session, solver, work_item, limits, film=film, onlooker=onlooker, on_open=on_open, on_longer=on_longer
        )

    def given_up(self, job: PageJob, work_item: FormWorkItem) -> PlayedPage:
        """See ``TaskPlayer``: it counts as untouched."""
        reason = job.lost.reason if job.lost else ""
        detail = job.lost.detail if job.lost else ""
        return PlayedPage(untouched(work_item, reason), EpisodeEnd("agent_error", detail), unseen=True)

    def left(self, session: BrowserSession, job: PageJob, report: JobReport, limits: Limits) -> PlayedPage:
        """See ``TaskPlayer``: what the page holds that the solver left open."""
        assert report.left  # noqa: S101 - whoever hands out such a job has the browser, too
        with LeftPage(report.left.copy(), job.left_page, session.browser.settings.timeout) as left:
            return read_left_page(left, limits)

"""How a worker plays tasks on websites: the browser is emptied, and what happens is written down as it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from harness.browser.browser_choice import PictureFormat
from harness.browser.input_back_end import BrowserSession
from harness.episode.play import PlayedPage, left_unseen
from harness.episode.play_site import play_site
from harness.episode.site_assignment import PlayedSite, SiteWorkItem
from harness.episode.solver import AnySolver, DevtoolsSolver
from harness.episode.trajectory import Trajectory
from harness.episode.work import EpisodeEnd
from harness.records.config import Limits
from harness.records.lost_attempts import SavedMoments
from harness.records.site_record import Moment
from harness.records.under_way import UnderWayFile
from harness.run.page_job import PageJob
from harness.run.site_control import COOKIE, TOOLS_COOKIE
from harness.run.task_kind import ELSEWHERE, PlayerSetup, TaskPlayer
from harness.run.worker import JobReport


class SitePlayer(TaskPlayer):
    """See ``harness.run.task_kind.TaskPlayer``."""

    def __init__(self, setup: PlayerSetup) -> None:
        """Prepare."""
        self._actions = setup.config.actions
        self._folder = setup.folder
        self._files = setup.files
        self._foreign = setup.foreign
        # What a program does that drives the browser itself is told by no step, after which it would be kept; and what
        # things are worth in the end is told by a task that is gone with its process.
        self._is_unseen = isinstance(setup.solver, DevtoolsSolver) or setup.foreign is not None

    def begin(self, session: BrowserSession, job: PageJob, work_item: SiteWorkItem) -> str:
        """See ``TaskPlayer``."""
        self._moments(job).forget()
        prepare_site(session, work_item)
        return work_item.episode or ELSEWHERE

    def limits(self, work_item: SiteWorkItem, limits: Limits) -> Limits:
        """See ``TaskPlayer``."""
        if work_item.max_steps is None:
            return limits
        return replace(limits, max_steps=min(limits.max_steps, work_item.max_steps))

    def act(
        self,
        session: BrowserSession,
        solver: AnySolver,
        work_item: SiteWorkItem,
        limits: Limits,
        *,
        job: PageJob,
        ask_person: Callable[[str], str | None] | None,
        film: PictureFormat | None,
        onlooker: UnderWayFile | None,
        on_open: Callable[[], None],
        on_longer: Callable[[float], None],
    ) -> tuple[PlayedPage, Trajectory]:
        """See ``TaskPlayer``; a task of somebody else's benchmark has the browser meanwhile."""
        play = partial(
            play_site,
            session,
            solver,
            work_item,
            limits,
            actions=self._actions,
            film=film,
            onlooker=onlooker,
            on_open=on_open,
            on_longer=on_longer,
            keep=partial(self._keep_moments, job),
            ask_person=ask_person,
        )
        if self._foreign is None:
            return play()
        with self._foreign.lend(job.task, session.site) as task:
            return play(rewarding=task)

    def given_up(self, job: PageJob, work_item: SiteWorkItem) -> PlayedPage:
        """See ``TaskPlayer``."""
        end = EpisodeEnd("agent_error", job.lost.detail if job.lost else "")
        return PlayedPage(self._known(job), end, unseen=True)

    def left(self, session: BrowserSession, job: PageJob, report: JobReport, limits: Limits) -> PlayedPage:
        """See ``TaskPlayer``."""
        return left_unseen(limits, self._known(job))

    def _known(self, job: PageJob) -> PlayedSite:
        """What is known of an attempt whose process is gone."""
        moments = self._moments(job).read()
        return PlayedSite(
            moments=moments or (),
            is_unseen=moments is None or self._is_unseen,
            is_forgotten=not job.left_page,
        )

    def _moments(self, job: PageJob) -> SavedMoments:
        return SavedMoments(self._folder, job.task, job.index)

    def _keep_moments(self, job: PageJob, moments: Sequence[Moment], trees: Mapping[str, str]) -> None:
        """Write down what has happened before the solver goes on: it may take this process with it."""
        self._files.keep({}, trees)
        self._moments(job).add(moments)


def prepare_site(session: BrowserSession, work_item: SiteWorkItem) -> None:
    """Empty the browser, and give it the task's login and the cookie by which a bundled site knows the episode.

    Args:
        session: Whose browser may go where the task may.
        work_item: The task.
    """
    session.site.clear()
    if work_item.login:
        session.site.set_cookies([each.given for each in work_item.login])
    if work_item.episode:
        for origin in work_item.page.origins:
            session.site.set_cookie(origin, COOKIE, work_item.episode)
            if session.site.settings.page_tools:
                session.site.set_cookie(origin, TOOLS_COOKIE, "yes")

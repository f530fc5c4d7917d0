"""Episodes one after another on one stage: with one task server, and a browser that stays as long as it fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from types import TracebackType

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.form.submission import Submission
from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.reaper import BrowserReaper
from harness.browser.sandbox import NO_SANDBOX
from harness.browser.wire import BrowserGone
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.problems import CatalogError
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Assignment
from harness.episode.play import episode_of, make_episode, play_page
from harness.episode.play_site import play_site
from harness.episode.solver import AnySolver
from harness.forms.task_pages import TaskPages
from harness.integrations.adapters.stage.messages import Ended
from harness.records.config import Limits, RunConfig
from harness.records.episode import Episode
from harness.run.browsers import browser_settings
from harness.run.plan import policy_of
from harness.run.server import task_server
from harness.run.site_control import new_key
from harness.run.task_kind import task_kind
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from harness.sites.site_labels import SiteLabelSide
from harness.sites.site_player import prepare_site

EPISODE_LOST = (BrowserGone, CommandFailed, PageFailed)
"""What ends an episode without a result; the next one gets a new browser."""


class StagedEpisodes:
    """Plays the episodes of a stage; a context, in which server and browser are there."""

    def __init__(self, config: RunConfig, catalog: Catalog, note: Callable[[str], None]) -> None:
        """Prepare.

        Args:
            config: How pages are shown and scored, and within which limits.
            catalog: Has the tasks.
            note: Is told what the user should know.
        """
        self._config = config
        self._catalog = catalog
        self._note = note
        self._outside = Outside(config.network, config.media)
        self._pages: TaskPages | None = None
        self._assignment: Assignment | None = None
        self._texts: dict[str, str] = {}
        self._key = new_key()
        self._store = SiteLabelSide(config, self._key, self._texts.get)
        self._stack = ExitStack()
        self._session: BrowserSession | None = None

    def __enter__(self) -> StagedEpisodes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close_browser()
        self._stack.close()

    @cached_property
    def _reaper(self) -> BrowserReaper:
        """Ends the browser, should this process be killed."""
        return self._stack.enter_context(BrowserReaper())

    @cached_property
    def _origin(self) -> str:
        """Of the task server, which is started for the first page."""
        catalog = self._catalog

        def fingerprint() -> str:
            return catalog.set_fingerprint(catalog.names())

        return self._stack.enter_context(task_server(self._config, fingerprint, control_key=self._key))

    def play(self, task: str, row: int, solver: AnySolver) -> Ended:
        """Play one episode.

        Args:
            task: The task's name.
            row: The instance's place in its table.
            solver: Who works on it.

        Raises:
            UserError: there is no such instance, or it cannot be shown.
            BrowserGone, CommandFailed, PageFailed: as of ``EPISODE_LOST``.
        """
        if task not in self._catalog.names():
            raise CatalogError(f"there is no task {task!r} in {self._catalog.tasks_dir}")
        of = self._catalog.task(task)
        if not 0 <= row < len(of.pages):
            raise CatalogError(f"there is no instance {row}: {task!r} has the instances 0 to {len(of.pages) - 1}")
        try:
            made = (self._play_site if of.site else self._play_form)(of, of.pages[row], solver)
        except EPISODE_LOST:
            self._close_browser()
            raise
        return _ended(made, self._config)

    def worth(self, values: Mapping[str, tuple[str, ...]]) -> float | None:
        """What the form that is being worked on would score if it sent these values."""
        assert self._assignment  # noqa: S101 - a form is open
        sent = Submission(values, accepted=True, via="untouched", blocked="", dialogs=())
        return score_episode(make_episode(self._assignment, sent), PROFILES[self._config.metrics]).score

    def _play_form(self, task: Task, instance: Instance, solver: AnySolver) -> Episode:
        task_kind(task.kind).check(self._config)
        if self._pages is None or self._pages.task is not task:
            self._pages = TaskPages(task, self._config, self._outside)
        session = self._session_for(task)
        assignment = self._assignment = self._pages.assignment(session.browser, instance, self._note)
        played, _ = play_page(session, solver, assignment, self._config.limits)
        return episode_of(assignment, played)

    def _play_site(self, task: Task, instance: Instance, solver: AnySolver) -> Episode:
        task_kind(task.kind).check(self._config, task)
        session = self._session_for(task)
        assignment = self._store.begin(task, instance, self._origin)
        prepare_site(session, assignment)
        limits = self._config.limits
        if assignment.max_steps is not None:
            limits = Limits(min(limits.max_steps, assignment.max_steps), limits.max_seconds)
        played, trajectory = play_site(session, solver, assignment.work_item, limits, actions=self._config.actions)
        self._texts.clear()
        self._texts.update(trajectory.texts)
        return self._store.finish(assignment, played)

    def _session_for(self, task: Task) -> BrowserSession:
        """The browser that is there, or a new one, if that may not go where this task may."""
        policy = policy_of(task, self._origin)
        if self._session is None or self._session.browser.settings.policy != policy:
            self._close_browser()
            self._session = devtools_session(self._settings(policy=policy))
            if self._session.browser.sandbox == "off":
                self._note(NO_SANDBOX)
        return self._session

    def _settings(self, **of_task: object) -> BrowserSettings:
        ours = browser_settings(self._config, self._origin)
        return replace(ours, scratch=self._reaper.folder, announce=self._reaper.watch_me, **of_task)  # type: ignore[arg-type]

    def _close_browser(self) -> None:
        session, self._session = self._session, None
        if session:
            session.input.close()
            session.browser.close()
            self._reaper.forget(session.browser.process_group)


def _ended(episode: Episode, config: RunConfig) -> Ended:
    """What may be told of an episode: nothing of its labels."""
    made = score_episode(episode, PROFILES[config.metrics])
    return Ended(
        outcome=episode.outcome,
        detail=episode.detail,
        limit=episode.limit,
        score=made.score,
        ceiling=made.ceiling,
        do_nothing=made.do_nothing,
        constant=made.constant,
        fields={each.record.name: each.score.score for each in made.fields},
    )

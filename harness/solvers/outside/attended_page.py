"""One page for whoever is outside, with nothing around it but a server and a browser: opened, waited for, scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from harness.browser.browser import Browser, PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.devtools import Devtools
from harness.browser.input_back_end import BrowserSession, DevtoolsInput, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.live_page import PageLost
from harness.browser.reaper import BrowserReaper
from harness.browser.sandbox import NO_SANDBOX
from harness.browser.wire import BrowserGone
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.play import run_episode
from harness.episode.play_site import play_site
from harness.episode.site_actions import SiteActions
from harness.episode.solver import AnySolver
from harness.forms.kind import FORMS
from harness.forms.task_pages import TaskPages
from harness.kit.errors import UnfinishedWork
from harness.records.config import RunConfig
from harness.run.browsers import browser_settings
from harness.run.plan import policy_of, web_reach
from harness.run.server import task_server
from harness.run.site_control import new_key
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode
from harness.sites.kind import SITES
from harness.sites.site_labels import SiteLabelSide
from harness.sites.site_player import prepare_site
from harness.solvers.outside.agent_reports import read_answer
from harness.solvers.outside.command import what_is_told
from harness.solvers.outside.outside_program import LISTEN_SECONDS


def attend_site(
    config: RunConfig, catalog: Catalog, instance: Instance, solver: AnySolver, note: Callable[[str], None]
) -> InstanceScore:
    """Open an instance's website, let the solver wait for whoever works there, and evaluate what happened.

    Args:
        config: How the site is shown, and how long it may be worked on.
        catalog: Has the task.
        instance: The instance.
        solver: Waits.
        note: Is told what the user should know.

    Raises:
        harness.catalog.problems.CatalogError: it is on the web, or asked for in a way that websites do not know.
        harness.run.server.ServerRefused: the task server cannot be started.
        harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
        harness.browser.launch.NoBrowser: no browser can be started.
        harness.browser.wire.BrowserGone, harness.browser.channel.CommandFailed,
        harness.browser.browser.PageFailed: the browser was lost, or the site cannot be opened in it.
    """
    task = catalog.task(instance.task)
    SITES.check(config, task)
    if task.site and not task.site.site:
        note(web_reach(task.site.origins))
    key, texts = new_key(), dict[str, str]()
    store = SiteLabelSide(config, key, texts.get)
    with (
        BrowserReaper() as reaper,  # should this process be killed, it ends the browser
        task_server(config, lambda: catalog.set_fingerprint(catalog.names()), control_key=key) as origin,
    ):
        settings = replace(browser_settings(config, origin), scratch=reaper.folder, announce=reaper.watch_me)
        with _session(replace(settings, policy=policy_of(task, origin)), reaper) as session:
            if session.browser.sandbox == "off":
                note(NO_SANDBOX)
            assignment = store.begin(task, instance, origin)
            prepare_site(session, assignment)
            played, trajectory = play_site(session, solver, assignment.work_item, config.limits)
        texts.update(trajectory.texts)
        return score_episode(store.finish(assignment, played), PROFILES[config.metrics])


@contextmanager
def _session(settings: BrowserSettings, reaper: BrowserReaper) -> Iterator[BrowserSession]:
    session = devtools_session(settings)
    try:
        yield session
    finally:
        session.input.close()
        session.browser.close()
    reaper.forget(session.browser.process_group)


class PageGone(Exception):
    """Whoever worked on the page has closed or left it; the episode is an ``agent_error``."""


class BrowserDied(UnfinishedWork):
    """There is no result, since the browser was lost; the message says how."""


class AttendedSolver:
    """Tells somebody outside where the page is, and waits until they are done with it."""

    def __init__(
        self,
        tell: Callable[[Mapping[str, Any]], None],
        is_done: Callable[[float], bool],
        *,
        tell_fields: bool,
        last_words: Callable[[], str] = str,
    ) -> None:
        """Prepare.

        Args:
            tell: Is given what is told of the page, once it is open (docs/reference/program.md).
            is_done: Waits for so many seconds at most; whether they are done.
            tell_fields: Whether it is told which fields there are.
            last_words: What they said when they were done, in which an answer may stand (``read_answer``).
        """
        self._last_words = last_words
        self._tell = tell
        self._is_done = is_done
        self._tell_fields = tell_fields

    def solve_over_devtools(self, page: Page, act: Actions, devtools: Devtools) -> None:
        """Let them work on the page.

        Raises:
            PageGone: they have done away with the page.
            harness.episode.trajectory.LimitReached: their time is up.
            BrowserGone: the browser died.
        """
        trajectory = act.trajectory
        self._tell(what_is_told(page, devtools, seconds=trajectory.seconds_left(), tell_fields=self._tell_fields))
        try:
            while trajectory.seconds_left() and not self._is_done(min(LISTEN_SECONDS, trajectory.seconds_left())):
                devtools.listen()
            devtools.take_back()
        except PageLost as lost:
            trajectory.lost = f"whoever worked on the page did away with it: {lost}"
            raise PageGone(trajectory.lost) from None
        if isinstance(act, SiteActions):
            act.answer = read_answer(self._last_words())
        trajectory.check_limits()


def attend(config: RunConfig, instance: Instance, solver: AttendedSolver, note: Callable[[str], None]) -> InstanceScore:
    """Open an instance's page, let the solver wait for whoever works on it, submit the form and score it.

    A website is opened where its task begins; nothing is submitted there.

    Args:
        config: How the page is shown and scored, and how long it may be worked on.
        instance: The instance.
        solver: Waits.
        note: Is told what the user should know.

    Raises:
        harness.catalog.problems.CatalogError: the task's files cannot be used.
        harness.run.server.ServerRefused: the task server cannot be started or used.
        harness.browser.launch.NoBrowser: no browser can be started.
        BrowserDied: the browser was lost, or the page cannot be opened in it.
    """
    catalog = Catalog(config.tasks_dir, config.overlay, seeds=config.seeds)
    if catalog.task(instance.task).site:
        try:
            return attend_site(config, catalog, instance, solver, note)
        except (BrowserGone, CommandFailed, PageFailed) as error:
            raise BrowserDied(f"there is no result: {error}") from error
    FORMS.check(config)
    pages = TaskPages(catalog.task(instance.task), config, Outside(config.network, config.media))
    for problem in catalog.problems:
        note(f"problem: {problem}")
    # Should this process be killed, the reaper ends the browser.
    with BrowserReaper() as reaper, task_server(config, lambda: catalog.set_fingerprint(catalog.names())) as origin:
        settings = replace(browser_settings(config, origin), scratch=reaper.folder, announce=reaper.watch_me)
        try:
            with Browser(settings) as browser:
                if browser.sandbox == "off":
                    note(NO_SANDBOX)
                assignment = pages.assignment(browser, instance, note)
                session = BrowserSession(browser, DevtoolsInput(browser))
                record = run_episode(session, solver, assignment, config.limits)
            reaper.forget(browser.process_group)
        except (BrowserGone, CommandFailed, PageFailed) as error:
            raise BrowserDied(f"there is no result: {error}") from error
    return score_episode(record.episode, PROFILES[config.metrics])

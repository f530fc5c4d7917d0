"""Shows the page that a task on a bundled website begins at, with the site made for the task's seed."""

from __future__ import annotations

from dataclasses import replace

from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.site_browser import SiteBrowser
from harness.catalog.task import Task
from harness.episode.site_assignment import site_assignment
from harness.kit.errors import UserError
from harness.run.plan import policy_of
from harness.run.site_control import SiteControl, new_episode
from harness.sites.site_player import prepare_site


class SiteElsewhere(UserError):
    """A task whose website does not come with the harness; nobody looks at the web for a picture."""


class SiteVisitor:
    """Opens first pages of websites, one after another.

    A browser is started for the first of them, and another one where a task may visit other origins.
    """

    def __init__(self, settings: BrowserSettings, control_key: str) -> None:
        """Prepare.

        Args:
            settings: Of browsers; their origin is that of the task server.
            control_key: That the server was started with.
        """
        self._settings = settings
        self._control = SiteControl(settings.origin, control_key)
        self._session: BrowserSession | None = None
        self._episode = ""

    def open(self, task: Task) -> SiteBrowser:
        """Show the page that the first instance of a task begins at.

        Args:
            task: On a website.

        Returns:
            The browser that shows it, until the next is opened.

        Raises:
            SiteElsewhere: it is not on a bundled one.
            harness.run.site_control.SiteControlRefused: the site cannot be set.
            harness.browser.browser.PageFailed: the page cannot be shown.
            harness.browser.wire.BrowserGone: the browser died.
            harness.browser.launch.NoBrowser: none can be started.
        """
        assignment = site_assignment(task, task.pages[0], 0)
        if not assignment.setting.site:
            raise SiteElsewhere(f"its website is not bundled, and is not visited: {assignment.facts.start}")
        session = self._session_for(task)
        self._forget()
        episode = new_episode()
        self._control.begin(episode, assignment.setting)
        self._episode = episode
        prepare_site(session, replace(assignment, episode=episode))
        session.site.open(assignment.facts.start)
        return session.site

    def end(self) -> None:
        """End the browser."""
        if self._session:
            self._session.browser.close()
        self._session = None

    def _session_for(self, task: Task) -> BrowserSession:
        policy = policy_of(task, self._settings.origin)
        if self._session is None or self._session.browser.settings.policy != policy:
            self.end()
            self._session = devtools_session(replace(self._settings, policy=policy))
        return self._session

    def _forget(self) -> None:
        if self._episode:
            self._control.end(self._episode)
        self._episode = ""

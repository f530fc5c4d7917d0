"""Opens tasks on websites as a run would, to look at what a model would be sent about them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.sandbox import NO_SANDBOX
from harness.catalog import Catalog
from harness.catalog.task import Instance
from harness.episode.action_sets import actions_of, site_actions_of
from harness.episode.trajectory import Trajectory
from harness.records.config import RunConfig
from harness.run.browsers import browser_settings
from harness.run.plan import site_policy
from harness.sites.site_labels import SiteLabelSide
from harness.sites.site_player import prepare_site
from harness.solvers.models.open_page import OpenPage


class SiteReader:
    """Opens the first pages of tasks, each in a browser that may go where the task may."""

    def __init__(self, config: RunConfig, origin: str, key: str, note: Callable[[str], None]) -> None:
        """Prepare.

        Args:
            config: The run.
            origin: Of its task server.
            key: Of that server's control.
            note: Is told what the user should know.
        """
        self._config = config
        self._origin = origin
        self._note = note
        self._catalog = Catalog(config.tasks_dir, config.overlay, seeds=config.seeds)
        self._desk = SiteLabelSide(config, key, lambda _: None)
        self._browsers = ExitStack()
        self._session: BrowserSession | None = None
        self._policy = NavigationPolicy()

    def open(self, instance: Instance) -> OpenPage:
        """Open an instance's first page.

        Raises:
            harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
            harness.browser.launch.NoBrowser: no browser can be started.
        """
        assignment = self._desk.begin(self._catalog.task(instance.task), instance, self._origin)
        facts = assignment.facts
        session = self._browser(site_policy(facts.origins, self._origin, bundled=bool(facts.site)))
        prepare_site(session, assignment)
        session.site.open(assignment.page.url)
        actions = self._config.actions
        act = site_actions_of(actions)(session.site, session.input, Trajectory(), actions_of(actions))
        self._desk.drop(assignment)
        return OpenPage(assignment.page, act)

    def close(self) -> None:
        """End the browser."""
        self._browsers.close()

    def _browser(self, policy: NavigationPolicy) -> BrowserSession:
        if self._session is None or policy != self._policy:
            self._browsers.close()
            settings = browser_settings(self._config, self._origin)
            self._session, self._policy = devtools_session(replace(settings, policy=policy)), policy
            self._browsers.enter_context(self._session.browser)
            if self._session.browser.sandbox == "off":
                self._note(NO_SANDBOX)
        return self._session

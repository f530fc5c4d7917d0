"""A browser whose pages are worked over WebDriver."""

from __future__ import annotations

import contextlib

from harness.browser.browser import Browser
from harness.browser.channel import Refusal
from harness.browser.input_back_end import BrowserSession
from harness.browser.launch import BrowserSettings
from harness.browser.webdriver.driven_form import DrivenForm
from harness.browser.webdriver.driver_connection import Around, GridConnection, LentDriver, SolversDriver
from harness.browser.webdriver.driver_process import DriverProcess
from harness.browser.webdriver.webdriver_input import DrivenPages, WebdriverInput, boxed_input
from harness.kit.errors import UserError


class NotShared(UserError):
    """A solver asks for a session that is not for it."""


class LentPage:
    """See ``harness.browser.webdriver.webdriver_input.WorkedPage``. The session goes on when the page is left.

    Attributes:
        driver: The session.
        form: What is found and worked in it.
    """

    def __init__(self, browser: Browser) -> None:
        """Go on with the session, at the page that ``browser`` shows."""
        grid, _, session = browser.lent_by.rpartition("/session/")
        self.driver = LentDriver(GridConnection(grid, browser.settings.timeout), session)
        self.driver.switch_to.window(browser.target)
        self.form = DrivenForm(self.driver)

    def share(self, around: Around) -> SolversDriver:  # noqa: ARG002 - nobody's commands are sent
        """Refuse: the session can do more than work the page, and no gate stands before it.

        Raises:
            NotShared: always.
        """
        raise NotShared("act.driver is there in browsers of this machine only: leave out --grid")

    def end(self) -> None:
        """Nothing to end: the session is the browser's."""

    def take_back(self) -> list[Refusal]:
        """Nothing to take back: nobody else had it."""
        return []


class FollowsNoTabs(UserError):
    """An input back end that works one page was asked to work a site."""


def webdriver_session(settings: BrowserSettings) -> BrowserSession:
    """Start a browser, and a driver for it; one that a Grid lends has the Grid's.

    To be called by a thread that lives as long as the session: the driver's box ends with it.

    Raises:
        harness.browser.launch.NoBrowser: no browser can be started.
        FollowsNoTabs: the browser is to walk through a site.
        harness.browser.webdriver.driver_process.NoDriver: no driver can be, or there can be no box for it.
    """
    if settings.policy.is_site:
        raise FollowsNoTabs(
            "--input webdriver works one page and follows no tabs: a task on a site needs --input devtools or desktop"
        )
    if settings.remote and settings.remote.place == "grid":
        lent = Browser(settings)
        return BrowserSession(lent, WebdriverInput(DrivenPages(lent, lambda: LentPage(lent))))
    with contextlib.ExitStack() as undo:
        browser = Browser(settings)
        undo.callback(browser.close)
        process = DriverProcess(browser.version)
        undo.pop_all()
    return BrowserSession(browser, boxed_input(browser, process))

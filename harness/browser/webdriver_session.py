"""A browser whose pages are worked over WebDriver."""

from __future__ import annotations

import contextlib

from harness.browser.browser import Browser
from harness.browser.browser_session import BrowserSession
from harness.browser.launch import BrowserSettings
from harness.browser.webdriver.driver_process import DriverProcess
from harness.browser.webdriver.lent_page import LentPage
from harness.browser.webdriver.webdriver_input import DrivenPages, WebdriverInput, boxed_input
from harness.kit.errors.user import UserError


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

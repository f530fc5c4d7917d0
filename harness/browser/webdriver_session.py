"""A browser whose pages are worked over WebDriver."""

from __future__ import annotations

import contextlib

from harness.browser.browser import Browser
from harness.browser.browser_session import BrowserSession
from harness.browser.input_back_end import see_to_one_page
from harness.browser.launch import BrowserSettings
from harness.browser.webdriver.driver_process import DriverProcess
from harness.browser.webdriver.webdriver_input import WebdriverInput


def webdriver_session(settings: BrowserSettings) -> BrowserSession:
    """Start a browser, and a driver for it.

    To be called by a thread that lives as long as the session: the driver's box ends with it.

    Raises:
        harness.browser.launch.NoBrowser: no browser can be started.
        harness.browser.input_back_end.FollowsNoTabs: the browser is to walk through a site.
        harness.browser.webdriver.driver_process.NoDriver: no driver can be, or there can be no box for it.
    """
    see_to_one_page("webdriver", settings.policy)
    with contextlib.ExitStack() as undo:
        browser = Browser(settings)
        undo.callback(browser.close)
        process = DriverProcess(browser.version)
        undo.pop_all()
    return BrowserSession(browser, WebdriverInput(browser, process))

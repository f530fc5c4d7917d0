"""A driver of Selenium's for a page that a browser of this machine shows already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver

from harness.browser.webdriver.driver_process import find_driver
from harness.kit.errors import UserError

HINT = "apt-get install chromium-driver brings the one of Debian's Chromium"


class NoDriverJoins(UserError):
    """There is no driver, or it cannot join; the message says why."""


@contextmanager
def joined_driver(host: str, target: str) -> Iterator[WebDriver]:
    """One for as long as the context lasts, which leaves the browser as it is.

    Args:
        host: Host and port at which the browser's DevTools are.
        target: The id of the page, which is the handle of its window.

    Raises:
        NoDriverJoins: there is no driver, or it cannot join.
    """
    options = Options()
    options.debugger_address = host
    try:
        driver = WebDriver(options=options, service=Service(find_driver()))
    except WebDriverException as error:
        reason = (error.msg or str(error)).partition("\n")[0]
        raise NoDriverJoins(f"no driver joins the browser at {host}: {reason}; {HINT}") from error
    try:
        driver.switch_to.window(target)
        yield driver
    finally:
        driver.quit()

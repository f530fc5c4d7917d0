"""The browser, whether it can be shut in, and what Selenium programs need beside it."""

from __future__ import annotations

import contextlib
import getpass
import os
import time
from collections.abc import Iterator

from harness.browser.box import bubblewrap
from harness.browser.browser import Browser
from harness.browser.channel import CommandFailed
from harness.browser.launch import BrowserSettings
from harness.browser.sandbox import LET_IT_HAVE_ONE
from harness.browser.webdriver.driver_process import DRIVER_HINT, NoDriver, check_version, find_driver
from harness.browser.wire import BrowserGone
from harness.cli.diagnosis.checks import Look
from harness.kit.errors import UserError

NOWHERE = "http://127.0.0.1:1"
"""An origin at which nothing listens: the browser shows no page."""
_OFFLINE = "SE_OFFLINE"
"""The variable that keeps Selenium Manager from fetching a browser."""


def check_browser() -> Iterator[Look]:
    """Start it once, and look at it; then compare the driver's version."""
    begun = time.monotonic()
    try:
        with _fetching_nothing(), Browser(BrowserSettings(NOWHERE)) as browser:
            seconds = time.monotonic() - begun
            words = f"{browser.program}, {browser.version}, starts in {seconds:.1f} s"
            yield Look("browser", "ok", words)
            yield _sandbox(browser)
            yield _driver(browser.version)
    except (UserError, BrowserGone, CommandFailed) as error:
        message = error.args[0] if error.args else str(error)
        yield Look("browser", "problem", str(message), "what it says, or name another one with TURKBENCH_CHROMIUM")


@contextlib.contextmanager
def _fetching_nothing() -> Iterator[None]:
    before = os.environ.get(_OFFLINE)
    os.environ[_OFFLINE] = "true"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_OFFLINE]
        else:
            os.environ[_OFFLINE] = before


def _sandbox(browser: Browser) -> Look:
    account = browser.account or getpass.getuser()
    if browser.sandbox == "on":
        return Look("sandbox", "ok", f"on; the browser runs as {account}")
    if browser.sandbox == "off":
        words = f"OFF; a page that breaks out of the browser has the rights of {account}"
        return Look("sandbox", "warning", words, LET_IT_HAVE_ONE)
    words = f"unknown, since only Linux tells; the browser runs as {account}"
    return Look("sandbox", "warning", words, "evaluate strangers' task sets on Linux")


def _driver(version: str) -> Look:
    """What ``--input webdriver`` and programs with Selenium need; nothing else does."""
    program = find_driver()
    if program is None:
        words = "not there; only --input webdriver and programs of yours that use Selenium need chromedriver"
        return Look("driver", "ok", words)
    try:
        said = check_version(program, version)
    except NoDriver as error:
        return Look("driver", "warning", error.args[0].partition(": ")[0], f"for --input webdriver {DRIVER_HINT}")
    if reason := bubblewrap.why_not():
        words = f"{said}, but no box for it: {reason}"
        return Look("driver", "warning", words, "for --input webdriver let the machine make boxes, as it says")
    return Look("driver", "ok", said)

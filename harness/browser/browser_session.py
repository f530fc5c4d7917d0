"""A browser with its screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.browser.browser import Browser
from harness.browser.display import Display
from harness.browser.headless import PageDisplay
from harness.browser.launch import BrowserSettings


@dataclass(frozen=True)
class BrowserSession:
    """A browser that is running, and the screen that it is seen on."""

    browser: Browser
    display: Display


SessionMaker = Callable[[BrowserSettings], BrowserSession]


def headless_session(settings: BrowserSettings) -> BrowserSession:
    """A browser whose screen is reached over DevTools."""
    browser = Browser(settings)
    return BrowserSession(browser, PageDisplay(browser))

"""A browser, and how actions reach the page that it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.browser.browser import Browser
from harness.browser.devtools_input import DevtoolsInput
from harness.browser.input_back_end import InputBackEnd
from harness.browser.launch import BrowserSettings


@dataclass(frozen=True)
class BrowserSession:
    """A browser that is running, and the input back end of its pages."""

    browser: Browser
    input: InputBackEnd


SessionMaker = Callable[[BrowserSettings], BrowserSession]


def devtools_session(settings: BrowserSettings) -> BrowserSession:
    """A browser whose pages are worked over DevTools."""
    browser = Browser(settings)
    return BrowserSession(browser, DevtoolsInput(browser))

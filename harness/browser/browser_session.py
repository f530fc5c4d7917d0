"""A browser, and how actions reach the page that it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.browser.browser import Browser
from harness.browser.devtools_input import DevtoolsInput
from harness.browser.input_back_end import InputBackEnd
from harness.browser.launch import BrowserSettings
from harness.browser.site_browser import SiteBrowser


@dataclass(frozen=True)
class BrowserSession:
    """A browser that is running, and the input back end of its pages."""

    browser: Browser
    input: InputBackEnd

    @property
    def site(self) -> SiteBrowser:
        """The browser, where it walks through a site.

        Raises:
            TypeError: it shows a form's page.
        """
        if not isinstance(self.browser, SiteBrowser):
            raise TypeError("this browser was started for forms")
        return self.browser


SessionMaker = Callable[[BrowserSettings], BrowserSession]


def devtools_session(settings: BrowserSettings) -> BrowserSession:
    """A browser whose pages are worked over DevTools; of a site the current tab is, whichever that is."""
    browser = SiteBrowser(settings) if settings.policy.is_site else Browser(settings)
    return BrowserSession(browser, DevtoolsInput(browser))

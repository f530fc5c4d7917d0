"""A browser, and how actions reach the page that it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.browser.browser import Browser
from harness.browser.devtools_input import DevtoolsInput
from harness.browser.input_back_end import InputBackEnd
from harness.browser.launch import BrowserSettings

if TYPE_CHECKING:
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
        from harness.browser.site_browser import SiteBrowser  # noqa: PLC0415 - runs on forms do without

        if not isinstance(self.browser, SiteBrowser):
            raise TypeError("this browser was started for forms")
        return self.browser


SessionMaker = Callable[[BrowserSettings], BrowserSession]


def devtools_session(settings: BrowserSettings) -> BrowserSession:
    """A browser whose pages are worked over DevTools; of a site the current tab is, whichever that is."""
    browser = browser_for(settings)
    return BrowserSession(browser, DevtoolsInput(browser))


def browser_for(settings: BrowserSettings) -> Browser:
    """Start the browser that is asked for: one that walks through a site, or one that shows a page."""
    if settings.policy.is_site:
        from harness.browser.site_browser import SiteBrowser  # noqa: PLC0415 - runs on forms do without

        return SiteBrowser(settings)
    return Browser(settings)

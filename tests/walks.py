"""A little site at ``http://shop.test``, and a browser that walks through it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.launch import BrowserSettings
from harness.browser.seen_moments import SeenMoment
from harness.browser.site_browser import SiteBrowser
from tests.site import Site, in_page

SHOP = "http://shop.test"


class Walk:
    """The browser, and the server of its site.

    Attributes:
        server: Answers for every path what a test has put there.
        browser: May visit ``http://shop.test`` and nothing else.
        input: Mouse and keyboard of its current tab.
    """

    def __init__(self, server: Site, browser: SiteBrowser) -> None:
        self.server = server
        self.browser = browser
        self.input = DevtoolsInput(browser)

    def put(self, body: str, path: str, **answer: object) -> str:
        """Serve a page; gives its address on the site."""
        self.server.put(f"<!DOCTYPE html><title>{path}</title>{body}", path, **answer)
        return SHOP + path

    def open(self, body: str, path: str = "/") -> str:
        """Serve a page and show it in the current tab; what happened until then is forgotten. Gives its address."""
        url = self.put(body, path)
        self.browser.open(url)
        self.browser.take_moments()
        return url

    def page(self, expression: str) -> object:
        """The value of an expression in the world of the current tab's page."""
        return in_page(self.browser, expression)

    def press(self, css: str) -> None:
        """Click an element of the current tab, and wait until it has settled."""
        x, y = in_page(
            self.browser,
            f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])"
            f"(document.querySelector({css!r}).getBoundingClientRect())",
        )
        self.input.click(x, y)
        self.browser.settle()

    def type(self, text: str) -> None:
        """Press keys, and wait until the page has settled."""
        self.input.type(text)
        self.browser.settle()

    def told(self) -> list[str]:
        """What has happened, one word each with the tab: ``moved 0 /cart``, ``click 0 #buy``."""
        return [_words(moment) for moment in self.browser.take_moments()]


def _words(moment: SeenMoment) -> str:
    if moment.element:
        return f"{moment.event} {moment.tab} {moment.element.css}"
    return f"{moment.kind} {moment.tab} {moment.url.removeprefix(SHOP)}"


@contextmanager
def walking(*, headless: bool = True, live: bool = False, timeout: float = 30.0) -> Iterator[Walk]:
    """A context with a site of its own, and a browser for it; ``http://other.test`` is the same server."""
    server = Site()
    place = server.origin.removeprefix("http://")
    policy = NavigationPolicy((SHOP,), {"shop.test": place, "other.test": place})
    try:
        settings = BrowserSettings(server.origin, policy=policy, headless=headless, live=live, timeout=timeout)
        with SiteBrowser(settings) as browser:
            yield Walk(server, browser)
    finally:
        server.close()

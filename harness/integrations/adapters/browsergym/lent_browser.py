"""The episode's browser in place of one that BrowserGym would launch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, Playwright

from harness.browser.launch import find_browser
from harness.integrations.adapters.stage.messages import Opened


class LentContext:
    """The context of the episode's page: Playwright's own, but for what an episode does not leave to its agent."""

    def __init__(self, page: Page) -> None:
        """Of a page that is open."""
        self._context = page.context
        self._page = page
        self._scripts: list[str] = []

    def add_init_script(self, script: str) -> None:
        """Have a script run in each document, that of the open page included."""
        self._context.add_init_script(script)
        self._scripts.append(script)

    def new_page(self) -> Page:
        """The page that is open. Actions that want another ask its own context."""
        for script in self._scripts:
            self._page.evaluate(script)
        return self._page

    def cookies(self) -> list[Any]:
        """None: an episode does not tell them. BrowserGym asks so that Playwright delivers what pages have called."""
        self._context.pages[0].wait_for_timeout(1)
        return []

    def close(self) -> None:
        """Nothing: it ends with the episode."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def __eq__(self, other: object) -> bool:
        return other is self or other == self._context

    def __hash__(self) -> int:
        return hash(self._context)


class LentPlaywright:
    """Playwright, as an environment of BrowserGym asks it for browsers while it is reset.

    The first is that of the page, which is the episode's. The second is that of the chat window, which it launches.
    """

    def __init__(self, playwright: Playwright, opening: Callable[[], Opened]) -> None:
        """Prepare.

        Args:
            playwright: Who connects to the episode's browser, and launches the other.
            opening: Opens the page.
        """
        self.selectors = playwright.selectors
        self.chromium = self
        self._playwright = playwright
        self._opening = opening
        self._lent: Browser | None = None

    def launch(self, **settings: Any) -> Any:
        """The episode's browser, or the one of the chat window."""
        if self._lent:
            return self._playwright.chromium.launch(executable_path=find_browser(), **settings)
        self._opened = self._opening()
        assert self._opened.devtools  # noqa: S101 - it was opened so
        self._lent = self._playwright.chromium.connect_over_cdp(self._opened.devtools.http)
        return self

    def new_context(self, **_: Any) -> LentContext:
        """The context of the episode's page, which is as large as it is."""
        assert self._lent  # noqa: S101 - who asks for a context has a browser
        pages = [page for context in self._lent.contexts for page in context.pages]
        page = next(page for page in pages if page.url == self._opened.url)
        return LentContext(page)

    def close(self) -> None:
        """Leave the browser."""
        if self._lent:
            self._lent.close()

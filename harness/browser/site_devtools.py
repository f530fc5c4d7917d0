"""The way into the tabs of a site for a program that drives them itself."""

from __future__ import annotations

import socket
from contextlib import suppress

from harness.browser.browser import Browser
from harness.browser.channel import CommandFailed
from harness.browser.devtools import Devtools
from harness.browser.gate.gate_access import Watcher
from harness.browser.live_page import PageClosed, PageFailed, PageLost
from harness.browser.site_browser import SiteBrowser
from harness.browser.tab import MOST_DOCUMENTS


class SiteDevtools(Devtools):
    """As ``Devtools``, where the program may go from page to page and from tab to tab, and nothing is brought back.

    The gate shows the tabs that are open; an address that is none of the task's is answered as the browser does, and
    the tab stays where it is. ``page`` and ``target`` are those of the tab that was the first when it began.
    """

    def __init__(
        self, browser: SiteBrowser, listener: socket.socket | None = None, watcher: Watcher | None = None
    ) -> None:
        """Of the tabs of ``browser``; the other arguments are those of ``Devtools``."""
        super().__init__(browser, listener, watcher)
        self._site = browser

    def listen(self, patience: float = 0.0) -> None:
        """Read what the browser has told meanwhile.

        Args:
            patience: How many seconds the page may take to tell what the program has just done; 0 for no waiting.

        Raises:
            PageLost: all tabs were closed.
            harness.browser.wire.BrowserGone: the page's process crashed, or the browser does not answer.
        """
        try:
            self._site.catch_up()
            if patience:
                self._site.channel.answers(patience)
        except PageClosed:
            if not self._site.tabs:
                raise PageLost("it closed all tabs; it has to leave one open") from None

    def take_back(self) -> None:
        """Make the tabs as large as they were, and wait until the current one has settled; nobody else reaches them.

        Raises:
            PageLost: all tabs were closed, or scripts keep the page busy without end.
            harness.browser.wire.BrowserGone: as for ``listen``, or the page does not load.
        """
        self.listen()
        self.shut()
        self._stop_endless_scripts()
        self.listen()
        try:
            self._site.channel.call("Page.bringToFront")
            self._regain_size()
        except (PageClosed, CommandFailed) as error:
            raise PageLost(f"its tab cannot be reached any more: {error}") from error

    def _regain_size(self) -> None:
        if self._site.settings.kiosk:
            self._site.settle()
            return
        for tab in self._site.tabs:
            tab.ask_for_size()
        for _ in range(MOST_DOCUMENTS):
            self._site.settle()
            with suppress(PageFailed):  # another document has come
                if not self._site.blocked:
                    self._site.page.wait_for_size()
                return


def way_in(browser: Browser, watcher: Watcher | None = None) -> Devtools:
    """The way into a browser, for a program that drives it itself; a context.

    Args:
        browser: Of a form or of a site.
        watcher: Who looks on at what the program does; None for nobody.
    """
    if isinstance(browser, SiteBrowser):
        return SiteDevtools(browser, watcher=watcher)
    return Devtools(browser, watcher=watcher)

"""The windows of a headed browser in which the tabs of a site are shown: each browser context opens its own."""

from __future__ import annotations

from contextlib import suppress

from harness.browser.channel import Channel, CommandFailed
from harness.browser.launch import SCREEN, BrowserSettings
from harness.browser.live_page import PageFailed
from harness.browser.tab import Tab

FIRST_FRAMES = 2
"""Of a document, until presses reach it: the second is asked for when the first is drawn."""
_WIDTH, _HEIGHT = SCREEN


class SiteWindow:
    """What a person, or the pointer of an X display, finds of the tabs."""

    def __init__(self, root: Channel, settings: BrowserSettings) -> None:
        """Of a browser.

        Args:
            root: The session with it.
            settings: How it was started.
        """
        self._root = root
        self._covers = settings.kiosk and not settings.headless
        self._in_front: tuple[Tab, str] | None = None

    def fit(self, tab: Tab) -> None:
        """Let the window be as large as the page and what the browser puts around it, if it is one that can do so."""
        with suppress(CommandFailed):  # else it is larger, and empty below the page
            window = self._root.call("Browser.getWindowForTarget", targetId=tab.target)["windowId"]
            self._root.call("Browser.setContentsSize", windowId=window, width=_WIDTH, height=_HEIGHT)

    def shows(self, tab: Tab) -> bool:
        """Whether a tab has the screen and the keyboard, which it is given where pages are to fill the screen.

        A document has them with its first frames; before, the pointer presses what was there. It is False where another
        document has come meanwhile: it is asked again when that has settled.

        Raises:
            harness.browser.live_page.PageClosed: the tab was closed.
            harness.browser.wire.BrowserGone: no answer.
        """
        shown = (tab, tab.document)
        if not self._covers or tab.blocked or shown == self._in_front:
            return True
        with suppress(CommandFailed, PageFailed):
            self._cover(tab)
            tab.wait_for_size()
            for _ in range(FIRST_FRAMES):
                tab.run("page.frame")
            self._in_front = shown
        return shown == self._in_front

    def _cover(self, tab: Tab) -> None:
        """Let the window of a tab fill the screen: as the browser starts, only the first of its windows does."""
        window = self._root.call("Browser.getWindowForTarget", targetId=tab.target)
        if window["bounds"]["windowState"] != "fullscreen":
            place = {"left": 0, "top": 0, "width": _WIDTH, "height": _HEIGHT}
            for bounds in (place, {"windowState": "fullscreen"}):
                self._root.call("Browser.setWindowBounds", windowId=window["windowId"], bounds=bounds)
        tab.channel.call("Page.bringToFront")

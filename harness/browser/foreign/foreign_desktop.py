"""The screen of a session's own desktop, on which somebody else's browser has its window."""

from __future__ import annotations

import contextlib

from harness.browser.desktop.desktop_input import ATTEMPTS, DesktopInput
from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.foreign.driver_page import DriverPage, driven_pages
from harness.browser.foreign.playwright_page import PlaywrightPage

_MIDDLE = """(() => [
  screenX + outerWidth / 2, screenY + outerHeight - innerHeight / 2,
].map(Math.round))()"""
"""A pixel of the screen that is in the page, wherever the window's frame is."""


class ForeignDesktop(DesktopInput):
    """Pointer and keyboard of the desktop, by PyAutoGUI, on the page area of a window that is there.

    The fields are worked as over the page's own driver: a desktop knows no fields.
    """

    def __init__(self, page: DriverPage | PlaywrightPage) -> None:
        """Find the page area on the display that ``DISPLAY`` names.

        Raises:
            harness.browser.desktop.xserver.NoDisplay: there is no display, PyAutoGUI is not installed, or the page area
                is not wholly seen.
        """
        super().__init__(XServer.of_session(), page.run, size=page.size)
        self.driven = driven_pages(page) if isinstance(page, DriverPage) else None
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            self._find(page)
            undo.pop_all()

    def _find(self, page: DriverPage | PlaywrightPage) -> None:
        x, y = page.evaluate(_MIDDLE)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self.locate(page.evaluate, x, y)
            except NoDisplay:
                if attempt == ATTEMPTS:
                    raise
            else:
                return

"""The screen over DevTools: no window, no X display."""

from __future__ import annotations

from harness.browser.browser import Browser
from harness.browser.input import Input
from harness.browser.launch import SCREEN


class PageDisplay:
    """The page area of a browser as a screen (see ``harness.browser.display.Display``)."""

    size: tuple[int, int] = SCREEN

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._input = Input(browser.channel)

    def capture(self) -> bytes:
        """PNG of the page area."""
        return self._browser.picture()

    def click(self, x: float, y: float) -> None:
        """Left button at a point of the page area."""
        self._input.click(x, y)

    def type(self, text: str) -> None:
        """Key presses into what has the focus."""
        self._input.type(text)

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """The wheel over a point, in CSS pixels."""
        self._input.wheel(x, y, dx, dy)

    def maximize(self) -> tuple[int, int]:
        """The size is fixed; it is reported."""
        return self.size

    def close(self) -> None:
        """Nothing to end: the browser has its own life."""

"""The wheel of an X display over a page, whose turns are waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.browser.desktop.xinput import XInput

WHEEL_STEP = 120
"""CSS pixels that Chromium scrolls for one click of an X wheel, up and down as sideways."""
MOST_CLICKS = 1000
"""Wheel clicks for one scroll, some 150 screens: a request for a billion pixels must come back."""
WHEEL_PATIENCE = 2.0
"""Seconds for a page to see the next turn; over an open list of options it never does."""
RunInPage = Callable[..., Any]
"""Calls a function of the in-page library by its name (``harness.browser.browser.Browser.run``)."""


class Wheel:
    """Turns the wheel, and comes back when the page has been told of all of it.

    Chromium hands a page one turn at a time and keeps the others until that one has been worked, so that no number of
    frames says that the last has come.
    """

    def __init__(self, display: XInput, run: RunInPage) -> None:
        """Use the wheel of a display.

        Args:
            display: Whose wheel it is.
            run: Reaches the page.
        """
        self._display = display
        self._run = run

    def turn(self, place: tuple[int, int], pixel: tuple[int, int], clicks: tuple[int, int]) -> None:
        """Turn it; the page's next two frames are where it has brought the page.

        Args:
            place: CSS pixels in the page area.
            pixel: The same place on the screen.
            clicks: To the right, and down.
        """
        is_seen = self._run("page.watchWheel", *place)
        self._display.wheel(*pixel, *clicks)
        if is_seen:
            self._run("page.wheelTurned", *(WHEEL_STEP * number for number in clicks), 1000 * WHEEL_PATIENCE)


def wheel_clicks(pixels: float) -> int:
    """Clicks of the wheel for a way in CSS pixels, with its sign; at most ``MOST_CLICKS``."""
    if not pixels:
        return 0
    clicks = min(max(1, round(abs(pixels) / WHEEL_STEP)), MOST_CLICKS)
    return clicks if pixels > 0 else -clicks

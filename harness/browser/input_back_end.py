"""How actions reach a page: the interface of the input back ends `devtools`, `webdriver` and `desktop`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from harness.browser.channel import Refusal
from harness.browser.chord import Chord
from harness.browser.input import MouseButton, Point

if TYPE_CHECKING:
    from harness.browser.webdriver.webdriver_input import DrivenPages


class InputBackEnd(Protocol):
    """The screen that shows one page, and the way to its fields; pixels are the coordinates of presses."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in pixels; fixed in an episode."""

    @property
    def driven(self) -> DrivenPages | None:
        """WebDriver sessions with the pages, in which their fields are worked.

        None for a back end without: there fields are worked over DevTools.
        """

    def capture(self) -> bytes:
        """PNG of the page area, exactly ``size``."""

    def click(self, x: float, y: float) -> None:
        """Press the left button at a point of the page area."""

    def double_click(self, x: float, y: float) -> None:
        """Press the left button twice in quick succession."""

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a point of the page area."""

    def drag(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Press the left button at a point, move to another by several steps and let go there."""

    def press_button(self, x: float, y: float, button: MouseButton, count: int, held: Sequence[str]) -> None:
        """Press a button some times in quick succession at a point of the page area.

        Args:
            x: CSS pixels from the left edge.
            y: CSS pixels from the top edge.
            button: Which.
            count: How often.
            held: Keys that are down meanwhile, names of ``harness.browser.chord.MODIFIERS``.

        Raises:
            harness.browser.chord.ShortcutRefused: it would reach the browser or the desktop around the page.
        """

    def drag_along(self, path: Sequence[Point], held: Sequence[str]) -> None:
        """Press the left button at the first point of a path, move through all others and let go at the last.

        Args:
            path: Points of the page area, at least two.
            held: As of ``press_button``.

        Raises:
            harness.browser.chord.ShortcutRefused: as of ``press_button``.
        """

    def press(self, chord: Chord) -> None:
        """Press and release one key, with what is held down.

        Raises:
            harness.browser.chord.ShortcutRefused: it would reach the browser or the desktop around the page.
        """

    def type(self, text: str) -> None:
        r"""Press real keys into what has the focus; ``\n`` is Enter, ``\t`` is Tab."""

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point; ``dx`` and ``dy`` are CSS pixels to the right and down."""

    def maximize(self) -> tuple[int, int]:
        """Make the window as large as it gets; gives the fixed size."""

    def let_go(self) -> list[Refusal]:
        """Have nothing more to do with the open page; gives what a solver's own driver asked for and was refused.

        Raises:
            harness.browser.live_page.PageLost: a solver's own driver has done away with the page.
        """

    def close(self) -> None:
        """Give back what it holds."""

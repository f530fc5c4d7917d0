"""What the visual actions need of a screen, be it reached over DevTools or through the desktop."""

from __future__ import annotations

from typing import Protocol


class Display(Protocol):
    """A screen that shows one page; its pixels are the coordinates of presses.

    Attributes:
        size: Width and height of the page area in pixels; fixed.
    """

    size: tuple[int, int]

    def capture(self) -> bytes:
        """PNG of the page area, exactly ``size``."""

    def click(self, x: float, y: float) -> None:
        """Press the left button at a point of the page area."""

    def type(self, text: str) -> None:
        r"""Press real keys into what has the focus; ``\n`` is Enter, ``\t`` is Tab."""

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point; ``dx`` and ``dy`` are CSS pixels to the right and down."""

    def maximize(self) -> tuple[int, int]:
        """Make the window as large as it gets; gives the fixed size."""

    def close(self) -> None:
        """Give back what the display holds."""

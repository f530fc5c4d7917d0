"""The input back end over DevTools: no window, no X display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.browser.browser import Browser, PageClosed
from harness.browser.channel import Refusal
from harness.browser.chord import Chord, held_down
from harness.browser.input import Input, MouseButton, Point
from harness.browser.launch import SCREEN


class DevtoolsInput:
    """The page area of a browser as a screen (see ``harness.browser.input_back_end.InputBackEnd``)."""

    driven = None

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in pixels."""
        return SCREEN

    @property
    def _input(self) -> Input:
        """Mouse and keyboard of the page that the browser shows now."""
        return Input(self._browser.channel)

    def capture(self) -> bytes:
        """PNG of the page area."""
        return self._browser.picture()

    @contextmanager
    def _closing(self) -> Iterator[None]:
        """A context in which a tab may be closed by what reaches it: then nobody answers, and another is shown."""
        page = self._browser.page
        try:
            yield
        except PageClosed:
            if page is self._browser.page:
                raise

    def click(self, x: float, y: float) -> None:
        """Left button at a point of the page area."""
        with self._closing():
            self._input.click(x, y)

    def double_click(self, x: float, y: float) -> None:
        """Left button twice at a point."""
        with self._closing():
            self._input.click(x, y, count=2)

    def press_button(self, x: float, y: float, button: MouseButton, count: int, held: Sequence[str]) -> None:
        """A button at a point, some times, with keys held down."""
        with self._closing():
            self._input.click(x, y, modifiers=held_down(held), button=button, count=count)

    def hover(self, x: float, y: float) -> None:
        """The pointer at a point."""
        self._input.hover(x, y)

    def drag(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Left button down at a point, up at another, with movements in between."""
        self.drag_along([(x1, y1), (x2, y2)], ())

    def drag_along(self, path: Sequence[Point], held: Sequence[str]) -> None:
        """Left button down at the first point, through the others, up at the last."""
        self._input.drag(path, modifiers=held_down(held), is_writing=lambda: bool(self._browser.run("page.isWriting")))

    def press(self, chord: Chord) -> None:
        """A key, with what is held down; all are the page's, since none reaches the browser over DevTools."""
        with self._closing():
            self._browser.channel.results(self._input.send_key(chord.key, chord.commands))

    def type(self, text: str) -> None:
        """Key presses into what has the focus."""
        self._input.type(text)

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """The wheel over a point, in CSS pixels."""
        self._input.wheel(x, y, dx, dy)

    def maximize(self) -> tuple[int, int]:
        """The size is fixed; it is reported."""
        return self.size

    def let_go(self) -> list[Refusal]:
        """Nothing to let go of."""
        return []

    def close(self) -> None:
        """Nothing to end: the browser has its own life."""

"""How actions reach a page: the interface of the input back ends, that over DevTools, and browsers with theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from harness.browser.browser import Browser, PageClosed
from harness.browser.channel import Refusal
from harness.browser.chord import Chord, held_down
from harness.browser.input import Input, MouseButton, Point
from harness.browser.launch import SCREEN, BrowserSettings

if TYPE_CHECKING:
    from harness.browser.site_browser import SiteBrowser
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


@dataclass(frozen=True)
class BrowserSession:
    """A browser that is running, and the input back end of its pages."""

    browser: Browser
    input: InputBackEnd

    @property
    def site(self) -> SiteBrowser:
        """The browser, where it walks through a site.

        Raises:
            TypeError: it shows a form's page.
        """
        from harness.browser.site_browser import SiteBrowser  # noqa: PLC0415 - runs on forms do without

        if not isinstance(self.browser, SiteBrowser):
            raise TypeError("this browser was started for forms")
        return self.browser


SessionMaker = Callable[[BrowserSettings], BrowserSession]


def devtools_session(settings: BrowserSettings) -> BrowserSession:
    """A browser whose pages are worked over DevTools; of a site the current tab is, whichever that is."""
    browser = browser_for(settings)
    return BrowserSession(browser, DevtoolsInput(browser))


def browser_for(settings: BrowserSettings) -> Browser:
    """Start the browser that is asked for: one that walks through a site, or one that shows a page."""
    if settings.policy.is_site:
        from harness.browser.site_browser import SiteBrowser  # noqa: PLC0415 - runs on forms do without

        return SiteBrowser(settings)
    return Browser(settings)

"""The input back end that reaches the page over the W3C WebDriver protocol alone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver

from harness.browser.browser import Browser
from harness.browser.channel import CommandFailed, Refusal
from harness.browser.chord import Chord
from harness.browser.devtools import Devtools
from harness.browser.input import MouseButton, Point
from harness.browser.launch import SCREEN
from harness.browser.webdriver.driven_form import DrivenForm
from harness.browser.webdriver.driver_connection import Around, Driver, DriverConnection, SolversDriver
from harness.browser.webdriver.driver_process import DriverProcess
from harness.browser.wire import BrowserGone


@contextlib.contextmanager
def failures() -> Iterator[None]:
    """A context, and a decorator, in which an error of the driver is one of the browser.

    Raises:
        harness.browser.channel.CommandFailed: the driver refused a command.
    """
    try:
        yield
    except WebDriverException as error:
        raise CommandFailed(f"the driver: {(error.msg or str(error)).partition(chr(10))[0]}") from error


class WorkedPage(Protocol):
    """The open page in a session of WebDriver.

    Attributes:
        driver: The session.
        form: What is found and worked in it.
    """

    @property
    def driver(self) -> WebDriver:
        """See above."""

    @property
    def form(self) -> DrivenForm:
        """See above."""

    def share(self, around: Around) -> SolversDriver:
        """The same session for a solver; ``around`` is as for ``SolversDriver``."""

    def end(self) -> None:
        """Have nothing more to do with the page; never raises."""

    def take_back(self) -> list[Refusal]:
        """End, with the page as it was before a solver had the session; gives what that was refused."""


class DrivenPage:
    """A WebDriver session with the open page of a browser of this machine.

    Attributes:
        driver: The session.
        form: What is found and worked in it.
        devtools: The way by which the driver reaches the page.
    """

    def __init__(self, browser: Browser, process: DriverProcess, connection: DriverConnection) -> None:
        """Begin it, with the page that ``browser`` shows."""
        self._is_shared = False
        self.devtools = Devtools(browser, process.listener)
        with contextlib.ExitStack() as undo:
            undo.enter_context(self.devtools)
            self.driver = Driver(connection, self.devtools.host)
            undo.pop_all()
        self.form = DrivenForm(self.driver)

    def share(self, around: Around) -> SolversDriver:
        """The same session for a solver.

        Args:
            around: As for ``SolversDriver``.
        """
        self._is_shared = True
        return SolversDriver(self.driver, around)

    def end(self) -> None:
        """End the session; never raises."""
        # The way to the page goes first: a driver that waits for a script without end waits no longer.
        self.devtools.shut()
        with contextlib.suppress(WebDriverException, BrowserGone):
            self.driver.quit()

    def take_back(self) -> list[Refusal]:
        """End the session, and make the page again what it was if a solver had it.

        Returns:
            What the solver asked of the browser and was refused.

        Raises:
            harness.browser.live_page.PageLost: the solver did away with the page.
            harness.browser.wire.BrowserGone: the page's process crashed, or the browser does not answer.
        """
        self.end()
        if not self._is_shared:
            return []
        self.devtools.take_back()
        return self.devtools.refusals


class DrivenPages:
    """The sessions with the pages of a browser, one after another."""

    def __init__(self, browser: Browser, begin: Callable[[], WorkedPage]) -> None:
        """Prepare.

        Args:
            browser: The browser.
            begin: Begins with the open page.
        """
        self._begin = begin
        self._page: WorkedPage | None = None
        browser.on_leaving.append(self.end)

    @property
    def page(self) -> WorkedPage:
        """The session with the open page, which is begun when it is first asked for."""
        if self._page is None:
            with failures():
                self._page = self._begin()
        return self._page

    def take_back(self) -> list[Refusal]:
        """See ``DrivenPage.take_back``; nothing if there is no session."""
        page, self._page = self._page, None
        return page.take_back() if page else []

    def end(self) -> None:
        """End the session that there may be; never raises."""
        page, self._page = self._page, None
        if page:
            page.end()


class WebdriverInput:
    """A page's screen and form over WebDriver; see ``harness.browser.input_back_end.InputBackEnd``."""

    def __init__(self, driven: DrivenPages, end: Callable[[], None] = lambda: None) -> None:
        """Act on the pages that a browser shows.

        Args:
            driven: The sessions with them.
            end: Called at the end; never raises.
        """
        self.driven = driven
        self._end = end

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page area in pixels."""
        return SCREEN

    @failures()
    def capture(self) -> bytes:
        """PNG of the page area."""
        return self.driven.page.driver.get_screenshot_as_png()

    @failures()
    def click(self, x: float, y: float) -> None:
        """Left button on the pixel that holds a point of the page area."""
        self.driven.page.form.gestures.click(x, y)

    @failures()
    def double_click(self, x: float, y: float) -> None:
        """Left button twice on a pixel."""
        self.driven.page.form.gestures.click(x, y, count=2)

    @failures()
    def press_button(self, x: float, y: float, button: MouseButton, count: int, held: Sequence[str]) -> None:
        """A button on a pixel, some times, with keys held down."""
        self.driven.page.form.gestures.click(x, y, button=button, count=count, held=held)

    @failures()
    def hover(self, x: float, y: float) -> None:
        """The pointer on a pixel."""
        self.driven.page.form.gestures.hover(x, y)

    @failures()
    def drag(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Left button down on a pixel, up on another, with movements in between."""
        self.driven.page.form.gestures.drag([(x1, y1), (x2, y2)])

    @failures()
    def drag_along(self, path: Sequence[Point], held: Sequence[str]) -> None:
        """Left button down on the first pixel, through the others, up on the last."""
        self.driven.page.form.gestures.drag(path, held)

    @failures()
    def press(self, chord: Chord) -> None:
        """A key, with what is held down; all are the page's, since none reaches the browser around it."""
        self.driven.page.form.gestures.press([chord.key])

    @failures()
    def type(self, text: str) -> None:
        """Key presses into what has the focus."""
        self.driven.page.form.gestures.enter(text.replace("\r\n", "\n"), pressed="\r\n\t")

    @failures()
    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """The wheel over a point, in whole CSS pixels."""
        self.driven.page.form.gestures.wheel(x, y, dx, dy)

    def maximize(self) -> tuple[int, int]:
        """The size is fixed; it is reported."""
        return self.size

    def let_go(self) -> list[Refusal]:
        """See ``harness.browser.input_back_end.InputBackEnd``."""
        return self.driven.take_back()

    def close(self) -> None:
        """End the driver; never raises."""
        self.driven.end()
        self._end()


def boxed_input(browser: Browser, process: DriverProcess) -> WebdriverInput:
    """Act on the pages of a browser of this machine.

    Args:
        browser: The browser.
        process: A driver of its version; ended with what is returned.
    """
    connection = DriverConnection(process, browser.settings.timeout)
    return WebdriverInput(DrivenPages(browser, lambda: DrivenPage(browser, process, connection)), process.end)

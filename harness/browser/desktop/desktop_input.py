"""The screen over the desktop: a browser's window on an X display, with its pointer and its keyboard.

What the visual actions do here goes the way of a person's hand: X server, window, browser, page. On a virtual display
the window has no frame (``--kiosk``, and no window manager), so that the screen's pixels are the page's. On a session's
display the window stands where the window manager put it, and the page area is found with the pointer.
"""

from __future__ import annotations

import contextlib
import io
import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image, ImageGrab

from harness.browser.browser import Browser
from harness.browser.channel import Refusal
from harness.browser.chord import Chord, check_left_alone, check_page_key
from harness.browser.desktop.clipboard import Clipboard
from harness.browser.desktop.xinput import RunInPage, Wheel, XInput, wheel_clicks
from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.input import MouseButton, Point, along
from harness.browser.input_back_end import BrowserSession, browser_for
from harness.browser.launch import SCREEN, BrowserSettings
from harness.browser.live_page import PageClosed, PageFailed
from harness.browser.site_browser import SiteBrowser
from harness.browser.wire import BrowserGone

if TYPE_CHECKING:
    from harness.browser.webdriver.webdriver_input import DrivenPages


def run_in_front_tab(site: SiteBrowser) -> RunInPage:
    """What calls functions of the in-page library in the current tab of a site.

    It gives None where the document is left, or another tab becomes the current one, before there is an answer: a
    hidden tab has no frames to wait for.
    """

    def run(function: str, *arguments: object) -> Any:
        tab = site.tab
        try:
            number = tab.send_run(function, *arguments)
            tab.channel.wait_until(lambda: site.tab is not tab or tab.channel.are_answered([number]))
            if site.tab is tab:
                return tab.values([number])[0]
        except (PageFailed, PageClosed):
            return None
        tab.channel.drop([number])
        return None

    return run


KEYS_AT_A_TIME = 500
"""Keys between two waits for the page, which takes them more slowly than the X server: no wait gets long."""
PASTE_PATIENCE = 2.0
"""Seconds for a page to fetch pasted text; one where nothing that takes text has the focus never does."""
LOOKS = 5
"""Frames after which a picture is taken as it is, of a page that never rests."""
ATTEMPTS = 4
"""How often a page area is looked for; a look that finds no pointer takes seconds."""
DOUBLE_CLICK_SECONDS = 0.5
DOUBLE_CLICK_PIXELS = 4
"""Within this time and distance Chromium counts two presses as a double click."""

_NEXT_FRAME = "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"
_WATCH_POINTER = """(window.harnessPointer = new Promise((resolve) => {
  addEventListener("mousemove", (event) => resolve([event.clientX, event.clientY]), { once: true, capture: true });
  setTimeout(() => resolve(null), 5000);
}), 0)"""
KEY_NAMES = {
    "Control": "ctrl",
    "ArrowLeft": "left",
    "ArrowUp": "up",
    "ArrowRight": "right",
    "ArrowDown": "down",
    **{
        name: name.lower()
        for name in ("Alt", "Shift", "Enter", "Tab", "Escape", "Backspace", "Delete", "Insert", "Home", "End", "Space")
    },
    **{name: name.lower() for name in ("PageUp", "PageDown", *(f"F{number}" for number in range(1, 13)))},
}
"""DOM names of keys -> PyAutoGUI's."""
WINDOW_FRAME = (40, 200)
"""Pixels that a window is given beyond its page: for tabs, address bar and borders, and those of a window manager."""
Evaluate = Callable[[str], Any]
"""Runs a JavaScript expression in the page and gives its value; promises are awaited."""
Piece = tuple[Literal["keys", "paste"], str]


class DesktopInput:
    """The page area of a browser's window on an X display (see ``harness.browser.input_back_end.InputBackEnd``).

    Every input returns when the page has had two frames since, so that what is read next is its result. The first may
    have begun before the input came; a wheel scrolls the picture at once and the page at its next frame.
    """

    driven: DrivenPages | None = None

    def __init__(self, server: XServer, run: RunInPage, *, size: tuple[int, int] = SCREEN) -> None:
        """Take hold of the display; the page area is expected in the screen's top left corner.

        Args:
            server: The display that the browser's window is on.
            run: Reaches the page.
            size: Width and height of the page area.

        Raises:
            NoDisplay: the display cannot be used, or the process uses one already.
        """
        self.size = size
        self._server = server
        self._run = run
        self._origin = (0, 0)
        self._last_press: tuple[float, int, int] | None = None  # when and where the button last went down
        with contextlib.ExitStack() as undo:
            self._input = XInput(server)
            undo.callback(self._input.close)
            self._wheel = Wheel(self._input, run)
            self._clipboard = Clipboard(server, self._input.clipboard_holder)
            undo.pop_all()

    def locate(self, evaluate: Evaluate, x: int, y: int) -> tuple[int, int]:
        """Find the page area of a window that has a frame; gives its top left pixel on the screen.

        The page is asked where it sees the pointer: a window's own measures leave out the window manager's frame.

        Args:
            evaluate: Reaches the page.
            x: A pixel of the screen that is inside the page area.
            y: As ``x``.

        Raises:
            NoDisplay: the window is covered or too small, or the page area is not wholly on the screen.
        """
        seen = self._point(evaluate, x, y)
        if seen is None:
            raise NoDisplay("the browser's window gets no pointer: it is covered by another, or off the screen")
        left, top = x - seen[0], y - seen[1]
        (width, height), screen = self.size, self._input.screen
        if left < 0 or top < 0 or left + width > screen[0] or top + height > screen[1]:
            raise NoDisplay(
                f"the page area, {width} x {height} pixels at ({left}, {top}), is not wholly on the screen of "
                f"{screen[0]} x {screen[1]}: unset DISPLAY to have a virtual display (Xvfb) started"
            )
        if self._point(evaluate, left + width - 1, top + height - 1) != (width - 1, height - 1):
            raise NoDisplay(f"the browser's window does not show the whole page area of {width} x {height} pixels")
        self._origin = left, top
        return self._origin

    def _point(self, evaluate: Evaluate, x: int, y: int) -> tuple[int, int] | None:
        """Where the page sees the pointer when it is put on a pixel of the screen; None if it does not."""
        self._input.move(x - 1, y - 1)
        evaluate(_NEXT_FRAME)
        evaluate(_WATCH_POINTER)
        self._input.move(x, y)
        seen = evaluate("window.harnessPointer")
        return (round(seen[0]), round(seen[1])) if seen else None

    def capture(self) -> bytes:
        """PNG of the page area, with what the browser draws above the page: lists of options, hints, calendars.

        A frame of the page is on the screen a little after the page has drawn it, so the picture is one that did not
        change for a frame.
        """
        self._frame()
        image = self._look()
        for _ in range(LOOKS):
            before = image
            self._frame()
            image = self._look()
            if image == before:
                break
        file = io.BytesIO()
        image.save(file, "PNG", compress_level=1)
        return file.getvalue()

    def _frame(self) -> None:
        self._run("page.frame")

    def _settle(self) -> None:
        self._frame()
        self._frame()

    def _look(self) -> Image.Image:
        (left, top), (width, height) = self._origin, self.size
        try:
            image = ImageGrab.grab((left, top, left + width, top + height), xdisplay=self._server.name)
        except OSError as error:
            raise BrowserGone(f"no picture of the X display: {error}") from error
        return image.convert("RGB")

    def click(self, x: float, y: float) -> None:
        """Press the left button on the pixel that holds a point; always a single click, never the second of two.

        Raises:
            ValueError: the point is outside the page area.
        """
        self.press_button(x, y, "left", 1, ())

    def press_button(self, x: float, y: float, button: MouseButton, count: int, held: Sequence[str]) -> None:
        """Press the left button some times on the pixel that holds a point.

        Raises:
            harness.browser.chord.ShortcutRefused: another button, or a key held: the browser would open a menu of its
                own, or a tab or a window.
            ValueError: the point is outside the page area.
        """
        check_left_alone(button, held)
        column, row = self._pixel(x, y)
        self._apart(column, row)
        for number in range(count):
            if number:  # Two presses within one millisecond count as one.
                self._frame()
            self._input.click(column, row)
        self._last_press = (time.monotonic(), column, row)
        self._settle()

    def _apart(self, column: int, row: int) -> None:
        """Wait until a press here is not counted as the next of the press before."""
        if self._last_press:
            at, last_column, last_row = self._last_press
            if max(abs(column - last_column), abs(row - last_row)) <= DOUBLE_CLICK_PIXELS:
                left = at + DOUBLE_CLICK_SECONDS - time.monotonic()
                time.sleep(max(0.0, left))  # Chromium tells double clicks by the clock alone: there is no event

    def double_click(self, x: float, y: float) -> None:
        """Press the left button twice on the pixel that holds a point.

        Raises:
            ValueError: the point is outside the page area.
        """
        self.press_button(x, y, "left", 2, ())

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to the pixel that holds a point.

        A movement takes its own way to the page, on which it can be later than two frames.

        Raises:
            ValueError: the point is outside the page area.
        """
        self._input.move(*self._pixel(x, y))
        self._run("page.pointed", int(x), int(y))
        self._settle()

    def drag(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Press the left button on a pixel, move to another and let go.

        Raises:
            ValueError: a point is outside the page area.
        """
        self.drag_along([(x1, y1), (x2, y2)], ())

    def drag_along(self, path: Sequence[Point], held: Sequence[str]) -> None:
        """Press the left button on a pixel, move through others and let go; the page has a frame for each movement.

        Raises:
            harness.browser.chord.ShortcutRefused: a key is to be held.
            ValueError: a point is outside the page area.
        """
        check_left_alone("left", held)
        (column, row), *_ = [self._pixel(x, y) for x, y in path]
        self._apart(column, row)
        self._input.move(column, row)
        self._frame()
        self._input.button(down=True)
        self._last_press = (time.monotonic(), column, row)
        try:
            for x, y in along(path):
                self._input.move(*self._pixel(x, y))
                self._frame()
        finally:
            self._input.button(down=False)
        self._settle()

    def press(self, chord: Chord) -> None:
        """Press one key, with what is held down.

        Raises:
            harness.browser.chord.ShortcutRefused: it is not the page's, but a shortcut of browser or desktop.
        """
        check_page_key(chord)
        self._input.chord(*(KEY_NAMES.get(name, name) for name in (*chord.modifiers, chord.name)))
        self._settle()

    def type(self, text: str) -> None:
        """Press keys; what no key of the keyboard types is pasted from the clipboard.

        Raises:
            UnicodeEncodeError: ``text`` holds half of a surrogate pair, which is no character.
        """
        text.encode()
        for kind, piece in pieces(text, self._input.typable):
            if kind == "keys":
                self._input.write(piece)
            else:
                self._clipboard.offer(piece)
                self._input.chord("ctrl", "v")
                # The next piece must not take the clipboard from a page that has not looked yet.
                self._clipboard.taken(PASTE_PATIENCE)
            self._settle()

    def scroll(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel by whole clicks of ``WHEEL_STEP``, the nearest number and at least one of what is not 0.

        Raises:
            ValueError: the point is outside the page area.
        """
        pixel = self._pixel(x, y)
        self._wheel.turn((int(x), int(y)), pixel, (wheel_clicks(dx), wheel_clicks(dy)))
        self._settle()

    def maximize(self) -> tuple[int, int]:
        """The size is fixed; it is reported."""
        return self.size

    def let_go(self) -> list[Refusal]:
        """Nothing to let go of."""
        return []

    def close(self) -> None:
        """Let go of the pointer, the keyboard and the clipboard; the display goes on. May be called twice."""
        self._clipboard.close()
        self._input.close()

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        width, height = self.size
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"({x:g}, {y:g}) is outside the page area of {width} x {height} pixels")
        return self._origin[0] + int(x), self._origin[1] + int(y)


def pieces(text: str, typable: Collection[str]) -> Iterator[Piece]:
    r"""Cut a text into what is typed and what is pasted.

    Enter and Tab are always keys: pages act on them, and a pasted line break never submits a form. Between two of
    them there is at most one paste, from the first character that no key types to the last.

    Args:
        text: With line ends of any kind.
        typable: Characters that a key types.

    Yields:
        ``("keys", up to KEYS_AT_A_TIME characters)`` or ``("paste", characters)``, in order.
    """
    for part in re.split(r"(\n|\t)", text.replace("\r\n", "\n").replace("\r", "\n")):
        strange = [place for place, character in enumerate(part) if character not in typable]
        start, end = (strange[0], strange[-1] + 1) if strange else (len(part), len(part))
        yield from _keys(part[:start])
        if strange:
            yield "paste", part[start:end]
        yield from _keys(part[end:])


def _keys(text: str) -> Iterator[Piece]:
    for start in range(0, len(text), KEYS_AT_A_TIME):
        yield "keys", text[start : start + KEYS_AT_A_TIME]


class DesktopSessions:
    """Browsers on one X display, one after another.

    Attributes:
        name: The display's name, e.g. ``:99``.
    """

    def __init__(self, server: XServer) -> None:
        """Start browsers on ``server``."""
        self.name = server.name
        self._server = server

    def session(self, settings: BrowserSettings) -> BrowserSession:
        """Start a browser in a window on the display.

        Raises:
            harness.browser.launch.NoBrowser: no browser can be started, or the display cannot be used (``NoDisplay``).
        """
        is_site = settings.policy.is_site
        if is_site and not self._server.virtual:
            raise NoDisplay(f"--input desktop works sites on a display of its own: unset DISPLAY, which is {self.name}")
        with contextlib.ExitStack() as undo:
            # A window manager would stretch a kiosk over a screen of whatever size.
            settings = replace(settings, headless=False, display=self.name, kiosk=self._server.virtual)
            browser = browser_for(settings)
            undo.callback(browser.close)
            run = run_in_front_tab(browser) if isinstance(browser, SiteBrowser) else browser.run
            display = DesktopInput(self._server, run)
            undo.callback(display.close)
            if not self._server.virtual:
                x, y = _make_room(browser)
                find_page_area(display, browser, x, y)
            undo.pop_all()
        return BrowserSession(browser, display)


def find_page_area(display: DesktopInput, browser: Browser, x: int, y: int) -> None:
    """Find the page area of a window that was just resized: screen and page follow a while later."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            display.locate(lambda expression: _evaluate(browser, expression), x, y)
        except NoDisplay:
            if attempt == ATTEMPTS:
                raise
        else:
            return


def _make_room(browser: Browser) -> tuple[int, int]:
    """Make the window larger than its page area by more than any frame takes; gives a pixel that is in the page."""
    window = browser.channel.call("Browser.getWindowForTarget")
    (width, height), bounds = SCREEN, window["bounds"]
    room = {"width": width + WINDOW_FRAME[0], "height": height + WINDOW_FRAME[1]}
    browser.channel.call("Browser.setWindowBounds", windowId=window["windowId"], bounds=room)
    return bounds["left"] + width // 2, bounds["top"] + WINDOW_FRAME[1] + height // 2


def _evaluate(browser: Browser, expression: str) -> Any:
    answer = browser.channel.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
    return answer["result"].get("value")


@contextlib.contextmanager
def desktop_sessions(*, virtual: bool = False) -> Iterator[DesktopSessions]:
    """Sessions on the display that ``DISPLAY`` names, or on a virtual one that lives as long as the context.

    Args:
        virtual: Start a virtual display even if there is another.

    Raises:
        NoDisplay: there is none, and none can be started.
    """
    with XServer.start() if virtual else XServer.of_session() as server:
        yield DesktopSessions(server)

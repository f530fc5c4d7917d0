"""Pointer and keyboard of an X display, driven by PyAutoGUI (https://pyautogui.readthedocs.io/)."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import string
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.wire import BrowserGone
from harness.kit.files.installation import installing

_PRINTABLE = string.ascii_letters + string.digits + string.punctuation + " "
# PyAutoGUI keeps its connection in a module, so there is one a process.
_in_use = threading.Lock()


class XInput:
    """Mouse and keys of one display; open until closed, one at a time in a process.

    Attributes:
        typable: The characters that a key of the display's keyboard types; Enter and Tab are among them.
    """

    def __init__(self, server: XServer) -> None:
        """Connect PyAutoGUI to the display.

        Raises:
            NoDisplay: the display cannot be reached, PyAutoGUI cannot be imported, or the process drives a display
                already.
        """
        if not _in_use.acquire(blocking=False):
            raise NoDisplay(
                "this process drives a display already, and PyAutoGUI drives one a process: "
                "close that one first, or use one worker (--workers 1)"
            )
        try:
            self._gui = _import_gui(server)
            self._gui.PAUSE = 0
            self._gui.FAILSAFE = False  # a press in a corner of the screen is a press like any other
            self.typable = _fit_keyboard(self._gui)
        except BaseException:
            _in_use.release()
            raise
        self._open = True

    @property
    def screen(self) -> tuple[int, int]:
        """Width and height of the display in pixels."""
        width, height = self._gui.size()
        return int(width), int(height)

    def move(self, x: int, y: int) -> None:
        """Put the pointer on a pixel of the screen."""
        with _connected():
            self._gui.moveTo(x, y)

    def click(self, x: int, y: int) -> None:
        """Press and release the left button on a pixel of the screen."""
        with _connected():
            self._gui.click(x, y, button=self._gui.LEFT)

    def button(self, *, down: bool) -> None:
        """Press the left button where the pointer is, or let it go."""
        with _connected():
            (self._gui.mouseDown if down else self._gui.mouseUp)(button=self._gui.LEFT)

    def wheel(self, x: int, y: int, right: int, down: int) -> None:
        """Turn the wheels over a pixel of the screen by clicks; negative is to the left and up."""
        with _connected():
            if right:
                self._gui.hscroll(right, x, y)
            if down:
                self._gui.vscroll(-down, x, y)

    def write(self, text: str) -> None:
        """Press the keys of characters that are ``typable``, one after another."""
        with _connected():
            self._gui.write(text)

    def chord(self, *keys: str) -> None:
        """Press keys together, by PyAutoGUI's names."""
        with _connected():
            self._gui.hotkey(*keys)

    def clipboard_holder(self) -> int:
        """The number of the window that holds the clipboard; 0 for none."""
        with _connected():
            connection = self._gui.platformModule._display
            holder = connection.get_selection_owner(connection.intern_atom("CLIPBOARD"))
            return int(holder.id) if holder else 0

    def close(self) -> None:
        """Disconnect; may be called twice."""
        if not self._open:
            return
        self._open = False
        with contextlib.suppress(Exception):  # the server may be gone, and that is as good
            self._gui.platformModule._display.close()
        _in_use.release()


def _import_gui(server: XServer) -> Any:
    """PyAutoGUI, connected to ``server``; it connects at import to what ``DISPLAY`` names, and tells it to stdout."""
    environment = {"DISPLAY": server.name, "XAUTHORITY": server.authority}
    gui: Any = sys.modules.get("pyautogui")
    failure = ""
    with (
        _without_mouseinfo(),
        _environment(environment),
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(action="ignore"),  # files that these packages leave open, and escapes that are none
    ):
        try:
            if gui:
                importlib.reload(gui.platformModule)
            else:
                gui = importlib.import_module("pyautogui")
        except ImportError as error:
            failure = f"the desktop display needs PyAutoGUI, the extra desktop: {installing('desktop')} ({error})"
        except (Exception, SystemExit) as error:  # noqa: BLE001 - what python-xlib raises has no common base
            failure = (
                f"the X display {server.name} cannot be used: {error}. "
                "Correct DISPLAY, or unset it to have a virtual display (Xvfb) started"
            )
    if failure:
        raise NoDisplay(failure)
    return gui


@contextlib.contextmanager
def _without_mouseinfo() -> Iterator[None]:
    """Let PyAutoGUI do without its pointer-inspection window.

    That module ends the process where tkinter is missing, and opens a second connection that nobody closes. PyAutoGUI
    is made to work where it cannot be imported.
    """
    if "mouseinfo" in sys.modules:
        yield
        return
    sys.modules["mouseinfo"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["mouseinfo"]


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _fit_keyboard(gui: Any) -> frozenset[str]:
    r"""Correct PyAutoGUI's table of keys by the display's keyboard; gives the characters that can be typed.

    PyAutoGUI holds Shift for the characters that need it on a US keyboard, but looks keys up without regard to it. On
    the usual map ``<`` is found on the key beside the left Shift, which with Shift types ``>``.
    """
    platform = gui.platformModule
    connection = platform._display
    first, last = connection.display.info.min_keycode, connection.display.info.max_keycode
    levels = connection.get_keyboard_mapping(first, last - first + 1)
    typable = set("\n\t")
    for character in _PRINTABLE:
        level = 1 if gui.isShiftCharacter(character) else 0
        # The keysym of a Latin-1 character is its code point.
        keys = [code for code, row in enumerate(levels, first) if len(row) > level and row[level] == ord(character)]
        if keys:
            platform.keyboardMapping[character] = keys[0]
            typable.add(character)
    return frozenset(typable)


@contextlib.contextmanager
def _connected() -> Iterator[None]:
    from Xlib.error import ConnectionClosedError  # noqa: PLC0415 - installed where PyAutoGUI is

    try:
        yield
    except (ConnectionClosedError, OSError, TypeError) as error:  # TypeError: python-xlib's own, on a broken pipe
        raise BrowserGone(f"the X display is gone: {error}") from error


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

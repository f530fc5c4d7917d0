"""Mouse, keyboard and wheel of one page by W3C actions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import KEY
from selenium.webdriver.common.actions.key_input import KeyInput
from selenium.webdriver.common.actions.mouse_button import MouseButton as MouseButtons
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from harness.browser.chord import MODIFIERS
from harness.browser.input import Key, MouseButton, Point, along, key_for

VALUES: Mapping[str, str] = {
    "Enter": Keys.RETURN,  # that of the letters; the other one is the number pad's
    "Tab": Keys.TAB,
    "Escape": Keys.ESCAPE,
    "Backspace": Keys.BACKSPACE,
    "Delete": Keys.DELETE,
    "Insert": Keys.INSERT,
    "Home": Keys.HOME,
    "End": Keys.END,
    "PageUp": Keys.PAGE_UP,
    "PageDown": Keys.PAGE_DOWN,
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
    **{f"F{number}": getattr(Keys, f"F{number}") for number in range(1, 13)},
}
"""DOM key names -> key values of WebDriver; a key that types a character has that character for its value."""
HELD: Mapping[str, str] = {"Alt": Keys.ALT, "Control": Keys.CONTROL, "Shift": Keys.SHIFT}
KeyEvent = tuple[bool, str]
"""Whether a key goes down, and its value."""


def events_of(keys: Iterable[Key]) -> list[KeyEvent]:
    """What is sent to press and release keys one after another, each with what is held down for it."""
    events: list[KeyEvent] = []
    held: tuple[str, ...] = ()
    for key in keys:
        wanted = tuple(HELD[name] for name, bit in MODIFIERS.items() if key.modifiers & bit)
        if wanted != held:
            events += [(False, each) for each in held]
            events += [(True, each) for each in wanted]
            held = wanted
        value = VALUES.get(key.key, key.key)
        events += [(True, value), (False, value)]
    return [*events, *((False, each) for each in held)]


def pieces(text: str, *, pressed: str) -> Iterator[list[Key] | str]:
    """Cut a text into runs of keys and runs of characters that are inserted.

    Args:
        text: What is to be entered.
        pressed: Of line ends and tabs those that are pressed as keys; the others are inserted.

    Yields:
        The keys of a run, or its characters.
    """
    run: list[Key] = []
    strange = ""
    for character in text:
        key = None if character in "\r\n\t" and character not in pressed else key_for(character)
        if key and strange:
            yield strange
            strange = ""
        elif not key and run:
            yield run
            run = []
        if key:
            run.append(key)
        else:
            strange += character
    if run or strange:
        yield run or strange


KEYS_AT_A_TIME = 200
"""Keys of one command: a driver that is still typing is not one that is gone."""
KEYS_OF_A_TEXT = 200
"""Keys that a text control gets of a text: a driver takes milliseconds for each."""
_BUTTONS: Mapping[MouseButton, int] = {
    "left": MouseButtons.LEFT,
    "middle": MouseButtons.MIDDLE,
    "right": MouseButtons.RIGHT,
}
_INSERT = """
let place = document;
while (place.activeElement && place.activeElement.contentDocument) place = place.activeElement.contentDocument;
place.execCommand("insertText", false, arguments[0]);
"""
_TEXT_CONTROL = (
    "const { activeElement } = document; return activeElement.matches('input, textarea') ? activeElement : null;"
)


class Gestures:
    """What is done to a page with W3C actions; the pixels of the page area are the coordinates."""

    def __init__(self, driver: WebDriver) -> None:
        """Act in the session of ``driver``."""
        self._driver = driver

    def _pointer(self) -> ActionBuilder:
        # A press soon after another at the same place would be a double click; the driver counts them until this.
        builder = ActionBuilder(self._driver, duration=0)
        builder.clear_actions()
        return builder

    def click(
        self, x: float, y: float, *, button: MouseButton = "left", count: int = 1, held: Sequence[str] = ()
    ) -> None:
        """Press a button on the pixel that holds a point, some times in quick succession, with keys held down."""
        builder = self._pointer()
        with self._holding(held):
            for _ in range(count):
                _pressed(builder.pointer_action, x, y, button).pointer_up(button=_BUTTONS[button])
            builder.perform()

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to the pixel that holds a point."""
        builder = self._pointer()
        _moved(builder.pointer_action, x, y)
        builder.perform()

    def drag(self, path: Sequence[Point], held: Sequence[str] = ()) -> None:
        """Press the left button on a pixel, move through others by several steps and let go on the last."""
        builder = self._pointer()
        pointer = _pressed(builder.pointer_action, *path[0])
        for x, y in along(path):
            _moved(pointer, x, y)
        pointer.pointer_up()
        with self._holding(held):
            builder.perform()

    @contextmanager
    def _holding(self, names: Sequence[str]) -> Iterator[None]:
        """A context in which keys are down."""
        keys = [getattr(Keys, name.upper()) for name in names]
        if not keys:
            yield
            return
        self._turn(keys, "create_key_down")
        try:
            yield
        finally:
            self._turn(keys[::-1], "create_key_up")

    def _turn(self, keys: Sequence[str], how: str) -> None:
        keyboard = KeyInput(KEY)
        for key in keys:
            getattr(keyboard, how)(key)
        ActionBuilder(self._driver, keyboard=keyboard).perform()

    def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point by whole CSS pixels. A turn of nothing sends nothing."""
        right, down = round(dx), round(dy)
        if right or down:
            builder = ActionBuilder(self._driver, duration=0)
            column, row = math.floor(x), math.floor(y)
            builder.wheel_action.scroll(x=column, y=row, delta_x=right, delta_y=down)  # type: ignore[no-untyped-call]
            builder.perform()

    def press(self, keys: Sequence[Key]) -> None:
        """Press and release keys, one after another."""
        for start in range(0, len(keys), KEYS_AT_A_TIME):
            keyboard = KeyInput(KEY)
            for is_down, value in events_of(keys[start : start + KEYS_AT_A_TIME]):
                (keyboard.create_key_down if is_down else keyboard.create_key_up)(value)
            ActionBuilder(self._driver, keyboard=keyboard).perform()

    def enter(self, text: str, *, pressed: str = "") -> None:
        """Type a text into what has the focus; what no key types is inserted by a script.

        A text control gets the keys as an element does, which takes a driver a tenth of the time, and what is left of a
        long text at once, as if it were pasted.

        Args:
            text: The text.
            pressed: Of line ends and tabs those that are pressed as keys, which may move the focus; the others are
                inserted.
        """
        control = None if pressed else self._text_control()
        typed = len(text) if control is None else KEYS_OF_A_TEXT
        for piece in pieces(text[:typed], pressed=pressed):
            if isinstance(piece, str):
                self.insert(piece)
            elif control is None:
                self.press(piece)
            else:
                control.send_keys("".join(key.text for key in piece))
        if rest := text[typed:]:
            self.insert(rest)

    def _text_control(self) -> WebElement | None:
        control: WebElement | None = self._driver.execute_script(_TEXT_CONTROL)
        return control

    def insert(self, text: str) -> None:
        """Put a text in place of what is selected in what has the focus: WebDriver has no input method."""
        self._driver.execute_script(_INSERT, text)


def _moved(pointer: Any, x: float, y: float) -> Any:
    """The pointer, which Selenium leaves without a type, on the pixel that holds a point."""
    return pointer.move_to_location(math.floor(x), math.floor(y))


def _pressed(pointer: Any, x: float, y: float, button: MouseButton = "left") -> Any:
    """A button down on the pixel that holds a point."""
    return _moved(pointer, x, y).pointer_down(button=_BUTTONS[button])

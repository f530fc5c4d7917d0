"""Trusted mouse and keyboard input through DevTools: what the browser's own input pipeline would deliver.

Each gesture is one pipelined batch; it returns when the page has handled the last event of it. Measured on real
task pages, one radio button (look, press, read back) costs about 3 ms this way and 300 ms with a driver's
default chain of actions.
Protocol: https://chromedevtools.github.io/devtools-protocol/tot/Input/
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from harness.browser.channel import Channel

ALT, CONTROL, SHIFT = 1, 2, 8
Point = tuple[float, float]
MouseButton = Literal["left", "middle", "right"]
BUTTONS: Mapping[MouseButton, int] = {"left": 1, "right": 2, "middle": 4}
"""The bit of each button in ``MouseEvent.buttons``."""
DRAG_STEP = 60.0
"""Pixels of a drag between two movements of the pointer, as far as ``FEWEST_STEPS`` and ``MOST_STEPS`` allow: a brisk
hand covers as much from one frame to the next."""
FEWEST_STEPS, MOST_STEPS = 3, 6
AWAITED_STEPS = 2
"""Movements at the end of a drag that each wait for a frame."""
TYPED_AT_A_TIME = 500
"""Characters of one batch: a browser that is still typing is not one that is gone."""


@dataclass(frozen=True)
class Key:
    """A key of a US keyboard: DOM ``key`` and ``code``, Windows virtual key code, and the text that it types."""

    key: str
    code: str
    number: int
    text: str = ""
    modifiers: int = 0


ENTER = Key("Enter", "Enter", 13, "\r")
TAB = Key("Tab", "Tab", 9)
ESCAPE = Key("Escape", "Escape", 27)
DELETE = Key("Delete", "Delete", 46)
BACKSPACE = Key("Backspace", "Backspace", 8)
HOME = Key("Home", "Home", 36)
END = Key("End", "End", 35)
ARROWS = {
    "left": Key("ArrowLeft", "ArrowLeft", 37),
    "up": Key("ArrowUp", "ArrowUp", 38),
    "right": Key("ArrowRight", "ArrowRight", 39),
    "down": Key("ArrowDown", "ArrowDown", 40),
}
_SELECT_ALL = Key("a", "KeyA", 65, modifiers=CONTROL)

# Unshifted and shifted characters of the keys that are neither letters nor digits.
_SYMBOLS = {
    ";:": ("Semicolon", 186),
    "=+": ("Equal", 187),
    ",<": ("Comma", 188),
    "-_": ("Minus", 189),
    ".>": ("Period", 190),
    "/?": ("Slash", 191),
    "`~": ("Backquote", 192),
    "[{": ("BracketLeft", 219),
    "\\|": ("Backslash", 220),
    "]}": ("BracketRight", 221),
    "'\"": ("Quote", 222),
}
_SHIFTED_DIGITS = ")!@#$%^&*("


def key_for(character: str) -> Key | None:
    """The key press that types ``character`` on a US keyboard; None if no key does."""
    if character in "\n\r":
        return ENTER
    if character == "\t":
        return TAB
    if character == " ":
        return Key(" ", "Space", 32, " ")
    if character.isascii() and character.isalpha():
        upper = character.upper()
        return Key(character, f"Key{upper}", ord(upper), character, SHIFT if character == upper else 0)
    if character.isascii() and character.isdigit():
        return Key(character, f"Digit{character}", ord(character), character)
    if character in _SHIFTED_DIGITS:
        digit = _SHIFTED_DIGITS.index(character)
        return Key(character, f"Digit{digit}", ord(str(digit)), character, SHIFT)
    for pair, (code, number) in _SYMBOLS.items():
        if character in pair:
            return Key(character, code, number, character, SHIFT if character == pair[1] else 0)
    return None


def shifted(character: str) -> str:
    """What the key that types ``character`` types with Shift; the character itself where that is nothing else."""
    if character.isascii() and character.isalpha():
        return character.upper()
    if character.isascii() and character.isdigit():
        return _SHIFTED_DIGITS[int(character)]
    return next((pair[1] for pair in _SYMBOLS if pair[0] == character), character)


def way(x1: float, y1: float, x2: float, y2: float) -> list[tuple[float, float]]:
    """The points of a drag after its first: pages that follow the pointer need more than the two ends.

    The first is a few pixels off, since many pages take a shorter way for a press; the last is there twice, since what
    was dragged may have moved out from under the pointer.
    """
    distance = math.hypot(x2 - x1, y2 - y1)
    steps = min(max(round(distance / DRAG_STEP), FEWEST_STEPS), MOST_STEPS)
    shares = [(step / steps) ** 2 * (3 - 2 * step / steps) for step in range(1, steps + 1)]
    points = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]
    return [*points, (x2, y2)]


def along(path: Sequence[Point]) -> list[Point]:
    """The points of a drag after its first, through all that it is to pass; the last is there twice, as of ``way``.

    Args:
        path: At least two points. Of more than two, none is left out, and long ways between them are cut into steps.
    """
    if len(path) == 2:
        return way(*path[0], *path[1])
    points: list[Point] = []
    for (x1, y1), (x2, y2) in pairwise(path):
        steps = max(1, math.ceil(math.hypot(x2 - x1, y2 - y1) / DRAG_STEP))
        points += [(x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps) for step in range(1, steps + 1)]
    return [*points, path[-1]]


class Input:
    """Mouse and keyboard of one page."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def click(self, x: float, y: float, *, modifiers: int = 0, button: MouseButton = "left", count: int = 1) -> None:
        """Move to a point of the viewport and press a button there.

        Args:
            x: CSS pixels from the viewport's left edge.
            y: CSS pixels from its top edge.
            modifiers: Keys held down, e.g. ``CONTROL``.
            button: Which.
            count: How often, in quick succession.
        """
        common = {"x": x, "y": y, "modifiers": modifiers}
        send = self._channel.send
        numbers = [send("Input.dispatchMouseEvent", type="mouseMoved", **common)]
        for number in range(1, count + 1):
            press = {**common, "button": button, "clickCount": number}
            numbers.append(send("Input.dispatchMouseEvent", type="mousePressed", buttons=BUTTONS[button], **press))
            numbers.append(send("Input.dispatchMouseEvent", type="mouseReleased", buttons=0, **press))
        self._channel.results(numbers)

    def hover(self, x: float, y: float) -> None:
        """Move the pointer to a point of the viewport."""
        self._channel.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def drag(self, path: Sequence[Point], *, modifiers: int = 0, is_writing: Callable[[], bool] = lambda: True) -> None:
        """Press the left button at a point, move to others and let go at the last.

        The browser keeps a movement for the next frame and joins those that come before it, so that a page which
        follows the pointer would see the last of them only. What comes behind a movement and is none ends its wait:
        here an insertion of no text, which is nothing to a page where nothing can be written. Each movement is waited
        for; those at the end are left to their frames, since a page may look only once in a while at what the pointer
        is over.

        Args:
            path: Where to press, what is passed on the way, and where to let go.
            modifiers: Keys held down.
            is_writing: Asked when the button is down: whether text would go anywhere, in place of what is marked there.
        """
        call, send = self._channel.call, self._channel.send
        held = {"modifiers": modifiers, "button": "left"}
        press = {**held, "clickCount": 1}
        (x1, y1), (x2, y2) = path[0], path[-1]
        self._channel.results(
            [
                send("Input.dispatchMouseEvent", type="mouseMoved", x=x1, y=y1, modifiers=modifiers),
                send("Input.dispatchMouseEvent", type="mousePressed", buttons=1, x=x1, y=y1, **press),
            ]
        )
        points = along(path)
        swift = 0 if is_writing() else len(points) - AWAITED_STEPS
        for x, y in points[:swift]:
            moved = send("Input.dispatchMouseEvent", type="mouseMoved", buttons=1, x=x, y=y, **held)
            self._channel.results([moved, send("Input.insertText", text="")])
        for x, y in points[swift:]:
            call("Input.dispatchMouseEvent", type="mouseMoved", buttons=1, x=x, y=y, **held)
        call("Input.dispatchMouseEvent", type="mouseReleased", buttons=0, x=x2, y=y2, **press)

    def send_key(self, key: Key, commands: Sequence[str] = ()) -> list[int]:
        """Key down and key up, sent and not waited for; ``commands`` are editing commands of the key."""
        common = {
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.number,
            "modifiers": key.modifiers,
        }
        down = {**common, "text": key.text} if key.text else common
        kind = "keyDown" if key.text else "rawKeyDown"
        return [
            self._channel.send("Input.dispatchKeyEvent", type=kind, commands=list(commands), **down),
            self._channel.send("Input.dispatchKeyEvent", type="keyUp", **common),
        ]

    def press(self, keys: Iterable[Key]) -> None:
        """Press and release keys, one after another."""
        self._channel.results([number for key in keys for number in self.send_key(key)])

    def replace_text(self, x: float, y: float, text: str) -> None:
        """Click into a text control, select all that it holds and put ``text`` there instead.

        The text is inserted as an input method would (every plane of Unicode, line breaks as they are). The key
        presses around it let pages run that listen to keys only. They are sent when the press has been handled, since
        mouse events can wait for a frame and keys do not: they would reach whatever had the focus before.
        """
        self.click(x, y)
        numbers = self.send_key(_SELECT_ALL, ["selectAll"])
        if text:
            numbers.append(self._channel.send("Input.insertText", text=text))
        else:
            numbers += self.send_key(DELETE)
        self._channel.results([*numbers, *self.send_key(END)])

    def insert(self, text: str) -> None:
        """Put ``text`` in place of what is selected, as an input method would; no text deletes it."""
        self._channel.call("Input.insertText", text=text)

    def type(self, text: str) -> None:
        """Type ``text`` with real key presses into what has the focus; characters that no key types are inserted."""
        text = text.replace("\r\n", "\n")
        for start in range(0, len(text), TYPED_AT_A_TIME):
            numbers: list[int] = []
            for character in text[start : start + TYPED_AT_A_TIME]:
                key = key_for(character)
                if key:
                    numbers += self.send_key(key)
                else:
                    numbers.append(self._channel.send("Input.insertText", text=character))
            self._channel.results(numbers)

    def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point; ``dx`` and ``dy`` are CSS pixels. A turn of nothing sends nothing."""
        if dx or dy:
            self._channel.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=dx, deltaY=dy)

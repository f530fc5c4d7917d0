"""Models that write PyAutoGUI: OpenCUA, and Kimi since K2.5. The code is read call by call, and never run.

Sources: xlang-ai/OpenCUA, ``opencua.py`` (August 2025); OSWorld-style adapters of Kimi K2.5 and K2.6 (2026).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.browser.input import MouseButton
from harness.solvers.models.computer import keys
from harness.solvers.models.computer.arguments import WrongArgument, number, text
from harness.solvers.models.computer.asked import WHEEL, Look, Piece, press_key, type_text, wait
from harness.solvers.models.computer.dialect import Hand, Navigation
from harness.solvers.models.computer.dialects.text_computer import End, NotRead, Said, TextDialect, impossible
from harness.solvers.models.computer.dialects.written_calls import calls

MOST_CLICKS = 20
"""Clicks of the wheel in one call; a larger number is one of pixels, as models write that have seen other systems."""
MOST_PRESSES = 50
_BLOCK = re.compile(r"```(?:python|code)?\s*\n?(.*?)(?:```|$)", re.DOTALL)
_PRESSES: Mapping[str, tuple[MouseButton, int]] = {
    "click": ("left", 1),
    "leftClick": ("left", 1),
    "rightClick": ("right", 1),
    "middleClick": ("middle", 1),
    "doubleClick": ("left", 2),
    "tripleClick": ("left", 3),
    "triple_click": ("left", 3),
}
_BUTTONS: Mapping[str, MouseButton] = {"left": "left", "middle": "middle", "right": "right", "primary": "left"}


class PyAutoGui(TextDialect):
    """``## Code`` with a block of calls of ``pyautogui`` and ``computer``."""

    words = "pyautogui"

    def said(self, text: str) -> Sequence[Said]:
        """The calls of the last block."""
        blocks = [block for block in _BLOCK.findall(text) if block.strip()]
        if not blocks:
            raise NotRead("There is no block of code in it.")
        return calls(blocks[-1])

    def pieces(self, said: Said, hand: Hand, navigation: Navigation) -> Iterator[Piece | End]:  # noqa: ARG002
        """See ``TextDialect.pieces``."""
        name, given = said.name.rpartition(".")[2], said.arguments
        if presses := _PRESSES.get(name):
            _go(given, hand)
            button = _BUTTONS.get(str(given.get("button", presses[0])))
            if button is None:
                raise WrongArgument(f"there is no button {given['button']!r}: {', '.join(_BUTTONS)}")
            yield hand.press(button, int(number(given, "clicks", default=presses[1])))
            return
        match name:
            case "moveTo" | "move":
                _go(given, hand)
                if hovered := hand.hover():
                    yield hovered
            case "dragTo":
                start = hand.at
                yield hand.drag([start, _go(given, hand)])
            case "mouseDown":
                _go(given, hand)
                hand.go_down()
            case "mouseUp":
                _go(given, hand)
                yield hand.go_up()
            case "scroll" | "vscroll" | "hscroll":
                if "x" in given and "y" in given:
                    hand.point(number(given, "x"), number(given, "y"))
                way = _distance(number(given, "clicks", "0"))
                yield hand.scroll(way, 0) if name == "hscroll" else hand.scroll(0, -way)  # up is more
            case "write" | "typewrite":
                yield type_text(text(given, "message", "text", "0"))
            case "press":
                yield from _pressed(given)
            case "hotkey":
                yield press_key(keys.chord(_names(given)))
            case "sleep" | "wait":
                yield wait(number(given, "seconds", "0", default=20 if name == "wait" else 1))
            case "screenshot":
                yield Look()
            case "terminate":
                yield End(text(given, "answer", default=""))
            case _:
                raise impossible(said)


def _go(given: Mapping[str, Any], hand: Hand) -> tuple[float, float]:
    """Bring the pointer to the call's point; without one it stays. Gives where it is, in pixels of the page."""
    if given.get("x", given.get("0")) is not None:
        hand.point(number(given, "x", "0"), number(given, "y", "1"))
    return hand.at


def _distance(asked: float) -> float:
    return asked * WHEEL if abs(asked) <= MOST_CLICKS else asked


def _pressed(given: Mapping[str, Any]) -> Iterator[Piece]:
    times = int(number(given, "presses", default=1))
    if not 1 <= times <= MOST_PRESSES:
        raise WrongArgument(f"presses: {times} is not between 1 and {MOST_PRESSES}")
    chords = [keys.chord([name]) for name in _names(given)]
    yield from (press_key(chord) for _ in range(times) for chord in chords)


def _names(given: Mapping[str, Any]) -> list[str]:
    """The keys of a call: its arguments without a name, or a list."""
    values = [given[place] for place in map(str, range(10)) if place in given] or [given.get("keys", given.get("key"))]
    names = [name for value in values for name in (value if isinstance(value, list) else [value])]
    if not all(isinstance(name, str) for name in names):
        raise WrongArgument(f"{names!r} are no names of keys")
    return names

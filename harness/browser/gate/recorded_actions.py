"""What a program does to a page, put together from the DevTools messages by which it does it.

A press is two messages, a word is many, and one action each to whoever looks on. What is read here is a stranger's: a
message may hold anything.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.kit.text import shorten

LONGEST_TEXT = 200
"""Characters of what is typed that an action tells."""
LONGEST_ADDRESS = 300
MOST_PARTS = 20
"""Keys and texts that an action tells of."""
DRAG_PIXELS = 5.0
"""As far as the pointer may move between the two ends of a press that is no drag."""

Kind = Literal["mouse", "keys", "wheel", "touch", "script", "other"]
Params = Mapping[str, Any]
_PRESSES = {1: "click", 2: "double click", 3: "triple click"}
_MODIFIERS = {1: "Alt", 2: "Control", 4: "Meta", 8: "Shift"}
_HELD = frozenset({*_MODIFIERS.values(), "AltGraph", "CapsLock"})
_SCRIPTS = frozenset({"Runtime.evaluate", "Runtime.callFunctionOn"})
_DOCUMENT = frozenset(
    {"DOM.focus", "DOM.removeAttribute", "DOM.removeNode", "DOM.setAttributeValue", "DOM.setNodeValue",
     "DOM.setOuterHTML"}
)  # fmt: skip


@dataclass
class RecordedAction:
    """One thing that a program does, as far as it has come.

    Attributes:
        kind: By what it goes on: a message of another kind is another action.
        words: What it is, e.g. ``click (412, 96)``.
        is_whole: Whether it has come to an end, though it may be gone on with.
    """

    kind: Kind
    words: str = ""
    is_whole: bool = True


@dataclass
class _Typing:
    """What is typed: texts and keys with the number of times, as far as they are told."""

    parts: list[tuple[str, str, int]] = field(default_factory=list)
    count: int = 0

    def text(self, text: str) -> None:
        self.count += len(text)
        if self.parts and self.parts[-1][0] == "type":
            text = self.parts.pop()[1] + text
        self._add("type", text[: LONGEST_TEXT + 1], 1)

    def key(self, name: str) -> None:
        self.count += 1
        times = self.parts.pop()[2] if self.parts and self.parts[-1][:2] == ("press", name) else 0
        self._add("press", name, times + 1)

    def _add(self, what: str, text: str, times: int) -> None:
        if len(self.parts) < MOST_PARTS:
            self.parts.append((what, text, times))

    def words(self) -> str:
        told = [
            f"type {json.dumps(shorten(text, LONGEST_TEXT), ensure_ascii=False)}"
            if what == "type"
            else f"press {text}{f' ({times} times)' if times > 1 else ''}"
            for what, text, times in self.parts
        ]
        if len(self.parts) == MOST_PARTS:
            told.append(f"{self.count} keys in all")
        return ", ".join(told)


class ActionReader:
    """Reads the messages of programs on one page, in order."""

    def __init__(self) -> None:
        self._deed: RecordedAction | None = None
        self._start = (0.0, 0.0)
        self._turned = (0.0, 0.0)
        self._typing = _Typing()
        self._calls = 0
        self._ways: Mapping[str, Callable[[Params], RecordedAction | None]] = {
            "Input.dispatchMouseEvent": self._mouse,
            "Input.dispatchKeyEvent": self._key,
            "Input.insertText": self._text,
            "Input.dispatchTouchEvent": self._touch,
            "Input.dispatchDragEvent": lambda params: (
                self._pointed("drag", params) if params.get("type") == "drop" else None
            ),
            "Input.synthesizeTapGesture": lambda params: self._pointed("tap", params),
            "Input.synthesizePinchGesture": lambda params: self._pointed("pinch", params),
            "Input.synthesizeScrollGesture": lambda params: self._wheel(
                -_number(params.get("xDistance")), -_number(params.get("yDistance"))
            ),
            "Page.navigate": lambda params: self._new("other", f"navigate {_text(params.get('url'), LONGEST_ADDRESS)}"),
            "Page.reload": lambda _: self._new("other", "reload"),
            "Page.navigateToHistoryEntry": lambda _: self._new("other", "go to a page of the history"),
            "Page.handleJavaScriptDialog": lambda params: self._new(
                "other", f"{'accept' if params.get('accept') else 'dismiss'} the dialog"
            ),
            "Page.setDocumentContent": lambda _: self._script("write the document"),
        }

    def read(self, method: str, params: Params) -> RecordedAction | None:
        """The action that a message begins or goes on with; None if it is none.

        Args:
            method: Of DevTools.
            params: The message's parameters.

        Returns:
            The same object for all messages of one action.
        """
        if way := self._ways.get(method):
            return way(params)
        if method in _SCRIPTS:
            return self._script("script")
        return self._script("change of the document") if method in _DOCUMENT else None

    def is_page_action(self, method: str) -> bool:
        """Whether messages of a method can be actions."""
        return method in self._ways or method in _SCRIPTS or method in _DOCUMENT

    def _new(self, kind: Kind, words: str, *, is_whole: bool = True) -> RecordedAction:
        self._deed = RecordedAction(kind, words, is_whole)
        return self._deed

    def _going_on(self, kind: Kind) -> RecordedAction | None:
        """The present action, if it is of this kind."""
        return self._deed if self._deed and self._deed.kind == kind else None

    def _mouse(self, params: Params) -> RecordedAction | None:
        place = (_number(params.get("x")), _number(params.get("y")))
        match params.get("type"):
            case "mouseWheel":
                return self._wheel(_number(params.get("deltaX")), _number(params.get("deltaY")))
            case "mousePressed":
                return self._pressed(place, params)
            case "mouseReleased":
                return self._released(place)
        # A movement is one only while a button is down.
        action = self._going_on("mouse")
        return action if action and not action.is_whole else None

    def _pressed(self, place: tuple[float, float], params: Params) -> RecordedAction:
        count = params.get("clickCount")
        words = _PRESSES.get(count if type(count) is int else 1, "click")
        button = params.get("button")
        if button in ("right", "middle", "back", "forward"):
            words = f"{button} {words}"
        again = self._going_on("mouse")
        self._start = place
        if again and again.is_whole and type(count) is int and count > 1:
            again.words, again.is_whole = f"{words} {_point(place)}", False
            return again
        return self._new("mouse", f"{words} {_point(place)}", is_whole=False)

    def _released(self, place: tuple[float, float]) -> RecordedAction | None:
        action = self._going_on("mouse")
        if action is None or action.is_whole:
            return None
        action.is_whole = True
        if math.dist(self._start, place) > DRAG_PIXELS:
            action.words = f"drag {_point(self._start)} to {_point(place)}"
        return action

    def _wheel(self, dx: float, dy: float) -> RecordedAction:
        action = self._going_on("wheel")
        if action is None:
            action, self._turned = self._new("wheel", ""), (0.0, 0.0)
        self._turned = (self._turned[0] + dx, self._turned[1] + dy)
        action.words = f"scroll {_point(self._turned)}"
        return action

    def _touch(self, params: Params) -> RecordedAction | None:
        action = self._going_on("touch")
        if params.get("type") != "touchStart":
            if action and params.get("type") in ("touchEnd", "touchCancel"):
                action.is_whole = True
            return action
        points = params.get("touchPoints")
        first = points[0] if isinstance(points, list) and points and isinstance(points[0], dict) else {}
        return self._new("touch", f"tap {_point((_number(first.get('x')), _number(first.get('y'))))}", is_whole=False)

    def _pointed(self, words: str, params: Params) -> RecordedAction:
        return self._new("other", f"{words} {_point((_number(params.get('x')), _number(params.get('y'))))}")

    def _keys(self) -> RecordedAction:
        action = self._going_on("keys")
        if action is None:
            action, self._typing = self._new("keys", ""), _Typing()
        return action

    def _key(self, params: Params) -> RecordedAction | None:
        kind, key = params.get("type"), _text(params.get("key"), 20)
        if kind == "keyUp" or key in _HELD:
            return self._going_on("keys")
        modifiers = params.get("modifiers")
        held = [name for bit, name in _MODIFIERS.items() if type(modifiers) is int and modifiers & bit]
        text = _text(params.get("text"), LONGEST_TEXT)
        action = self._keys()
        if text.isprintable() and text and set(held) <= {"Shift"}:
            if kind != "rawKeyDown":  # which types nothing: a char comes behind it
                self._typing.text(text)
        elif kind == "char":
            return action
        else:
            self._typing.key("+".join([*(name for name in held if name != "Shift" or len(key) > 1), key or "a key"]))
        action.words = self._typing.words()
        return action

    def _text(self, params: Params) -> RecordedAction:
        action = self._keys()
        text = params.get("text")
        self._typing.text(text if isinstance(text, str) else "")
        action.words = self._typing.words()
        return action

    def _script(self, words: str) -> RecordedAction:
        action = self._going_on("script")
        if action is None:
            action, self._calls = self._new("script", words), 0
        self._calls += 1
        action.words = f"{words} ({self._calls} calls)" if self._calls > 1 else words
        return action


def _number(value: object) -> float:
    """A finite number; 0 for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        number = float(value)
    except OverflowError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _point(place: tuple[float, float]) -> str:
    return f"({round(place[0], 1):g}, {round(place[1], 1):g})"


def _text(value: object, length: int) -> str:
    return shorten(value, length) if isinstance(value, str) else ""

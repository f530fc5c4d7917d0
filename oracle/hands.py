"""Pressing and dragging things that are no fields: where they are is looked up, and every movement is an action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.browser.launch import SCREEN
from harness.episode.library import Actions
from harness.episode.probe import Probe

Box = tuple[float, float, float, float]
"""Left, top, width and height in pixels of the screen."""
CLICKS = ("click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick", "touchstart")
LOOKS = 4
"""How often a place is looked up anew after scrolling: a wheel turns by steps."""


@dataclass(frozen=True)
class Thing:
    """Something that can be pressed, is no field and does not submit.

    Attributes:
        number: By which the page's looks know it.
        text: What it says.
        tag: Its element's name.
        id: Its element's id.
        classes: Its element's classes.
        listens: Whether the page listens for presses of it.
    """

    number: int
    text: str
    tag: str
    id: str
    classes: str
    listens: bool


class Hands:
    """Mouse and keyboard on one page."""

    def __init__(self, act: Actions, probe: Probe) -> None:
        self.act = act
        self.probe = probe

    def things(self) -> list[Thing]:
        """What can be pressed now, in page order."""
        self.probe.find_listeners(CLICKS)
        names = ("number", "text", "tag", "id", "classes", "listens")
        return [Thing(**{name: each[name] for name in names}) for each in self.probe.look("things")]

    def place(self, function: str, *arguments: object) -> dict[str, Any] | None:
        """What a look at a place tells, when the page has been scrolled to it; None if it cannot be got at."""
        for _ in range(LOOKS):
            found: dict[str, Any] = self.probe.look(function, *arguments)
            if "error" in found:
                return None
            if not (found["dx"] or found["dy"]):
                return found
            self.act.scroll(found["dx"], found["dy"])
        return None

    def press(self, number: int) -> bool:
        """Press an element; whether it could be reached."""
        place = self.place("spot", number)
        return place is not None and self.act.click(place["x"], place["y"]).ok

    def box(self, number: int) -> Box | None:
        """Left, top, width and height of an element that is in view now."""
        place = self.place("box", number)
        return (place["left"], place["top"], place["width"], place["height"]) if place else None

    def both(self, a: int, b: int) -> tuple[Box, Box] | None:
        """The boxes of two elements, the page scrolled so that both are in view; None if that cannot be."""
        for _ in range(LOOKS):
            found = [self.probe.look("boxNow", number) for number in (a, b)]
            if any("error" in each for each in found):
                return None
            boxes = [(each["left"], each["top"], each["width"], each["height"]) for each in found]
            middles = [top + height / 2 for _, top, _, height in boxes]
            if all(0 <= middle < SCREEN[1] for middle in middles):
                return boxes[0], boxes[1]
            self.act.scroll(0, sum(middles) / 2 - SCREEN[1] / 2)
        return None

    def mark(self, number: int, start: int, end: int) -> bool:
        """Mark a stretch of an element's text by dragging over it; whether it could be reached."""
        place = self.place("stretch", number, start, end)
        if place is None:
            return False
        return self.drag(place["from"], place["to"])

    def drag(self, start: Sequence[float], end: Sequence[float]) -> bool:
        """Drag from a point to another; whether both are on the screen."""
        blank = self.probe.look("blank", *start)
        if blank["selected"] and blank["at"]:
            # Pressed on marked text, the mouse would drag the text along.
            self.act.click(*blank["at"])
        return self.act.drag(start[0], start[1], end[0], end[1]).ok

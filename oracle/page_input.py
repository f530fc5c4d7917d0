"""Pressing and dragging things that are no fields: where they are is looked up, and every movement is an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from harness.browser.launch import SCREEN, in_page_script
from harness.episode.library import Actions
from harness.episode.probe import Probe

SCRIPTS = ("looks.js", "drawn_controls.js")
"""In-page scripts, in the order in which they are loaded."""


def look(probe: Probe, function: str, *arguments: object) -> Any:
    """What a function of the oracle's in-page scripts tells (``OracleLooks`` in ``scripts/types.d.ts``).

    Args:
        probe: Of the open page.
        function: Its name, e.g. ``pressables``.
        *arguments: Whatever JSON holds.
    """
    probe.load(in_page_script("content"))
    probe.load(_scripts())
    return probe.look(f"oracle.{function}", *arguments)


@lru_cache(maxsize=1)
def _scripts() -> str:
    folder = resources.files(__package__).joinpath("scripts")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)


Box = tuple[float, float, float, float]
"""Left, top, width and height in pixels of the screen."""
CLICKS = ("click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick", "touchstart")
LOOKS = 4
"""How often a place is looked up anew after scrolling: a wheel turns by steps."""


@dataclass(frozen=True)
class Pressable:
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


class PageInput:
    """Mouse and keyboard on one page."""

    def __init__(self, act: Actions, probe: Probe) -> None:
        self.act = act
        self.probe = probe

    def pressables(self) -> list[Pressable]:
        """What can be pressed now, in page order."""
        self.probe.find_listeners(CLICKS)
        return [Pressable(**each) for each in look(self.probe, "pressables")]

    def place(self, function: str, *arguments: object) -> dict[str, Any] | None:
        """What a look at a place tells, when the page has been scrolled to it; None if it cannot be got at."""
        return self._when_scrolled_to(lambda: look(self.probe, function, *arguments))

    def _when_scrolled_to(self, measure: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
        for _ in range(LOOKS):
            found = measure()
            if "error" in found:
                return None
            if not (found["dx"] or found["dy"]):
                return found
            self.act.scroll(found["dx"], found["dy"])
        return None

    def press(self, number: int) -> bool:
        """Press an element; whether it could be reached."""
        place = self._when_scrolled_to(lambda: self.probe.look("pressables.locate", number))
        return place is not None and self.act.click(place["x"], place["y"]).ok

    def box(self, number: int) -> Box | None:
        """Left, top, width and height of an element that is in view now."""
        place = self.place("box", number)
        return (place["left"], place["top"], place["width"], place["height"]) if place else None

    def both(self, a: int, b: int) -> tuple[Box, Box] | None:
        """The boxes of two elements, the page scrolled so that both are in view; None if that cannot be."""
        for _ in range(LOOKS):
            found = [look(self.probe, "boxNow", number) for number in (a, b)]
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
        first, last = place["from"], place["to"]
        return self.drag((first["x"], first["y"]), (last["x"], last["y"]))

    def drag(self, start: Sequence[float], end: Sequence[float]) -> bool:
        """Drag from a point to another; whether both are on the screen."""
        blank = look(self.probe, "blank", *start)
        if blank["selected"] and blank["at"]:
            # Pressed on marked text, the mouse would drag the text along.
            self.act.click(blank["at"]["x"], blank["at"]["y"])
        return self.act.drag(start[0], start[1], end[0], end[1]).ok

"""Actions of a whole mouse, and waiting: what computer-use models ask for beyond the action library.

They are in no action set, since no prompt but that of ``--output computer`` offers them.
"""

from __future__ import annotations

import time
from typing import cast

from harness.actions.result import ActionResult, ErrorCode
from harness.actions.signature import ActionSpec
from harness.actions.spec import from_class
from harness.browser.chord import ShortcutRefused, modifiers_of
from harness.browser.input import BUTTONS, MouseButton
from harness.episode.content_actions import ContentActions
from harness.episode.performing import action
from harness.episode.refusal import ActionRefused, number
from harness.kit.text import counted

MOST_PRESSES = 3
LONGEST_WAIT = 30.0
"""Seconds of one ``wait``."""


class PointerActions(ContentActions):
    """The mouse actions on one open page that the action library lacks."""

    @action
    def press_button(self, x: float, y: float, button: str = "left", count: int = 1, held: str = "") -> ActionResult:
        """Press a mouse button at a point of the screen.

        Args:
            x: Pixels from the left edge of a viewport picture.
            y: Pixels from its top edge.
            button: 'left', 'middle' or 'right'.
            count: How often, in quick succession: 3 marks a line.
            held: Keys that are held down, joined by '+': Control, Shift, Alt.

        Examples:
            >>> press_button(640, 412, 'right', 1, '')
            >>> press_button(640, 412, 'left', 3, '')
        """
        x, y = number("x", x), number("y", y)
        self._inside(x, y)
        if button not in BUTTONS:
            raise ActionRefused(ErrorCode.WRONG_ARGUMENT, f"there is no button {button!r}: {', '.join(BUTTONS)}")
        if count not in range(1, MOST_PRESSES + 1):
            raise ActionRefused(ErrorCode.OUT_OF_RANGE, f"count {count!r}: 1 to {MOST_PRESSES}")
        keys = _held(held)
        try:
            self._back_end.press_button(x, y, cast("MouseButton", button), count, keys)
        except ShortcutRefused as error:
            raise ActionRefused(ErrorCode.BROWSER_SHORTCUT, str(error)) from None
        self.see()
        times = f" {counted(count, 'time')}" if count > 1 else ""
        with_keys = f" with {held}" if held else ""
        return ActionResult(ok=True, message=f"pressed {button}{times} at ({x:g}, {y:g}){with_keys}")

    @action
    def drag_along(self, path: list[float], held: str = "") -> ActionResult:
        """Press the left mouse button at a point of the screen, move through others and let go at the last.

        Args:
            path: Of each point the pixels from the left edge of a viewport picture, and from its top edge.
            held: As of ``press_button``.

        Examples:
            >>> drag_along([120, 300, 200, 340, 480, 410], '')
        """
        pixels = [number("path", each) for each in path]
        points = list(zip(pixels[::2], pixels[1::2], strict=False))
        if len(points) < 2 or len(pixels) % 2:
            raise ActionRefused(ErrorCode.WRONG_ARGUMENT, "path: a drag needs x and y of two points or more")
        for point in points:
            self._inside(*point)
        try:
            self._back_end.drag_along(points, _held(held))
        except ShortcutRefused as error:
            raise ActionRefused(ErrorCode.BROWSER_SHORTCUT, str(error)) from None
        self.see()
        ends = (*points[0], *points[-1])
        return ActionResult(ok=True, message="dragged from ({:g}, {:g}) to ({:g}, {:g})".format(*ends))

    @action
    def scroll_at(self, x: float, y: float, dx: float = 0, dy: float = 0) -> ActionResult:
        """Turn the mouse wheel over a point of the screen: what is under it scrolls.

        Args:
            x: Pixels from the left edge of a viewport picture.
            y: Pixels from its top edge.
            dx: Pixels to the right; negative is left.
            dy: Pixels down; negative is up.

        Examples:
            >>> scroll_at(640, 412, 0, 300)
        """
        x, y, dx, dy = number("x", x), number("y", y), number("dx", dx), number("dy", dy)
        self._inside(x, y)
        self._back_end.scroll(x, y, dx, dy)
        self._browser.run("page.frame")
        self.see()
        return ActionResult(ok=True, message=f"scrolled by ({dx:g}, {dy:g}) at ({x:g}, {y:g})")

    @action
    def wait(self, seconds: float) -> ActionResult:
        """Do nothing for a while.

        Args:
            seconds: How long; 30 at most.

        Examples:
            >>> wait(2)
        """
        asked = number("seconds", seconds)
        waited = min(max(asked, 0.0), LONGEST_WAIT, self.trajectory.seconds_left())
        time.sleep(waited)  # that is what was asked for
        self.see()
        return ActionResult(ok=True, message=f"waited {waited:g} s")

    def _inside(self, x: float, y: float) -> None:
        width, height = self._back_end.size
        if not (0 <= x < width and 0 <= y < height):
            message = f"({x:g}, {y:g}) is off the screen, which is {width} x {height} pixels; scroll first"
            raise ActionRefused(ErrorCode.OFF_SCREEN, message)


def _held(text: str) -> tuple[str, ...]:
    try:
        return modifiers_of(text)
    except ValueError as error:
        raise ActionRefused(ErrorCode.NO_SUCH_KEY, str(error)) from None


_BEFORE = from_class(ContentActions)
POINTER_ACTIONS: dict[str, ActionSpec] = {
    name: spec for name, spec in from_class(PointerActions).items() if name not in _BEFORE
}
"""Specifications of these actions, by name."""

"""The mouse as a dialect's calls move it: where the pointer is, and whether its button is down."""

from __future__ import annotations

from collections.abc import Sequence

from harness.actions.call import ActionCall
from harness.browser.input import MouseButton
from harness.solvers.models.computer.screen import Screen

Point = tuple[float, float]


class Hand:
    """What calls without a point, or with half of a drag, refer to; all its points are pixels of the page.

    Attributes:
        screen: Where it points.
        at: Where the pointer is.
    """

    def __init__(self, screen: Screen) -> None:
        """Begin in the middle of the screen."""
        self.screen = screen
        self.at: Point = (screen.page[0] // 2, screen.page[1] // 2)
        self._path: list[Point] | None = None

    def point(self, x: float, y: float) -> Point:
        """Move to a point of the model's.

        Raises:
            harness.solvers.models.computer.screen.OffScreen: it is beyond an edge.
        """
        self.at = self.screen.to_page(x, y)
        return self.at

    def press(self, button: MouseButton = "left", count: int = 1, held: str = "") -> ActionCall:
        """A press where the pointer is."""
        x, y = self.at
        if button == "left" and not held and count in (1, 2):
            return ActionCall("click" if count == 1 else "double_click", {"x": x, "y": y})
        return ActionCall("press_button", {"x": x, "y": y, "button": button, "count": count, "held": held})

    def hover(self) -> ActionCall | None:
        """The pointer comes to where it is; None while the button is down, since that is part of a drag."""
        if self._path is not None:
            self._path.append(self.at)
            return None
        return ActionCall("hover", {"x": self.at[0], "y": self.at[1]})

    def drag(self, path: Sequence[Point], held: str = "") -> ActionCall:
        """A drag through points of the page."""
        self.at = path[-1]
        if len(path) == 2 and not held:
            (x1, y1), (x2, y2) = path
            return ActionCall("drag", {"x1": x1, "y1": y1, "x2": x2, "y2": y2})
        return ActionCall("drag_along", {"path": [number for point in path for number in point], "held": held})

    def go_down(self) -> None:
        """The button goes down where the pointer is: what is done until it goes up is one drag."""
        self._path = [self.at]

    def go_up(self) -> ActionCall:
        """The button goes up where the pointer is: a drag, or a press where it has not moved."""
        path, self._path = self._path or [self.at], None
        moved = [path[0], *(point for before, point in zip(path, [*path[1:], self.at], strict=True) if point != before)]
        return self.drag(moved) if len(moved) > 1 else self.press()

    def scroll(self, dx: float, dy: float) -> ActionCall:
        """The wheel turns where the pointer is, by pixels of the page to the right and down."""
        return ActionCall("scroll_at", {"x": self.at[0], "y": self.at[1], "dx": dx, "dy": dy})

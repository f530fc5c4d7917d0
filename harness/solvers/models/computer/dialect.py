"""What a dialect of computer use is: how a model is offered a computer, asks for its actions, and is told of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from harness.actions.call import ActionCall, ActionError
from harness.actions.signature import ActionSpec
from harness.actions.spec import to_json_schema
from harness.browser.input import MouseButton
from harness.kit.text import shorten
from harness.models.messages import LENGTH, REFUSED, Message, Reply, ToolCall
from harness.solvers.models.computer.arguments import WrongArgument
from harness.solvers.models.computer.asked import ComputerCall, DoneTurn, Piece, ReadTurn
from harness.solvers.models.computer.keys import NoSuchKey
from harness.solvers.models.computer.screen import OffScreen, Screen, ScreenRule

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


Navigation = Mapping[str, ActionSpec]
"""The actions that no screen shows, by name: addresses and tabs of a website; none on a form."""


class Dialect(ABC):
    """One way of providers or models to use a computer.

    Attributes:
        rule: How large the model's screen is, and in which numbers it points.
        shows_each: Whether each call is answered with the screen after it; else the turn is, once.
        images: How many pictures of the conversation the model is shown, the last ones; None for all.
        drops_turns: Whether the oldest turns may be left out of a conversation that is too long.
        in_place_of_picture: What stands in ``Message.native`` for an element with a picture that is left out; None for
            nothing.
        more: Parameters of its requests.
    """

    rule: ScreenRule
    shows_each: ClassVar[bool] = False
    images: int | None = None
    drops_turns: bool = True
    in_place_of_picture: Mapping[str, Any] | None = None
    more: Mapping[str, Any] = {}

    @abstractmethod
    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:
        """The tools of its requests."""

    def system(self, rules: str, screen: Screen, navigation: Navigation) -> str:  # noqa: ARG002 - of those that need more
        """The message of the system: the rules, and how to write actions where no tool says so."""
        return rules

    @abstractmethod
    def read(self, reply: Reply, hand: Hand, navigation: Navigation) -> ReadTurn:
        """What a reply asks for; anything at all may stand in it, and none of it is executed."""

    @abstractmethod
    def told(self, turn: DoneTurn) -> tuple[Message, ...]:
        """A turn as it stands in the next requests: the reply, and what came of it with the screen as it is now."""


def attempt(call: ToolCall, work: Callable[[], Iterable[Piece]], **extra: Any) -> ComputerCall:
    """A call with the pieces that are read from it, up to the first that cannot be."""
    pieces: list[Piece] = []
    try:
        pieces += work()
    except (OffScreen, NoSuchKey, WrongArgument) as error:
        pieces.append(error_of(call.name, call.arguments, str(error)))
    return ComputerCall(call.id, call.name, tuple(pieces), extra)


def error_of(name: str, arguments: object, reason: str) -> ActionError:
    """Why something is not done."""
    return ActionError(shorten(f"{name} {arguments}", 200), reason)


def plain_tools(navigation: Navigation) -> tuple[Mapping[str, Any], ...]:
    """Addresses and tabs as tools of the usual kind."""
    return tuple(map(to_json_schema, navigation.values()))


def plain_call(call: ToolCall, navigation: Navigation) -> ComputerCall:
    """A call of a tool of the usual kind."""
    spec = navigation.get(call.name)
    if spec is None:
        known = f"; beside the computer there are {', '.join(navigation)}" if navigation else ""
        piece: Piece = error_of(call.name, call.arguments, f"there is no tool {shorten(call.name, 60)!r}{known}")
    else:
        try:
            piece = spec.bind((), call.arguments)
        except ValueError as error:
            piece = error_of(call.name, call.malformed or call.arguments, f"{error}. It is {spec.signature}.")
    return ComputerCall(call.id, call.name, (piece,))


def ended(reply: Reply) -> ReadTurn:
    """A reply without a call: the end of the work, unless it was cut off, declined or says nothing."""
    if reply.finish == LENGTH:
        return ReadTurn(trouble="Your reply was cut off before it called a tool. Be brief.")
    if reply.finish == REFUSED:
        return ReadTurn(trouble="It was declined.")
    if not reply.text.strip():
        return ReadTurn(trouble="It was empty. Call a tool, or say that the work is done.")
    return ReadTurn(is_end=True, answer=reply.text.strip())

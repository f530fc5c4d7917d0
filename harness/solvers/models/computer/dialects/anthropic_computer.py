"""Anthropic's computer tools: the toolset of 2026, and the beta tools before it.

Sources: the types of the library anthropic 2.14.0 (``types/computer_*``, ``lib/tools/_toolsets``), and Anthropic's
guide "Computer use tool", as of November 2026. docs/how-to/computer-use.md has more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.browser.input import MouseButton
from harness.models.messages import Image, Message, Part, Reply, Text, ToolCall, ToolResult, picture_mark
from harness.solvers.models.computer import keys
from harness.solvers.models.computer.arguments import WrongArgument, number, numbers, text
from harness.solvers.models.computer.asked import (
    WHEEL,
    ComputerCall,
    DoneTurn,
    Look,
    Outcome,
    Piece,
    ReadTurn,
    Tell,
    press_key,
    type_text,
    wait,
)
from harness.solvers.models.computer.dialect import Dialect, Hand, Navigation, attempt, ended, plain_call, plain_tools
from harness.solvers.models.computer.screen import Fit, Screen, ScreenRule, in_patches

COMPUTER = "computer"
NOT_EXECUTED = "Not executed: an earlier computer action in this turn failed."
"""What the interface wants to be said of each call behind one that failed, in these words."""
MOST_REPEATS = 100
LEFT_OUT = {"type": "text", "text": "(an older screenshot, left out)"}

STANDARD = in_patches(28, edge=1568, tokens=1568)
LARGE = in_patches(28, edge=2000, tokens=4784)
"""Pictures that are seen as they are sent: of models up to 4.6, and of those since 4.7, which take sides of 2576 pixels
while a conversation has twenty pictures, and of 2000 then."""

_BUTTONS: Mapping[str, tuple[MouseButton, int]] = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_DONE = {
    "key": "Pressed {text}.",
    "type": "Typed.",
    "mouse_move": "Moved the mouse.",
    "left_mouse_down": "Left mouse button pressed.",
    "left_mouse_up": "Left mouse button released.",
    "left_click": "Clicked.",
    "left_click_drag": "Dragged.",
    "right_click": "Right-clicked.",
    "middle_click": "Middle-clicked.",
    "double_click": "Double-clicked.",
    "triple_click": "Triple-clicked.",
    "scroll": "Scrolled {scroll_direction}.",
    "wait": "Waited {duration}s.",
}
"""What is said of an action that was done, as the library says it."""


class AnthropicComputer(Dialect):
    """What all of Anthropic's computer tools share: their actions and their units."""

    in_place_of_picture = LEFT_OUT

    def __init__(self, fit: Fit) -> None:
        """Of models that see pictures of some size as they are sent."""
        self.rule = ScreenRule(fit)

    def read(self, reply: Reply, hand: Hand, navigation: Navigation) -> ReadTurn:
        """See ``Dialect.read``; a reply that calls nothing ends the work, and its text is the answer."""
        if not reply.tool_calls:
            return ended(reply)
        return ReadTurn(
            tuple(
                plain_call(call, navigation) if call.name in navigation else member_call(call, self._member(call), hand)
                for call in reply.tool_calls
            )
        )

    def _member(self, call: ToolCall) -> str:
        """The action of a call."""
        return call.name

    def told(self, turn: DoneTurn) -> tuple[Message, ...]:
        """The reply as it came, and a result for each of its calls.

        An error is text alone; the screen stands on the last result that is none and has no picture of its own.
        """
        reply = turn.reply.message()
        if not turn.outcomes:
            return reply, Message("user", (Text(turn.news), turn.screen))
        last = turn.outcomes[-1]
        shows = bool(last.ok) and last.image is None
        results, blocks = [], []
        for outcome in turn.outcomes:
            image = turn.screen if shows and outcome is last else outcome.image
            words = "" if outcome.looked and outcome.ok else _words(outcome)
            images = (image,) if image and outcome.ok else ()
            results.append(ToolResult(outcome.call.id, words, images))
            blocks.append(self._result(outcome, words, images))
        messages = [reply, Message("tool", tuple(results), tuple(blocks))]
        behind: list[Part] = [*([] if last.ok else [turn.screen]), *([Text(turn.news)] if turn.news else [])]
        if behind:
            messages.append(Message("user", tuple(behind)))
        return tuple(messages)

    def _result(self, outcome: Outcome, words: str, images: tuple[Image, ...]) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": words}] if words else []
        for image in images:
            source = {"type": "base64", "media_type": image.media_type, "data": picture_mark(image)}
            content.append({"type": "image", "source": source})
        result = {"type": "tool_result", "tool_use_id": outcome.call.id, "content": content}
        return result if outcome.ok else {**result, "is_error": True}


class AnthropicToolset(AnthropicComputer):
    """``computer_toolset_20260801``: a tool for each action, many calls a turn, zoom.

    The newest models bind their thoughts to the conversation as it was, so that nothing is left out of it here; the
    provider clears what is old.
    """

    drops_turns = False

    def __init__(self, fit: Fit, *, clears_from: int = 80_000, keeps: int = 10) -> None:
        """Of models that see pictures of some size as they are sent.

        Args:
            fit: That size.
            clears_from: Input tokens from which on the provider clears results of tools.
            keeps: How many calls it leaves with theirs.
        """
        super().__init__(fit)
        edit = {
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "input_tokens", "value": clears_from},
            "keep": {"type": "tool_uses", "value": keeps},
        }
        self.more = {"context_management": {"edits": [edit]}}

    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:  # noqa: ARG002
        """The toolset, whose size of the screen is that of the pictures it gets."""
        configs = {"hold_key": {"enabled": False}}  # nothing here holds a key down for seconds
        return ({"type": "computer_toolset_20260801", "configs": configs}, *plain_tools(navigation))

    def _result(self, outcome: Outcome, words: str, images: tuple[Image, ...]) -> dict[str, Any]:
        result = super()._result(outcome, words, images)
        return {**result, "toolset_name": COMPUTER} if outcome.call.extra.get("of_toolset") else result


class AnthropicTool(AnthropicComputer):
    """``computer_20250124`` and ``computer_20251124``: one tool with an action, in beta versions of the interface."""

    images = 20

    def __init__(self, kind: str, fit: Fit, *, zooms: bool) -> None:
        """Of a type of tool.

        Args:
            kind: The type.
            fit: As of ``AnthropicComputer``.
            zooms: Whether it has ``zoom``.
        """
        super().__init__(fit)
        self._kind = kind
        self._more = {"enable_zoom": True} if zooms else {}

    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:
        """The tool with the size of the pictures."""
        width, height = screen.sent
        size = {"display_width_px": width, "display_height_px": height}
        return ({"type": self._kind, "name": COMPUTER, **size, **self._more}, *plain_tools(navigation))

    def _member(self, call: ToolCall) -> str:
        return str(call.arguments.get("action", ""))


def member_call(call: ToolCall, name: str, hand: Hand) -> ComputerCall:
    """A call of one of the tools' actions.

    Args:
        call: The call, whose arguments are the action's.
        name: The action.
        hand: The mouse.
    """
    told = _DONE.get(name, "").format_map(_Written(call.arguments))
    return attempt(call, lambda: _pieces(name, call.arguments, hand), of_toolset=True, done=told)


def _words(outcome: Outcome) -> str:
    if outcome.ok is None:
        return NOT_EXECUTED
    return str(outcome.call.extra.get("done") or outcome.text) if outcome.ok else outcome.text


class _Written(dict[str, Any]):
    """Arguments for a text with names in braces; what is missing is a question mark."""

    def __missing__(self, key: str) -> str:
        return "?"


def _pieces(name: str, arguments: Mapping[str, Any], hand: Hand) -> Iterator[Piece]:
    if name in _BUTTONS:
        _go(arguments, hand)
        yield hand.press(*_BUTTONS[name], _held(arguments))
        return
    match name:
        case "mouse_move":
            hand.point(*numbers(arguments, "coordinate", 2))
            if hovered := hand.hover():
                yield hovered
        case "left_click_drag":
            start = (
                hand.point(*numbers(arguments, "start_coordinate", 2)) if "start_coordinate" in arguments else hand.at
            )
            yield hand.drag([start, hand.point(*numbers(arguments, "coordinate", 2))], _held(arguments))
        case "left_mouse_down":
            hand.go_down()
        case "left_mouse_up":
            yield hand.go_up()
        case "scroll":
            _go(arguments, hand)
            across, down = _way(arguments)
            amount = number(arguments, "scroll_amount") * WHEEL
            yield hand.scroll(across * amount, down * amount)
        case "key":
            times = int(number(arguments, "repeat", default=1))
            if not 1 <= times <= MOST_REPEATS:
                raise WrongArgument(f"repeat: {times} is not between 1 and {MOST_REPEATS}")
            written = text(arguments, "text")
            chords = [keys.chord(keys.parted(each)) for each in written.split() or [written]]
            yield from (press_key(each) for _ in range(times) for each in chords)
        case "type":
            yield type_text(text(arguments, "text"))
        case "wait":
            yield wait(number(arguments, "duration", default=1))
        case "screenshot":
            yield Look()
        case "zoom":
            left, top, right, lower = numbers(arguments, "region", 4)
            if right <= left or lower <= top:
                raise WrongArgument(f"region: {arguments['region']} is no part of the screen: it is [x0, y0, x1, y1]")
            yield Look((*hand.screen.to_page(left, top), *hand.screen.to_page(right, lower)))
        case "cursor_position":
            x, y = hand.screen.from_page(*hand.at)
            yield Tell(f"X={x:g},Y={y:g}")
        case _:
            raise WrongArgument(f"the action {name!r} is not possible here")


def _go(arguments: Mapping[str, Any], hand: Hand) -> None:
    """Bring the pointer to the call's point; it stays where it is if there is none."""
    if arguments.get("coordinate") is not None:
        hand.point(*numbers(arguments, "coordinate", 2))


def _held(arguments: Mapping[str, Any]) -> str:
    return keys.held(keys.parted(text(arguments, "text", default="")))


def _way(arguments: Mapping[str, Any]) -> tuple[int, int]:
    direction = text(arguments, "scroll_direction")
    if direction not in _WAYS:
        raise WrongArgument(f"scroll_direction: {direction!r} is none of {', '.join(_WAYS)}")
    return _WAYS[direction]

"""OpenAI's computer tool over the Responses interface: the tool of 2026, and the preview before it.

Sources: the types of the library openai 3.57.0 (``types/responses/computer_*``, ``lib/computer.py``), and OpenAI's
guide "Computer use", as of November 2026. docs/how-to/computer-use.md has more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.browser.input import MouseButton
from harness.models.messages import COMPUTER, Message, Reply, Text, ToolCall, ToolResult, picture_mark
from harness.solvers.models.computer import keys
from harness.solvers.models.computer.arguments import WrongArgument, number, text, texts
from harness.solvers.models.computer.asked import (
    ComputerCall,
    DoneTurn,
    Look,
    Outcome,
    Piece,
    ReadTurn,
    press_key,
    type_text,
    wait,
)
from harness.solvers.models.computer.dialect import Dialect, Hand, Navigation, attempt, ended, plain_call, plain_tools
from harness.solvers.models.computer.screen import Fit, Screen, ScreenRule, as_it_is

WAIT = 2.0
"""Seconds of ``wait``, which names none: as OpenAI's sample waits."""
_BUTTONS: Mapping[str, MouseButton] = {"left": "left", "right": "right", "wheel": "middle"}


class OpenAIComputer(Dialect):
    """``computer``: several actions a call, answered by one screenshot; there is no place for an error.

    Pending safety checks are acknowledged, since a request without that is refused: the pages are those of a benchmark,
    in a browser that reaches nothing else. Each stands in the turn's note.
    """

    shows_each = True

    def __init__(self, fit: Fit = as_it_is) -> None:
        """Of models that see pictures of some size as they are sent."""
        self.rule = ScreenRule(fit)

    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:  # noqa: ARG002
        """The tool, which is told no size."""
        return ({"type": COMPUTER}, *plain_tools(navigation))

    def read(self, reply: Reply, hand: Hand, navigation: Navigation) -> ReadTurn:
        """See ``Dialect.read``; a message that is no commentary, without a call, ends the work."""
        if not reply.tool_calls:
            return ReadTurn(trouble="You called no tool.") if _is_commentary(reply) else ended(reply)
        calls = tuple(
            _read(call, hand) if call.name == COMPUTER else plain_call(call, navigation) for call in reply.tool_calls
        )
        notes = tuple(note for call in calls for note in _notes(call))
        return ReadTurn(calls, notes=notes)

    def told(self, turn: DoneTurn) -> tuple[Message, ...]:
        """The reply's items as they came, and an output for each of its calls; errors stand in a message behind."""
        reply = turn.reply.message()
        if not turn.outcomes:
            return reply, Message("user", (Text(turn.news), turn.screen))
        results = tuple(ToolResult(each.call.id, each.text, (each.image or turn.screen,)) for each in turn.outcomes)
        outputs = tuple(self._output(each, turn) for each in turn.outcomes)
        errors = [f"{each.call.name}: {each.text}" for each in turn.outcomes if not each.ok and _is_computers(each)]
        behind = "\n\n".join(filter(None, ("\n".join(errors), turn.news)))
        messages = (reply, Message("tool", results, outputs))
        return (*messages, Message("user", (Text(behind),))) if behind else messages

    def _output(self, outcome: Outcome, turn: DoneTurn) -> dict[str, Any]:
        if not _is_computers(outcome):
            return {"type": "function_call_output", "call_id": outcome.call.id, "output": outcome.text}
        image = outcome.image or turn.screen
        url = f"data:{image.media_type};base64,{picture_mark(image)}"
        screenshot = {"type": "computer_screenshot", "image_url": url, **self._detail()}
        output = {"type": "computer_call_output", "call_id": outcome.call.id, "output": screenshot}
        checks = outcome.call.extra["checks"]
        return {**output, "acknowledged_safety_checks": list(checks)} if checks else output

    def _detail(self) -> dict[str, Any]:
        """At other levels the provider scales the picture."""
        return {"detail": "original"}


class OpenAIComputerPreview(OpenAIComputer):
    """``computer_use_preview``, of the model of that name: one action a call."""

    def __init__(self) -> None:
        """Of a model that has the server cut its conversations, and has to."""
        super().__init__()
        self.more = {"truncation": "auto"}

    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:
        """The tool with the size of the pictures."""
        width, height = screen.sent
        size = {"display_width": width, "display_height": height, "environment": "browser"}
        return ({"type": "computer_use_preview", **size}, *plain_tools(navigation))

    def _detail(self) -> dict[str, Any]:
        return {}


def _is_computers(outcome: Outcome) -> bool:
    return outcome.call.name == COMPUTER


def _is_commentary(reply: Reply) -> bool:
    """Whether all that a reply says is told on the way, and no end."""
    said = [item for item in reply.native if isinstance(item, Mapping) and item.get("type") == "message"]
    return bool(said) and all(item.get("phase") == "commentary" for item in said)


def _read(call: ToolCall, hand: Hand) -> ComputerCall:
    checks = call.arguments.get("pending_safety_checks")
    actions = call.arguments.get("actions")
    kept = [_check(each) for each in checks if isinstance(each, Mapping)] if isinstance(checks, list) else []

    def pieces() -> Iterator[Piece]:
        if not isinstance(actions, Sequence) or not actions:
            raise WrongArgument("there are no actions in it")
        for action in actions:
            if not isinstance(action, Mapping):
                raise WrongArgument(f"{action!r} is no action")
            yield from _pieces(action, hand)

    return attempt(call, pieces, checks=tuple(kept))


def _check(check: Mapping[str, Any]) -> dict[str, Any]:
    return {name: check[name] for name in ("id", "code", "message") if check.get(name) is not None}


def _notes(call: ComputerCall) -> Iterator[str]:
    for check in call.extra.get("checks", ()):
        told = ": ".join(str(check[name]) for name in ("code", "message") if name in check)
        yield f"safety check acknowledged: {told or check.get('id', '')}"


def _pieces(action: Mapping[str, Any], hand: Hand) -> Iterator[Piece]:
    kind = action.get("type")
    match kind:
        case "click":
            button = text(action, "button", default="left")
            if button not in _BUTTONS:
                raise WrongArgument(f"there is no button {button!r}: {', '.join(_BUTTONS)}")
            hand.point(number(action, "x"), number(action, "y"))
            yield hand.press(_BUTTONS[button], 1, _held(action))
        case "double_click":
            hand.point(number(action, "x"), number(action, "y"))
            yield hand.press("left", 2, _held(action))
        case "move":
            hand.point(number(action, "x"), number(action, "y"))
            if hovered := hand.hover():
                yield hovered
        case "drag":
            path = action.get("path")
            if not isinstance(path, Sequence) or isinstance(path, str) or len(path) < 2:
                raise WrongArgument("path: a drag needs two points or more")
            yield hand.drag([hand.point(*_point(each)) for each in path], _held(action))
        case "scroll":
            hand.point(number(action, "x"), number(action, "y"))
            way = number(action, "scroll_x", default=0), number(action, "scroll_y", default=0)
            yield hand.scroll(*hand.screen.way_to_page(*way))
        case "keypress":
            yield press_key(keys.chord(texts(action, "keys"), upper=True))
        case "type":
            yield type_text(text(action, "text"))
        case "wait":
            yield wait(WAIT)
        case "screenshot":
            yield Look()
        case _:
            raise WrongArgument(f"the action {kind!r} is not possible here")


def _point(point: Any) -> tuple[float, float]:
    if not isinstance(point, Mapping):
        raise WrongArgument(f"path: {point!r} is no point with x and y")
    return number(point, "x"), number(point, "y")


def _held(action: Mapping[str, Any]) -> str:
    return keys.held(texts(action, "keys"))

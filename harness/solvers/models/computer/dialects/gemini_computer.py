"""Google's computer use over ``generateContent``: the short names since Gemini 3.5 Flash, and those before.

Sources: the types of the library google-genai 3.6.1 (``ComputerUse``, ``FunctionResponse``), Google's guide "Computer
use", and google-gemini/computer-use-preview, which differ in places: both forms are read. As of November 2026;
docs/how-to/computer-use.md has more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.browser.input import MouseButton
from harness.models.messages import Message, Reply, Text, ToolCall, ToolResult, picture_mark
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
from harness.solvers.models.computer.dialect import (
    Dialect,
    Hand,
    Navigation,
    attempt,
    ended,
    error_of,
    plain_call,
    plain_tools,
)
from harness.solvers.models.computer.screen import Screen, ScreenRule

GRID = 1000.0
MAGNITUDE, OLD_MAGNITUDE = 300.0, 800.0
"""How far is scrolled where nothing is said: pixels in the guide; parts of the grid in the sample."""
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_SELECT_ALL, _CLEAR = "Control+a", "Backspace"
_EXCLUDED = ("navigate", "go_back", "go_forward")
"""Predefined functions of both vocabularies that are left out: on websites, the harness's own are there for them."""
_PRESSES: Mapping[str, tuple[MouseButton, int]] = {
    "click": ("left", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
}


class GeminiComputer(Dialect):
    """The tool ``computer_use``: functions that the model knows, on a grid of a thousand, with a decision on safety.

    What it wants confirmed is confirmed, since a request without that is refused: the pages are those of a benchmark,
    in a browser that reaches nothing else. What it calls blocked is not done. Both stand in the turn's note.
    """

    rule = ScreenRule(units=GRID)
    shows_each = True
    images = 3

    def tools(self, screen: Screen, navigation: Navigation) -> tuple[Mapping[str, Any], ...]:  # noqa: ARG002
        """The tool, without the functions that lead elsewhere."""
        tool = {"environment": "ENVIRONMENT_BROWSER", "excluded_predefined_functions": list(_EXCLUDED)}
        return ({"computer_use": tool}, *plain_tools(navigation))

    def read(self, reply: Reply, hand: Hand, navigation: Navigation) -> ReadTurn:
        """See ``Dialect.read``; a reply that calls nothing ends the work, and its text is the answer."""
        if not reply.tool_calls:
            return ended(reply)
        calls = tuple(
            plain_call(call, navigation) if call.name in navigation else _read(call, hand, navigation)
            for call in reply.tool_calls
        )
        return ReadTurn(calls, notes=tuple(call.extra["note"] for call in calls if call.extra.get("note")))

    def told(self, turn: DoneTurn) -> tuple[Message, ...]:
        """The reply's parts as they came, and a response for each of its calls, with the screen after it."""
        reply = turn.reply.message()
        if not turn.outcomes:
            return reply, Message("user", (Text(turn.news), turn.screen))
        results, responses = [], []
        for outcome in turn.outcomes:
            images = (outcome.image,) if outcome.image else ()
            results.append(ToolResult(outcome.call.id, outcome.text, images))
            responses.append({"function_response": _response(outcome, turn)})
        messages = (reply, Message("tool", tuple(results), tuple(responses)))
        return (*messages, Message("user", (Text(turn.news),))) if turn.news else messages


def _response(outcome: Outcome, turn: DoneTurn) -> dict[str, Any]:
    told: dict[str, Any] = {"url": turn.url, "output" if outcome.ok else "error": outcome.text}
    if outcome.call.extra.get("confirmed"):
        told["safety_acknowledgement"] = "true"
    response: dict[str, Any] = {"name": outcome.call.name, "response": told}
    if turn.reply.native and outcome.call.id in _given_ids(turn.reply):
        response["id"] = outcome.call.id
    if outcome.image:
        data = {"mime_type": outcome.image.media_type, "data": picture_mark(outcome.image)}
        response["parts"] = [{"inline_data": data}]
    return response


def _given_ids(reply: Reply) -> set[str]:
    """The ids of calls that the provider gave; the others were made here, and mean nothing to it."""
    calls = [part.get("functionCall") for part in reply.native if isinstance(part, Mapping)]
    return {str(call["id"]) for call in calls if isinstance(call, Mapping) and call.get("id")}


def _read(call: ToolCall, hand: Hand, navigation: Navigation) -> ComputerCall:
    decision = call.arguments.get("safety_decision")
    said = decision if isinstance(decision, Mapping) else {}
    word, why = str(said.get("decision", "")).lower(), str(said.get("explanation", ""))
    if word == "blocked":
        note = f"safety check: {call.name} was blocked by the model itself, and not done: {why}"
        return ComputerCall(call.id, call.name, (error_of(call.name, call.arguments, "blocked"),), {"note": note})
    confirmed = word == "require_confirmation"
    note = f"safety check acknowledged: {call.name}: {why}" if confirmed else ""
    return attempt(call, lambda: _pieces(call.name, call.arguments, hand, navigation), confirmed=confirmed, note=note)


def _pieces(name: str, arguments: Mapping[str, Any], hand: Hand, navigation: Navigation) -> Iterator[Piece]:
    if presses := _PRESSES.get(name.removesuffix("_at")):
        _go(arguments, hand)
        yield hand.press(*presses)
        return
    match name:
        case "move" | "hover_at" | "mouse_move":
            _go(arguments, hand)
            if hovered := hand.hover():
                yield hovered
        case "mouse_down":
            _go(arguments, hand)
            hand.go_down()
        case "mouse_up":
            _go(arguments, hand)
            yield hand.go_up()
        case "drag_and_drop":
            start = hand.point(number(arguments, "start_x", "x"), number(arguments, "start_y", "y"))
            end = hand.point(number(arguments, "end_x", "destination_x"), number(arguments, "end_y", "destination_y"))
            yield hand.drag([start, end])
        case "scroll" | "scroll_at" | "scroll_document":
            if "x" in arguments:
                _go(arguments, hand)
            yield hand.scroll(*_distance(name, arguments, hand))
        case "type":
            yield type_text(text(arguments, "text"))
            if arguments.get("press_enter") is True:
                yield press_key("Enter")
        case "type_text_at":
            yield from _type_at(arguments, hand)
        case "press_key":
            yield press_key(keys.chord(keys.parted(text(arguments, "key", "keys"))))
        case "hotkey" | "key_combination":
            yield press_key(keys.chord([part for each in texts(arguments, "keys") for part in keys.parted(each)]))
        case "wait" | "wait_5_seconds":
            yield wait(5 if name == "wait_5_seconds" else number(arguments, "seconds", default=2))
        case "take_screenshot" | "open_web_browser":
            yield Look()
        case "navigate" | "go_back" if navigation:
            goes = name == "navigate"
            spec = navigation["goto" if goes else "go_back"]
            yield spec.bind((), {"url": text(arguments, "url")} if goes else {})
        case _:
            raise WrongArgument(f"{name} is not possible here")


def _type_at(arguments: Mapping[str, Any], hand: Hand) -> Iterator[Piece]:
    _go(arguments, hand)
    yield hand.press()
    if arguments.get("clear_before_typing", True) is not False:
        yield press_key(_SELECT_ALL)
        yield press_key(_CLEAR)
    yield type_text(text(arguments, "text"))
    if arguments.get("press_enter", True) is not False:
        yield press_key("Enter")


def _go(arguments: Mapping[str, Any], hand: Hand) -> None:
    hand.point(number(arguments, "x"), number(arguments, "y"))


def _distance(name: str, arguments: Mapping[str, Any], hand: Hand) -> tuple[float, float]:
    """Pixels of the page to the right and down."""
    direction = text(arguments, "direction", default="down").lower()
    if direction not in _WAYS:
        raise WrongArgument(f"direction: {direction!r} is none of {', '.join(_WAYS)}")
    across, down = _WAYS[direction]
    if name == "scroll_document":
        width, height = hand.screen.page
        return across * width * 0.8, down * height * 0.8
    if arguments.get("magnitude_in_pixels") is not None or ("magnitude" not in arguments and name == "scroll"):
        pixels = number(arguments, "magnitude_in_pixels", default=MAGNITUDE)
        return across * pixels, down * pixels
    parts = number(arguments, "magnitude", default=OLD_MAGNITUDE)
    return hand.screen.way_to_page(across * parts, down * parts)

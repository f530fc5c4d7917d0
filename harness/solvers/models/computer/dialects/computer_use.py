"""``computer_use``, the function of Qwen-VL's cookbook, which GUI-Owl and Fara speak, too.

Sources: QwenLM/Qwen3-VL, ``cookbooks/utils/agent_function_call.py`` (January 2026); X-PLUG/MobileAgent, ``Mobile-Agent-
v3.5`` (July 2026); microsoft/fara (December 2025); trycua/cua, ``cua_agent/loops/qwen35.py`` (August 2026).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.browser.input import MouseButton
from harness.solvers.models.computer import keys
from harness.solvers.models.computer.arguments import number, numbers, text, texts
from harness.solvers.models.computer.asked import Look, Piece, press_key, type_text, wait
from harness.solvers.models.computer.dialect import Hand, Navigation
from harness.solvers.models.computer.dialects.text_computer import End, NotRead, Said, TextDialect, impossible

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)", re.DOTALL)
_FUNCTION = re.compile(r"<function=(\w+)>(.*?)(?:</function>|$)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=(\w+)>\s*(.*?)\s*(?:</parameter>|(?=<parameter=)|$)", re.DOTALL)
_PRESSES: Mapping[str, tuple[MouseButton, int]] = {
    "left_click": ("left", 1),
    "click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}


class ComputerUse(TextDialect):
    """A call in ``<tool_call>``, as JSON or as XML, with the name of the action among its arguments."""

    words = "computer_use"

    def said(self, text: str) -> Sequence[Said]:
        """The calls in order."""
        blocks = _CALL.findall(text)
        if not blocks:
            raise NotRead("There is no <tool_call> in it.")
        return [_said(block) for block in blocks]

    def pieces(self, said: Said, hand: Hand, navigation: Navigation) -> Iterator[Piece | End]:
        """See ``TextDialect.pieces``."""
        given = said.arguments
        action = str(given.get("action", said.name))
        if presses := _PRESSES.get(action):
            _go(given, hand)
            yield hand.press(*presses)
            return
        match action:
            case "mouse_move":
                _go(given, hand)
                if hovered := hand.hover():
                    yield hovered
            case "left_click_drag" | "drag":
                start = hand.point(*numbers(given, "coordinate2", 2)) if "coordinate2" in given else hand.at
                if "start_coordinate" in given:
                    start = hand.point(*numbers(given, "start_coordinate", 2))
                yield hand.drag([start, hand.point(*numbers(given, "coordinate", 2))])
            case "key" | "hotkey":
                names = texts(given, "keys") or [text(given, "text", "key")]
                yield press_key(keys.chord([part for name in names for part in keys.parted(name)]))
            case "type" | "input_text":
                if "coordinate" in given:
                    _go(given, hand)
                    yield hand.press()
                yield type_text(text(given, "text"))
                if given.get("press_enter") is True:
                    yield press_key("Enter")
            case "scroll" | "hscroll":
                if "coordinate" in given:
                    _go(given, hand)
                way = number(given, "pixels")  # up is more, as PyAutoGUI has it
                yield hand.scroll(way, 0) if action == "hscroll" else hand.scroll(0, -way)
            case "wait":
                yield wait(number(given, "time", "duration", default=2))
            case "screenshot":
                yield Look()
            case "visit_url" | "history_back" if navigation:
                goes = action == "visit_url"
                yield navigation["goto" if goes else "go_back"].bind((), {"url": text(given, "url")} if goes else {})
            case "terminate":
                yield End(text(given, "answer", "text", default=""))
            case "answer":
                yield End(text(given, "text", "answer", default=""))
            case _:
                raise impossible(Said(action, given))


def _go(given: Mapping[str, Any], hand: Hand) -> None:
    """Bring the pointer to the call's point; without one it stays."""
    if given.get("coordinate") is not None:
        hand.point(*numbers(given, "coordinate", 2))


def _said(block: str) -> Said:
    if function := _FUNCTION.search(block):
        values = {name: _value(written) for name, written in _PARAMETER.findall(function[2])}
        return Said(function[1], values)
    try:
        value = json.loads(block)
    except (ValueError, RecursionError):
        raise NotRead("What stands in <tool_call> is no JSON object.") from None
    arguments = value.get("arguments") if isinstance(value, dict) else None
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = None
    if not isinstance(arguments, dict):
        raise NotRead('What stands in <tool_call> is no object with "name" and "arguments".')
    return Said(str(value.get("name", "")), arguments)


def _value(written: str) -> Any:
    """A parameter of XML: a list, a number or a truth value as JSON has it; else the text itself."""
    if written[:1] in "[{-0123456789" or written in ("true", "false"):
        try:
            return json.loads(written)
        except (ValueError, RecursionError):
            return written
    return written

"""UI-TARS of ByteDance, and GLM-V of Zhipu: an action as a call in the text.

Sources: bytedance/UI-TARS, ``codes/ui_tars/action_parser.py`` and ``prompt.py`` (September 2025); zai-org/GLM-V,
``examples/gui-agent/glm-45v/agent.py`` (August 2025).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.browser.input import MouseButton
from harness.models.messages import Reply
from harness.solvers.models.computer import keys
from harness.solvers.models.computer.arguments import WrongArgument, number, text, texts
from harness.solvers.models.computer.asked import WHEEL, Look, Piece, press_key, type_text, wait
from harness.solvers.models.computer.dialect import Hand, Navigation
from harness.solvers.models.computer.dialects.text_computer import End, NotRead, Said, TextDialect, impossible
from harness.solvers.models.computer.dialects.written_calls import calls, point

CLICKS = 5
"""Clicks of the wheel where none are named, as both sources scroll."""
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_PRESSES: Mapping[str, tuple[MouseButton, int]] = {
    "click": ("left", 1),
    "left_single": ("left", 1),
    "left_double": ("left", 2),
    "right_single": ("right", 1),
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "left_double_click": ("left", 2),
}
_BOX_TOKENS = re.compile(r"<\|(?:begin|end)_of_box\|>|<\|box_(?:start|end)\|>")


class UiTars(TextDialect):
    """``Thought: ... Action: click(point='<point>x y</point>')``; of 1.0, ``start_box='(x,y)'``."""

    words = "ui_tars"

    def said(self, text: str) -> Sequence[Said]:
        """The calls behind the last ``Action:``, one a paragraph."""
        *_, action = re.split(r"^\s*Action:", text, flags=re.MULTILINE) if "Action:" in text else [""]
        written = _BOX_TOKENS.sub("", action).strip()
        if not written:
            raise NotRead("There is no line that begins with Action: and holds a call.")
        return [
            said
            for part in re.split(r"\)\s*\n\s*\n", written + "\n\n")
            if part.strip()
            for said in calls(_closed(part))
        ]

    def pieces(self, said: Said, hand: Hand, navigation: Navigation) -> Iterator[Piece | End]:  # noqa: ARG002
        """See ``TextDialect.pieces``."""
        return call_pieces(said, hand)


class Glm(TextDialect):
    """An action in a box: ``<|begin_of_box|>left_click(start_box='[x,y]')<|end_of_box|>``."""

    words = "glm"

    def said(self, text: str) -> Sequence[Said]:
        """The call in the last box; where a server leaves the tokens out, on the last line that is one."""
        boxed = re.findall(r"<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|$)", text, re.DOTALL)
        if boxed:
            return calls(boxed[-1])
        for line in reversed(text.strip().splitlines()):
            if re.fullmatch(r"\s*(?:Action:\s*)?\w+\(.*\)\s*", line):
                return calls(line.strip().removeprefix("Action:"))
        raise NotRead("There is no action in a box.")

    def again(self, reply: Reply) -> str:
        """With the box, whose tokens part what it thought from its answer."""
        if not reply.thought or "begin_of_box" in reply.text:
            return reply.text
        return f"{reply.thought}\n<|begin_of_box|>{reply.text}<|end_of_box|>"

    def pieces(self, said: Said, hand: Hand, navigation: Navigation) -> Iterator[Piece | End]:  # noqa: ARG002
        """See ``TextDialect.pieces``."""
        return call_pieces(said, hand)


def _closed(part: str) -> str:
    part = part.strip()
    return part if part.endswith(")") else f"{part})"


def call_pieces(said: Said, hand: Hand) -> Iterator[Piece | End]:
    """What a call of either asks for."""
    given = said.arguments
    if presses := _PRESSES.get(said.name):
        hand.point(*_place(given, "point", "start_box"))
        yield hand.press(*presses)
        return
    match said.name:
        case "hover" | "move_to":
            hand.point(*_place(given, "point", "start_box"))
            if hovered := hand.hover():
                yield hovered
        case "drag" | "select" | "left_drag":
            start = hand.point(*_place(given, "start_point", "start_box"))
            yield hand.drag([start, hand.point(*_place(given, "end_point", "end_box"))])
        case "hotkey" | "key" | "press":
            yield press_key(keys.chord(_chord(given)))
        case "type":
            yield type_text(text(given, "content", "text", "0"))
        case "scroll":
            if _first(given, "point", "start_box") is not None:
                hand.point(*_place(given, "point", "start_box"))
            way = text(given, "direction", default="down").lower()
            if way not in _WAYS:
                raise WrongArgument(f"direction: {way!r} is none of {', '.join(_WAYS)}")
            distance = number(given, "step", default=CLICKS) * WHEEL
            yield hand.scroll(_WAYS[way][0] * distance, _WAYS[way][1] * distance)
        case "wait" | "WAIT":
            yield wait(5)
        case "take_screenshot":
            yield Look()
        case "finished" | "DONE":
            yield End(text(given, "content", "0", default=""))
        case "FAIL" | "call_user":
            yield End()
        case _:
            raise impossible(said)


def _first(given: Mapping[str, Any], *names: str) -> Any:
    return next((given[name] for name in (*names, "0") if given.get(name) is not None), None)


def _place(given: Mapping[str, Any], *names: str) -> tuple[float, float]:
    return point(_first(given, *names), names[0])


def _chord(given: Mapping[str, Any]) -> list[str]:
    """The names of the keys: UI-TARS parts them by spaces, GLM by a plus."""
    if isinstance(given.get("keys"), list):
        return texts(given, "keys")
    written = text(given, "key", "keys", "0")
    return [name for part in written.split() for name in keys.parted(part)] or [written]

"""A model behind a server that does one thing in whatever way it is asked, and then ends its work."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.models.servers import Answer, Asked, answer, anthropic_reply, google_reply, openai_reply
from tests.scoring.judges.trials import said_by_a_judge

FORM = "Sentiment of reviews"
"""The bundled form that it fills in."""
SITE = "Shop - Puzzles with a coupon"
"""A bundled task on whose website it presses the link to the cart."""
_FILLED_IN = {"sentiment": ("modify_radio", "positive"), "reason": ("modify_text", "It says so.")}
_JUDGES = ("You read a task", "You look at one picture", "what kind of failure", "in capitals", "Status:")

Call = tuple[str, Mapping[str, Any]]


class ScriptedModel:
    """Fills in the form, or presses a link of the website and ends; as a judge it finds that all was done."""

    def __init__(self) -> None:
        self._presses = False

    def __call__(self, asked: Asked) -> Answer:
        """The answer to a request, in the protocol of its path."""
        request = asked.json
        text = "\n".join(_texts(request))
        if asked.path.endswith("/responses"):
            return _RESPONSE
        reply = anthropic_reply if asked.path.endswith("/messages") else openai_reply
        if "generateContent" in asked.path:
            reply = google_reply
        if "computer" in json.dumps(request.get("tools", "")) or "pyautogui" in text or "finished(" in text:
            return reply("Thought: it is done\nAction: finished(content='done')")
        if any(each in text for each in _JUDGES):
            return said_by_a_judge(asked)
        if none := re.search(r"Which of these elements.*the answer is (\w+)\.", text):
            return reply(f"Answer: {none[1]}\nAction: CLICK")
        if "Which of these" in text:
            return reply("Answer: A\nAction: CLICK")
        if request.get("tools"):
            return reply("", self._calls(text))
        if '"element_id"' in text:
            return reply(self._as_json(text))
        written = [f"{name}({', '.join(map(repr, values.values()))})" for name, values in self._calls(text)]
        if "self.actions." in text:
            return reply("\n".join(f"self.actions.{each}" for each in written))
        return reply(f"Thought: next\nAction: {written[0]}" if "Thought:" in text else "\n".join(written))

    def _calls(self, text: str) -> Sequence[Call]:
        """What it does next."""
        if fields := re.findall(r"(?:The name of the field: '|Input: )(\w+)", text):  # the last: examples come before
            action, value = _FILLED_IN.get(fields[-1], ("modify_checkbox", "on"))
            return [(action, {"name": fields[-1], "value": value})]
        if "by name:\n" in text:
            done = [(action, {"name": name, "value": value}) for name, (action, value) in _FILLED_IN.items()]
            return [*done, ("finish", {})]
        return [self._press(text)]

    def _press(self, text: str) -> Call:
        self._presses = not self._presses
        if not self._presses:
            return "finish", {"answer": "done"}
        if lettered := re.search(r"<a\[([A-Z]+)\]\| Cart", text):
            return "click", {"element_id": lettered[1]}
        numbered = re.search(r'\[(\d+)\] link "Cart', text)
        return ("click_element", {"ref": int(numbered[1])}) if numbered else ("finish", {"answer": "done"})

    def _as_json(self, text: str) -> str:
        name, values = self._press(text)
        told = {"action": "click", "element_id": str(values.get("ref", "")), "action_input": ""}
        if name == "finish":
            told = {"action": "finish", "element_id": "", "action_input": "done"}
        return json.dumps({**({"thought": "next"} if '"thought"' in text else {}), **told, "description": "go on"})


def _texts(part: Any) -> list[str]:
    if isinstance(part, Mapping):
        return [text for key, value in part.items() if key != "tools" for text in _texts(value)]
    if isinstance(part, list):
        return [text for each in part for text in _texts(each)]
    return [part] if isinstance(part, str) and not part.startswith("data:") else []


_RESPONSE = answer(
    {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "a-model-2026",
        "output": [
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "It is done.", "annotations": []}],
            }
        ],
        "usage": {
            "input_tokens": 10,
            "output_tokens": 5,
            "total_tokens": 15,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }
)
"""Of a model that uses a computer: it has nothing to do any more."""

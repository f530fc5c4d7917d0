"""A scripted model: a server on loopback that speaks the chat completions protocol and answers by rule.

What it says depends on the request alone, and not on how many came before, so that it does not matter which worker
asks first. It reads field names and options off the page where it can, and makes every mistake that a model makes:
prose without an action, unknown actions, fields and options, wrong arguments, replies that are far too long.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

ASKED = "The name of the field: "
LISTED = "by name:\n"
REFUSING = "refusing"
"""The name of a model whose every request is refused."""

Action = tuple[str, dict[str, Any]]

_MOVES: Sequence[Action] = (
    ("click", {"x": 640, "y": 300}),
    ("hover", {"x": 200, "y": 200}),
    ("scroll", {"dx": 0, "dy": 300}),
    ("press", {"key": "Tab"}),
    ("press", {"key": "Nokey"}),
    ("type", {"text": "hello"}),
    ("get_html", {}),
    ("capture_screen", {}),
    ("click", {"x": 5000, "y": 20}),
    ("double_click", {"x": 300, "y": 500}),
    ("drag", {"x1": 100, "y1": 300, "x2": 400, "y2": 310}),
    ("click_element", {"ref": 1}),
    ("click_element", {"ref": 9999}),
    ("scroll_to", {"name": "no such field"}),
    ("maximize", {}),
    ("wait_till_loaded", {}),
)
_SECOND_FORM_ROUND = 1
_LAST_FORM_ROUND = 2


class ScriptedModel:
    """The server, as long as the ``with`` lasts.

    Attributes:
        url: Its address, without a path.
    """

    def __init__(self) -> None:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, answer = reply(body)
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing: what is asked is in the runs."""


def reply(body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    """The HTTP status and the answer to a request, as JSON values of the chat completions protocol."""
    if body["model"] == REFUSING:
        return 400, {"error": {"message": "this model refuses", "type": "invalid_request_error", "code": None}}
    text, actions = _said(body)
    if body.get("tools"):
        calls = [_tool_call(number, *action) for number, action in enumerate(actions)]
    else:
        text, calls = f"{text}\n{_written(actions)}".strip(), []
    message = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    return 200, {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted-1",
        "choices": [choice],
        "usage": usage,
    }


def _said(body: Mapping[str, Any]) -> tuple[str, list[Action]]:
    """The prose and the actions of a reply."""
    texts = [(message["role"], _text(message.get("content"))) for message in body["messages"]]
    asked = next((text for role, text in reversed(texts) if role == "user" and ASKED in text), "")
    page = "\n".join(text for role, text in texts if role in ("user", "tool"))
    if asked:
        name = _literal(asked.rpartition(ASKED)[2].splitlines()[0])
        again = ASKED not in texts[-1][1]
        return _about_a_field(name, asked, again=again)
    begun = max((place for place, (_, text) in enumerate(texts) if LISTED in text), default=0)
    rounds = sum(role == "assistant" for role, _ in texts[begun:])  # Those before it are in demonstrations.
    tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
    if "observe" in tools:
        if not rounds:
            return "", [("observe", {"encoding": "full"})]
        rounds -= 1
    return _about_a_form(page, rounds)


def _about_a_field(name: str, page: str, *, again: bool) -> tuple[str, list[Action]]:
    draw = _draw(name, 11)
    fits = _fitting(name, page)
    answers: dict[int, tuple[str, list[Action]]] = {
        0: ("I believe that none of the answers fits.", []),
        1: ("", [("modify_range", {"name": name, "value": 3}), fits]),
        2: ("", [(fits[0], {**fits[1], "value": "nothing of the kind"})]),
        3: ("The answer is clear.", [fits, ("modify_text", {"name": f"{name}-x", "value": "a"})]),
        4: ("", [("fill_in", {"name": name, "value": "a"})]),
        5: ("", [(fits[0], {"name": name})]),
        6: ("Let me think. " * 2000, [fits]),
    }
    return ("", [fits]) if again or draw not in answers else answers[draw]


def _about_a_form(page: str, rounds: int) -> tuple[str, list[Action]]:
    if rounds >= _LAST_FORM_ROUND:
        return "That is all.", [("finish", {})]
    if rounds == _SECOND_FORM_ROUND:
        return "Now the rest of it.", list(_MOVES)
    names = _names(page)
    if not names:
        return "There is nothing to fill in.", [("click_element", {"ref": 2}), ("get_html", {})]
    return "", [action for name in names for action in _about_a_field(name, page, again=False)[1]]


def _names(page: str) -> list[str]:
    """The fields that a request lists, else those that its page shows; at most 40."""
    if LISTED in page:
        lines = page.rpartition(LISTED)[2].splitlines()
        return [_literal(line) for line in lines if line.startswith(("'", '"'))][:40]
    return list(dict.fromkeys(re.findall(r'<(?:input|select|textarea)[^>]*? name="([^"]+)"', page)))[:40]


def _fitting(name: str, page: str) -> Action:
    """The action for the control that the page shows under a name; a text where it shows none."""
    quoted = re.escape(name)
    tags = re.findall(rf'<(?:input|select|textarea)[^>]*? name="{quoted}"[^>]*>', page)
    first = tags[0] if tags else ""
    kind = _attribute(first, "type")
    values = [value for tag in tags if (value := _attribute(tag, "value"))]
    if first.startswith("<select"):
        listed = page[page.index(first) :].partition("</select>")[0]
        values = [value for value in re.findall(r'<option[^>]*? value="([^"]*)"', listed) if value]
        return "modify_select", {"name": name, "value": _chosen(values, name)}
    if kind == "radio":
        return "modify_radio", {"name": name, "value": _chosen(values, name)}
    if kind == "checkbox":
        return "modify_checkbox", {"name": name, "value": [_chosen(values, name)]}
    if kind == "range":
        return "modify_range", {"name": name, "value": _draw(name, 100)}
    return "modify_text", {"name": name, "value": f"A short answer, number {_draw(name, 100)}."}


def _chosen(values: Sequence[str], name: str) -> str:
    return values[_draw(name, len(values))] if values else "on"


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf' {name}="([^"]*)"', tag)
    return found[1] if found else ""


def _draw(text: str, of: int) -> int:
    """A number below ``of`` that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % of


def _literal(text: str) -> str:
    try:
        value = ast.literal_eval(text.strip())
    except (SyntaxError, ValueError):
        return text.strip()
    return str(value)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or ())


def _written(actions: Sequence[Action]) -> str:
    """Actions as a model writes them, in a fence."""
    lines = [f"{name}({', '.join(map(repr, arguments.values()))})" for name, arguments in actions]
    return "\n".join(["```python", *lines, "```"]) if lines else ""


def _tool_call(number: int, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A tool call; one in nine has arguments that are no JSON."""
    text = json.dumps(arguments)
    told = text if _draw(f"{name}{text}", 9) else text[:-1]
    return {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": told}}

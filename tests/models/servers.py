"""Providers on loopback: servers that give scripted answers in the protocols of OpenAI, Anthropic and Google.

    with Server([openai_reply("hello"), failure("openai", 429, headers={"Retry-After": "2"})]) as server:
        client = OpenAIClient(f"{server.url}/v1")
        ...
    assert server.requests[0].json["model"] == "a-model"

The script is a list of answers, one a request, or a function from the request to its answer, for a scripted model.
What is asked beyond the script is answered with status 400, which no client tries again.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Asked:
    """A request as it came: header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """An answer to give.

    Attributes:
        body: All of it.
        status: HTTP status.
        headers: Beside the type and the length.
        promised: Bytes that the length promises beyond the body, before the connection is closed: a truncated answer.
        stalls: Nothing is sent until the server closes: the client's time-out has to end the call.
        trickles: After the headers a space is sent every few milliseconds, and never the body.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    promised: int = 0
    stalls: bool = False
    trickles: bool = False


STALL = Answer(b"", stalls=True)
TRICKLE = Answer(b"", trickles=True)

Script = Iterable[Answer] | Callable[[Asked], Answer]


class Server:
    """A provider on a free port of loopback, as long as the ``with`` lasts.

    Attributes:
        url: Its address, without a path.
        requests: What was asked, in order.
        connections: How many connections were made.
        ended: Set as soon as one of them has ended.
    """

    def __init__(self, script: Script, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Asked] = []
        self.connections = 0
        self.ended = threading.Event()
        self.answer_by(script)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._sockets: list[socket.socket] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                owner.connections += 1
                owner._sockets.append(self.connection)

            def do_POST(self) -> None:
                owner._answer(self)

            def finish(self) -> None:
                super().finish()
                owner.ended.set()

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = False
        self._scheme = "https" if tls else "http"
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def answer_by(self, script: Script) -> None:
        """Go on with another script."""
        self._script = script if callable(script) else _in_order(script)

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        for connection in self._sockets:  # Threads that wait for a next request end.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        asked = Asked(handler.path, {name.lower(): value for name, value in handler.headers.items()}, body)
        with self._lock:
            self.requests.append(asked)
            answer = self._script(asked)
        with suppress(ConnectionError):
            self._send(handler, answer)

    def _send(self, handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        if answer.stalls:
            self._closing.wait()
            handler.close_connection = True
            return
        handler.send_response(answer.status)
        headers = {"Content-Type": "application/json", **answer.headers}
        endless = 1_000_000 if answer.trickles else 0
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(answer.body) + answer.promised + endless))
        handler.end_headers()
        handler.wfile.write(answer.body)
        while answer.trickles and not self._closing.wait(0.005):
            handler.wfile.write(b" ")
        if answer.promised or answer.trickles:
            handler.close_connection = True


def _in_order(script: Iterable[Answer]) -> Callable[[Asked], Answer]:
    left = iter(script)
    return lambda _: next(left, Answer(b'{"error": {"message": "the script is at its end"}}', 400))


def answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Any JSON."""
    return Answer(json.dumps(data).encode(), status, headers or {})


def truncated(whole: Answer, bytes_sent: int = 20) -> Answer:
    """The first bytes of an answer, and then an end of the connection."""
    return replace(whole, body=whole.body[:bytes_sent], promised=len(whole.body) - bytes_sent)


ToolCalls = Sequence[tuple[str, Mapping[str, Any] | str]]
"""Names and arguments; arguments as text go out as they are where the protocol has them as text."""


def openai_reply(
    text: str = "",
    tool_calls: ToolCalls = (),
    *,
    usage: tuple[int, int, int] = (10, 5, 0),
    finish: str = "",
    model: str = "a-model-2026",
) -> Answer:
    """As OpenAI answers; ``usage`` is input tokens, output tokens, and how many of the input were cached."""
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": _text(arguments)}}
        for number, (name, arguments) in enumerate(tool_calls)
    ]
    message = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    return answer(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [
                {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if calls else "stop")}
            ],
            "usage": {
                "prompt_tokens": usage[0],
                "completion_tokens": usage[1],
                "total_tokens": usage[0] + usage[1],
                "prompt_tokens_details": {"cached_tokens": usage[2]},
            },
        }
    )


def anthropic_reply(
    text: str = "",
    tool_calls: ToolCalls = (),
    *,
    usage: tuple[int, int, int] = (10, 5, 0),
    finish: str = "",
    model: str = "a-model-2026",
) -> Answer:
    """As Anthropic answers; ``usage`` as in ``openai_reply``, and told in Anthropic's way."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    for number, (name, arguments) in enumerate(tool_calls):
        content.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments})
    return answer(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": content,
            "stop_reason": finish or ("tool_use" if tool_calls else "end_turn"),
            "stop_sequence": None,
            "usage": {
                "input_tokens": usage[0] - usage[2],
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": usage[2],
                "output_tokens": usage[1],
            },
        }
    )


def google_reply(
    text: str = "",
    tool_calls: ToolCalls = (),
    *,
    usage: tuple[int, int, int] = (10, 5, 0),
    finish: str = "STOP",
    model: str = "a-model-2026",
) -> Answer:
    """As Google answers; ``usage`` as in ``openai_reply``."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    parts += [{"functionCall": {"name": name, "args": arguments}} for name, arguments in tool_calls]
    return answer(
        {
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}],
            "usageMetadata": {
                "promptTokenCount": usage[0],
                "candidatesTokenCount": usage[1],
                "totalTokenCount": usage[0] + usage[1],
                "cachedContentTokenCount": usage[2],
            },
            "modelVersion": model,
        }
    )


def failure(
    protocol: str,
    status: int,
    message: str = "no",
    *,
    code: str = "",
    parameter: str | None = None,
    details: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """An error in a provider's words.

    Args:
        protocol: ``openai``, ``anthropic`` or ``google``.
        status: HTTP status.
        message: The explanation.
        code: The provider's word for the kind of error.
        parameter: What the error is about (OpenAI).
        details: Google's details, such as ``RetryInfo``.
        headers: Of the answer.
    """
    errors: dict[str, dict[str, Any]] = {
        "openai": {"error": {"message": message, "type": "an_error", "param": parameter, "code": code or None}},
        "anthropic": {"type": "error", "error": {"type": code or "api_error", "message": message}},
        "google": {"error": {"code": status, "message": message, "status": code or "UNKNOWN", "details": [*details]}},
    }
    return answer(errors[protocol], status, headers)


def _text(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)

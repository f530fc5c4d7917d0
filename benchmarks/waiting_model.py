"""A scripted model that takes its time: a server in OpenAI's protocol which knows how many of its callers wait."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass
class Waits:
    """When a model was waited for.

    Attributes:
        asked: When each episode asked for the first time.
        spans: Begin and end of each wait.
    """

    asked: list[float] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)

    def steady(self, in_flight: int) -> tuple[float, float]:
        """When all places were taken: from the first call of as many episodes to that of the last episode of all.

        Args:
            in_flight: Places.

        Raises:
            AssertionError: there were no more episodes than places.
        """
        begun = sorted(self.asked)
        assert len(begun) > in_flight, f"{len(begun)} episodes have called the model, and there are {in_flight} places"
        return begun[in_flight - 1], begun[-1]

    def share(self, in_flight: int) -> float:
        """The share of the time of all places that the model was waited for, while all were taken.

        Were page and harness done at once, it would be all of it.
        """
        first, last = self.steady(in_flight)
        waited = sum(max(0.0, min(end, last) - max(begin, first)) for begin, end in self.spans)
        return waited / (last - first) / in_flight

    def turns(self, first: float, last: float) -> int:
        """Replies between two moments."""
        return sum(first < end <= last for _, end in self.spans)


class WaitingModel:
    """A context: a server on a free port of loopback. Times are those of ``time.time``.

    Attributes:
        waits: When it was waited for.
    """

    def __init__(self, replies: Sequence[str], seconds: float) -> None:
        """Prepare it.

        Args:
            replies: Of each conversation, one after another.
            seconds: How long each of them takes.
        """
        self.waits = Waits()
        self._replies, self._seconds = replies, seconds
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                """Answer."""
                model._answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.socket.listen(socket.SOMAXCONN)
        self._http.daemon_threads = True  # a call of a run that is over may still be on its way
        self._thread = threading.Thread(target=self._http.serve_forever)

    @property
    def url(self) -> str:
        """What ``--base-url`` takes."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        begin = time.time()
        asked = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        said = sum(message["role"] == "assistant" for message in asked["messages"])
        if not said:
            with self._lock:
                self.waits.asked.append(begin)
        time.sleep(self._seconds)  # which is what is measured: a model that takes so long
        body = json.dumps(_reply(self._replies[min(said, len(self._replies) - 1)])).encode()
        with self._lock:
            self.waits.spans.append((begin, time.time()))
        with suppress(ConnectionError):
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def _reply(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020},
    }

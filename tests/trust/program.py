"""A program from outside, at the gate of a browser."""

from __future__ import annotations

import http.client
import itertools
import json
import time
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import connect


class Program:
    """A connection over DevTools.

    Attributes:
        socket: Takes and gives what is no command, too.
        events: What was told meanwhile.
    """

    def __init__(self, address: str) -> None:
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(connect(address, max_size=None, proxy=None))
        self._numbers = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, *, session: str = "", **params: Any) -> dict[str, Any]:
        """The whole answer to a command."""
        number = next(self._numbers)
        place = {"sessionId": session} if session else {}
        self.socket.send(json.dumps({"id": number, "method": method, "params": params, **place}))
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(20))
            if message.get("id") == number:
                return message
            self.events.append(message)

    def result(self, method: str, *, session: str = "", **params: Any) -> dict[str, Any]:
        answer = self.ask(method, session=session, **params)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def refusal(self, method: str, *, session: str = "", **params: Any) -> str:
        answer = self.ask(method, session=session, **params)
        assert "error" in answer, (method, answer)
        return str(answer["error"]["message"])

    def value(self, expression: str) -> Any:
        return self.result("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def close(self) -> None:
        self._stack.close()


def get(address: str, host: str = "") -> tuple[int, bytes]:
    """Status and body of a plain request."""
    place, _, path = address.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(place, timeout=20)
    connection.request("GET", f"/{path}", headers={"Host": host or place})
    answer = connection.getresponse()
    return answer.status, answer.read()


def wait_for(program: Program, condition: str) -> None:
    deadline = time.monotonic() + 20
    while program.ask("Runtime.evaluate", expression=condition)["result"].get("result", {}).get("value") is not True:
        assert time.monotonic() < deadline

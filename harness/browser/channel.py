"""A DevTools connection to one page: commands pipelined over a WebSocket, events handed to listeners.

The connection belongs to the browser that the WebDriver session started. It exists beside the driver because
input pipelined here costs a tenth of what the driver's HTTP interface costs a field.
Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import websocket

Params = dict[str, Any]
Listener = Callable[[Params], None]


class BrowserGone(Exception):
    """The browser, or the page's process, died or stopped answering; the episode cannot go on."""


class CommandFailed(Exception):
    """The browser answered a command with an error."""


class Channel:
    """A DevTools session with one page.

    Attributes:
        address: The page's ``webSocketDebuggerUrl``.
        messages: Commands whose answers were awaited since the connection was made.
        waits: Times that the caller stood still for an answer or an event (round trips); a pipelined batch is one.
    """

    def __init__(self, address: str, *, timeout: float = 30.0) -> None:
        """Connect to a page's ``webSocketDebuggerUrl``; every wait gives up after ``timeout`` seconds."""
        self.address = address
        self.timeout = timeout
        self.messages = 0
        self.waits = 0
        self._next_id = 0
        self._owner: int | None = None
        self._replies: dict[int, Params] = {}
        self._unwanted: set[int] = set()
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        try:
            self._socket = websocket.create_connection(
                address,
                timeout=timeout,
                suppress_origin=True,
                skip_utf8_validation=True,
                sockopt=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
                http_no_proxy=["127.0.0.1", "localhost"],
            )
        except (OSError, websocket.WebSocketException) as error:
            raise BrowserGone(f"no DevTools connection to {address}: {error}") from error

    def take(self) -> None:
        """From now on the calling thread alone may send; another that had the channel is told that it is gone."""
        self._owner = threading.get_ident()

    def on(self, event: str, listener: Listener) -> None:
        """Call ``listener`` with the parameters of every ``event`` from now on."""
        self._listeners[event].append(listener)

    def send(self, method: str, **params: object) -> int:
        """Send a command without waiting; returns its number for ``result``."""
        if self._owner not in (None, threading.get_ident()):
            raise BrowserGone("the episode is over; the browser is not this thread's any more")
        self._next_id += 1
        try:
            self._socket.settimeout(self.timeout)  # the wait before may have left it a fraction of that
            self._socket.send(json.dumps({"id": self._next_id, "method": method, "params": params}))
        except (OSError, websocket.WebSocketException) as error:
            raise BrowserGone(f"the browser is gone ({method}): {error}") from error
        return self._next_id

    def post(self, method: str, **params: object) -> None:
        """Send a command whose answer nobody waits for."""
        self._unwanted.add(self.send(method, **params))

    def call(self, method: str, **params: object) -> Params:
        """Send a command and wait for its result.

        Raises:
            CommandFailed: the browser refused the command.
            BrowserGone: no answer within the time-out.
        """
        return self.results([self.send(method, **params)])[0]

    def results(self, numbers: Sequence[int]) -> list[Params]:
        """Wait for the results of commands sent before, in one stand-still; raises as ``call`` does."""
        self.messages += len(numbers)
        self.wait_until(lambda: all(number in self._replies for number in numbers))
        replies = [self._replies.pop(number) for number in numbers]
        for reply in replies:
            if "error" in reply:
                raise CommandFailed(str(reply["error"].get("message", reply["error"])))
        return [reply.get("result", {}) for reply in replies]

    def answers(self, seconds: float) -> bool:
        """Whether the page answers within so many seconds: it does not while one of its scripts goes on.

        Raises:
            BrowserGone: the connection has ended.
        """
        number = self.send("Runtime.evaluate", expression="0")
        try:
            self.wait_until(lambda: number in self._replies, seconds)
        except BrowserGone as error:
            if not isinstance(error.__cause__, TimeoutError):
                raise
            self._unwanted.add(number)
            return False
        del self._replies[number]
        return True

    def wait_until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Read messages until ``condition`` holds.

        Raises:
            BrowserGone: it does not hold after ``timeout`` seconds (default: the channel's own).
        """
        if condition():
            return
        self.waits += 1
        seconds = self.timeout if timeout is None else timeout
        deadline = time.monotonic() + seconds
        while not condition():
            try:
                self._read(deadline)
            except TimeoutError as error:
                raise BrowserGone(
                    f"the browser did not answer within {seconds:g} s: "
                    "a script of the page does not end, or the browser hangs"
                ) from error

    def _read(self, deadline: float) -> None:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        try:
            self._socket.settimeout(remaining)
            text = self._socket.recv()
        except websocket.WebSocketTimeoutException as error:
            raise TimeoutError from error
        except (OSError, websocket.WebSocketException) as error:
            raise BrowserGone(f"the browser is gone: {error}") from error
        if not text:
            raise BrowserGone("the browser closed the DevTools connection")
        message = json.loads(text)
        if "id" in message:
            if message["id"] in self._unwanted:
                self._unwanted.discard(message["id"])
            else:
                self._replies[message["id"]] = message
            return
        for listener in self._listeners.get(message.get("method", ""), ()):
            listener(message.get("params", {}))

    def close(self) -> None:
        """Close the connection; the browser goes on. Never raises."""
        with contextlib.suppress(OSError, websocket.WebSocketException):
            # No closing handshake: it would wait for a browser that hangs.
            self._socket.shutdown()  # type: ignore[no-untyped-call]

"""The pipe to a browser that speaks DevTools: messages of many sessions, told apart and handed on.

Chromium with ``--remote-debugging-pipe`` listens at no port: whoever holds the two ends of the pipe speaks to it, and
nobody else. A message is JSON with a NUL byte behind it. Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import math
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

Message = dict[str, Any]

_PIECE = 1 << 20
_ROOM = 1 << 20
"""Bytes that a pipe is asked to hold: a picture then goes through in few pieces."""


class BrowserGone(Exception):
    """The browser, or the page's process, died or stopped answering; the episode cannot go on."""


class Receiver(Protocol):
    """Who takes messages of the browser."""

    def take_reply(self, message: Message) -> None:
        """The answer to a message of this receiver."""

    def take_event(self, message: Message) -> None:
        """What a session of this receiver tells by itself."""


@dataclass(frozen=True)
class PipeEnds:
    """Our ends of a browser's pipe.

    Attributes:
        answers: The descriptor that is read.
        commands: The descriptor that is written.
    """

    answers: int
    commands: int

    def copy(self) -> PipeEnds:
        """Both once more; the pipe stays open until all are closed."""
        return PipeEnds(os.dup(self.answers), os.dup(self.commands))

    def close(self) -> None:
        """Give both back; never raises."""
        for descriptor in (self.answers, self.commands):
            with contextlib.suppress(OSError):
                os.close(descriptor)


class Wire:
    """The connection to one browser.

    Whoever waits reads, and hands on what comes meanwhile to whom it is for. While somebody attends the wire
    (``attend``), that thread alone reads, and others wait until it has handed on what they wait for.

    Attributes:
        ends: Our ends of the pipe.
    """

    def __init__(self, ends: PipeEnds) -> None:
        """Of a browser that has the other ends.

        Another process may have used the pipe before, and have been killed over it: what it left half written is
        ended, what it left half read is skipped.
        """
        self.ends = ends
        for end in (ends.answers, ends.commands):
            os.set_blocking(end, False)
            if hasattr(fcntl, "F_SETPIPE_SZ"):
                with contextlib.suppress(OSError):  # the user's share of room for pipes may be used up
                    fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _ROOM)
        # Answers to whoever used the pipe before have other numbers.
        self._numbers = itertools.count(1 + (time.monotonic_ns() >> 20) % 1000 * 1_000_000)
        self._asked: dict[int, Receiver] = {}
        self._sessions: dict[str, Receiver] = {}
        self._readable = select.poll()
        self._readable.register(ends.answers, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(ends.commands, select.POLLOUT)
        self._writing = threading.Lock()
        self._partial = bytearray()
        self._messages: deque[bytes] = deque()
        self._arrived = threading.Condition()
        self._attendant: int | None = None
        self._failure = ""

    def receive(self, session: str, receiver: Receiver) -> None:
        """Hand on the events of a session, the browser's own if it has no name, to ``receiver``."""
        self._sessions[session] = receiver

    def forget(self, session: str) -> None:
        """Hand on nothing more of a session."""
        self._sessions.pop(session, None)

    def send(self, receiver: Receiver, message: Message, timeout: float) -> int:
        """Send a message; its answer goes to ``receiver``.

        Args:
            receiver: Who asks.
            message: ``method``, ``params`` and, unless it is for the browser itself, ``sessionId``.
            timeout: Seconds that the browser may take to take it.

        Returns:
            The message's number; its answer has it as ``id``.

        Raises:
            BrowserGone: the browser is gone, or takes nothing.
        """
        number = next(self._numbers)
        self._asked[number] = receiver
        self._write(json.dumps({"id": number, **message}).encode() + b"\0", timeout)
        return number

    def _write(self, data: bytes, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        rest = memoryview(data)
        with self._writing:
            try:
                while rest:
                    try:
                        rest = rest[os.write(self.ends.commands, rest) :]
                    except BlockingIOError:
                        if not self._writable.poll(_milliseconds(deadline)):
                            raise BrowserGone("the browser takes no commands: it hangs") from None
            except OSError as error:
                raise BrowserGone(f"the browser is gone: {error}") from error

    # ---- reading --------------------------------------------------------------------------------------------

    def wait_until(self, condition: Callable[[], bool], deadline: float) -> None:
        """Hand on messages until ``condition`` holds.

        Args:
            condition: Looked at after each message.
            deadline: By ``time.monotonic``.

        Raises:
            TimeoutError: it does not hold in time.
            BrowserGone: the browser has closed the connection.
        """
        while not condition():
            if self._failure and not self._messages:
                raise BrowserGone(self._failure)
            if self._attendant in (None, threading.get_ident()):
                self._read(deadline)
            else:
                self._be_told(condition, deadline)

    def _read(self, deadline: float) -> None:
        if self._messages:
            self._hand_on(self._messages.popleft())
        elif self._readable.poll(_milliseconds(deadline)):
            self._fill()
        else:
            raise TimeoutError

    def _be_told(self, condition: Callable[[], bool], deadline: float) -> None:
        """Wait for the thread that attends the wire."""
        with self._arrived:
            if not self._arrived.wait_for(
                lambda: condition() or self._failure or self._attendant is None, deadline - time.monotonic()
            ):
                raise TimeoutError

    def attend(self) -> int:
        """Be the one thread that reads, and call ``hand_on_all`` whenever the descriptor that is returned has data."""
        self._attendant = threading.get_ident()
        return self.ends.answers

    def leave(self) -> None:
        """Read no longer; whoever waits does."""
        with self._arrived:
            self._attendant = None
            self._arrived.notify_all()

    def hand_on_all(self) -> bool:
        """Hand on all that is there, without waiting. False once the browser has closed the connection."""
        self._fill()
        with self._arrived:
            while self._messages:
                self._hand_on(self._messages.popleft())
            self._arrived.notify_all()
        return not self._failure

    def _fill(self) -> None:
        try:
            data = os.read(self.ends.answers, _PIECE)
        except BlockingIOError:
            return
        except OSError as error:
            self._failure = f"the browser is gone: {error}"
            return
        if not data:
            self._failure = "the browser closed the DevTools connection"
            return
        first, *others = data.split(b"\0")
        self._partial += first
        for other in others:
            self._messages.append(bytes(self._partial))
            self._partial = bytearray(other)

    def _hand_on(self, text: bytes) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            return  # the rest of a message that another process began to read
        if "id" in message:
            receiver = self._asked.pop(message["id"], None)
            if receiver:
                receiver.take_reply(message)
        elif receiver := self._sessions.get(message.get("sessionId", "")):
            receiver.take_event(message)

    def close(self) -> None:
        """Give the pipe back, upon which the browser ends; never raises."""
        self._failure = self._failure or "the connection was closed"
        self.ends.close()


def _milliseconds(deadline: float) -> int:
    return max(0, math.ceil((deadline - time.monotonic()) * 1000))

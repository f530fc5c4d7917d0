"""A line to the process that keeps a run's labels and files: questions are answered on it one by one."""

from __future__ import annotations

import socket
import struct
import threading
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from typing import Any

from harness.run.forked import ChildAnswer
from harness.runlog.fatal import FatalError

SECONDS = 30.0
"""How long the other end of a line between machines may take for a message that has begun."""
CONNECT_SECONDS = 10.0


class KeeperGone(FatalError):
    """The process that keeps the labels has ended, and without it no episode can be scored."""


class LineCut(FatalError):
    """A worker on another machine does not reach the run any more."""


class Line:
    """A pipe to the keeper, of a process of the same machine."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def ask(self, what: str, *arguments: object) -> Any:
        """Ask, and wait for the answer.

        Raises:
            KeeperGone: its process has ended.
            Exception: what it meets.
        """
        try:
            return _answered(self._pipe, what, arguments)
        except (EOFError, OSError) as error:
            raise KeeperGone("the process that keeps the labels has ended") from error

    def close(self) -> None:
        """Hang up."""
        self._pipe.close()


@dataclass(frozen=True)
class LineAddress:
    """Where a run answers workers on other machines.

    Attributes:
        host: Its machine.
        port: TCP.
        key: The secret that both ends prove to know (``multiprocessing.connection``: HMAC on a challenge).
    """

    host: str
    port: int
    key: bytes = field(repr=False)


class NetworkLine:
    """A line to a run on another machine, connected at the first question; threads take turns.

    A question that is broken off, as by a time limit of its thread, breaks the line, too: the next begins a new one.
    """

    def __init__(self, address: LineAddress) -> None:
        """Know where to."""
        self._address = address
        self._guard = threading.Lock()
        self._pipe: Connection | None = None

    def ask(self, what: str, *arguments: object) -> Any:
        """See ``Line.ask``.

        Raises:
            LineCut: the run is not reached (any more).
        """
        with self._guard:
            before, self._pipe = self._pipe, None
            try:
                pipe = before or _connected(self._address)
                answer = _exchange(pipe, what, arguments)
                self._pipe = pipe
            except (AuthenticationError, EOFError, OSError) as error:
                at = f"{self._address.host}:{self._address.port}"
                raise LineCut(f"the run at {at} cannot be reached: {error or 'the line was cut'}") from error
        return _opened(answer)


def patient(connection: socket.socket) -> None:
    """Let no machine that is cut off in the midst of a message keep the other end waiting.

    Args:
        connection: A TCP connection.
    """
    limit = struct.pack("ll", int(SECONDS), 0)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _connected(address: LineAddress) -> Connection:
    connection = socket.create_connection((address.host, address.port), CONNECT_SECONDS)
    connection.settimeout(None)
    # An answer may take as long as the run is busy: only what is being sent is waited for with patience.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pipe = Connection(connection.detach())
    answer_challenge(pipe, address.key)
    deliver_challenge(pipe, address.key)
    return pipe


def _answered(pipe: Connection, what: str, arguments: tuple[object, ...]) -> Any:
    return _opened(_exchange(pipe, what, arguments))


def _exchange(pipe: Connection, what: str, arguments: tuple[object, ...]) -> ChildAnswer:
    pipe.send((what, arguments))
    answer: ChildAnswer = pipe.recv()
    return answer


def _opened(answer: ChildAnswer) -> Any:
    if answer.error:
        raise answer.error
    return answer.value

"""Questions that one process of a machine asks another over a pipe: a name, what it needs, and the answer."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from harness.records.fatal import FatalError
from harness.run.forked import PROCESSES, ChildAnswer, portable

Ask = Callable[..., Any]
"""Asks: the name of the question, and what that needs; see ``RpcClient.ask``."""


class LabelProcessGone(FatalError):
    """The process that keeps the labels has ended, and without it no episode can be scored."""


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        name: Of the question.
        arguments: What it needs.
        more: What it needs by name.
    """

    name: str
    arguments: tuple[Any, ...] = ()
    more: Mapping[str, Any] | None = None

    def answered(self, answer: Callable[..., Any]) -> ChildAnswer:
        """What ``answer`` gives to it, or the error that it raises, as another process can have it."""
        try:
            return ChildAnswer(answer(self.name, *self.arguments, **(self.more or {})))
        except Exception as error:  # noqa: BLE001 - it is raised where it was asked
            return ChildAnswer(error=portable(error))


@dataclass(frozen=True)
class RpcSocket:
    """Where processes connect that were forked from one, in which the socket was open.

    Attributes:
        descriptor: Of a Unix datagram socket; who answers has the other end.
    """

    descriptor: int

    def connect(self) -> Connection:
        """A pipe of the asker's own.

        Raises:
            OSError: nobody has the other end any more.
        """
        ours, theirs = PROCESSES.Pipe()
        with theirs, socket.socket(fileno=os.dup(self.descriptor)) as there:
            socket.send_fds(there, [b"."], [theirs.fileno()])
        return ours


def accepted(there: socket.socket) -> list[Connection]:
    """The pipe of who has connected, at the other end of an ``RpcSocket``."""
    return [Connection(descriptor) for descriptor in socket.recv_fds(there, 1, 1)[1]]


class RpcClient:
    """Asks, and connects at the first question; threads take turns.

    A question that is broken off, as by a time limit of its thread, gives up its pipe: the next connects anew.
    """

    def __init__(self, connect: Callable[[], Connection]) -> None:
        """Know how to connect."""
        self._connect = connect
        self._guard = threading.Lock()
        self._pipe: Connection | None = None

    def ask(self, name: str, *arguments: object, **more: object) -> Any:
        """Ask, and wait for the answer.

        Raises:
            LabelProcessGone: who answers has ended.
            Exception: what it meets.
        """
        with self._guard:
            before, self._pipe = self._pipe, None
            try:
                pipe = before or self._connect()
                pipe.send(Question(name, arguments, more))
                answer: ChildAnswer = pipe.recv()
            except (EOFError, OSError) as error:
                raise LabelProcessGone("the process that keeps the labels has ended") from error
            self._pipe = pipe
        if answer.error:
            raise answer.error
        return answer.value

    def close(self) -> None:
        """Give up its pipe."""
        if self._pipe:
            self._pipe.close()
            self._pipe = None


class Remote:
    """An object of another process: to call a method is to ask ``PART.METHOD``."""

    def __init__(self, ask: Ask, part: str, *first: object) -> None:
        """Know whom to ask.

        Args:
            ask: Asks.
            part: The name of the object there.
            first: Arguments that stand before those of each call.
        """
        self._ask = ask
        self._part = part
        self._first = first

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):  # which copying and pickling look for
            raise AttributeError(name)
        return partial(self._ask, f"{self._part}.{name}", *self._first)

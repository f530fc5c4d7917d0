"""A DevTools session with one page, or with the browser itself: commands pipelined, events handed to listeners."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.browser.wire import BrowserGone, Message, Wire

Params = dict[str, Any]
Listener = Callable[[Params], None]


class CommandFailed(Exception):
    """The browser answered a command with an error."""


@dataclass
class Refusal:
    """What a program asked for and did not get.

    Attributes:
        method: Of DevTools.
        reason: Why not.
        times: How often it asked.
    """

    method: str
    reason: str
    times: int = 1


class Once:
    """Takes one reply; see ``harness.browser.wire.Receiver``."""

    def __init__(self, then: Callable[[Message], None]) -> None:
        self.take_reply = then

    def take_event(self, message: Message) -> None:
        """There are none for it."""


class Channel:
    """A DevTools session.

    Attributes:
        messages: Commands whose answers were awaited since the session began.
        waits: Times that the caller stood still for an answer or an event (round trips); a pipelined batch is one.
        failure: Why the other side answers no more, though the browser may; None while it does.
    """

    def __init__(self, wire: Wire, session: str = "", *, timeout: float = 30.0) -> None:
        """Of a session that has begun; without a name the browser's own. Every wait gives up after ``timeout`` s."""
        self.timeout = timeout
        self.messages = 0
        self.waits = 0
        self.failure: BrowserGone | None = None
        self._wire = wire
        self._owner: int | None = None
        self._replies: dict[int, Message] = {}
        self._unwanted: set[int] = set()
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        self._session = session
        self._address = {"sessionId": session} if session else {}
        wire.receive(session, self)

    def page(self, target: str) -> Channel:
        """A session with a page, begun over this one, which is the browser's own.

        Raises:
            CommandFailed: there is no such page.
            BrowserGone: no answer.
        """
        return Channel(self._wire, self._attach(target), timeout=self.timeout)

    def beside(self, session: str) -> Channel:
        """A session that has begun by itself over the same connection; who may send in this one may in that."""
        other = Channel(self._wire, session, timeout=self.timeout)
        other._owner = self._owner
        return other

    def _attach(self, target: str) -> str:
        session: str = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return session

    def move(self, root: Channel, target: str) -> None:
        """Go on with another page, with all listeners and counts.

        Args:
            root: The session with the browser itself.
            target: The page.
        """
        self._wire.forget(self._session)
        self._session = root._attach(target)
        self._address = {"sessionId": self._session}
        self._wire.receive(self._session, self)

    def end(self, why: BrowserGone) -> None:
        """Hear nothing more, since the other side is gone; whoever waits, or asks from now on, is told why."""
        self.failure = why
        self._wire.forget(self._session)

    def take(self) -> None:
        """From now on the calling thread alone may send; another that had the channel is told that it is gone."""
        self._owner = threading.get_ident()

    def on(self, event: str, listener: Listener) -> None:
        """Call ``listener`` with the parameters of every ``event`` from now on; it may raise ``BrowserGone``."""
        self._listeners[event].append(listener)

    def off(self, event: str, listener: Listener) -> None:
        """Call it no longer."""
        self._listeners[event].remove(listener)

    def send(self, method: str, **params: object) -> int:
        """Send a command without waiting; returns its number for ``result``."""
        if self._owner not in (None, threading.get_ident()):
            raise BrowserGone("the episode is over; the browser is not this thread's any more")
        return self._wire.send(self, {"method": method, "params": params, **self._address}, self.timeout)

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
        self.wait_until(lambda: self.are_answered(numbers))
        replies = [self._replies.pop(number) for number in numbers]
        for reply in replies:
            if "error" in reply:
                raise CommandFailed(str(reply["error"].get("message", reply["error"])))
        return [reply.get("result", {}) for reply in replies]

    def are_answered(self, numbers: Sequence[int]) -> bool:
        """Whether the answers to commands sent before are all there."""
        return all(number in self._replies for number in numbers)

    def ask(self, then: Callable[[Message], None], method: str, **params: object) -> None:
        """Send a command; ``then`` is called with its answer by whoever reads, and never if none comes."""
        if self._owner in (None, threading.get_ident()):
            self._wire.send(Once(then), {"method": method, "params": params, **self._address}, self.timeout)

    def drop(self, numbers: Sequence[int]) -> None:
        """Wait no longer for the answers to commands sent before, which are thrown away if they come."""
        self._unwanted.update(number for number in numbers if self._replies.pop(number, None) is None)

    def collect(self, numbers: Sequence[int], seconds: float) -> list[Message]:
        """The answers to commands sent before, errors among them; they are not counted.

        Args:
            numbers: Of the commands.
            seconds: How long to wait for them.

        Raises:
            BrowserGone: they do not come in time, or the connection has ended.
        """
        deadline = time.monotonic() + seconds
        try:
            self._wire.wait_until(lambda: self.failure is not None or self.are_answered(numbers), deadline)
        except TimeoutError as error:
            raise BrowserGone(f"the browser did not answer within {seconds:g} s") from error
        finally:
            missing = [number for number in numbers if number not in self._replies]
            self._unwanted.update(missing)
            found = [self._replies.pop(number) for number in numbers if number not in missing]
        if missing:
            raise self.failure or BrowserGone("the browser did not answer")
        return found

    def answers(self, seconds: float) -> bool:
        """Whether the page answers within so many seconds: it does not while one of its scripts goes on.

        Raises:
            BrowserGone: the connection has ended.
        """
        number = self.send("Runtime.evaluate", expression="0")
        if not self.comes_true(lambda: number in self._replies, seconds):
            self._unwanted.add(number)
            return False
        del self._replies[number]
        return True

    def comes_true(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Whether ``condition`` holds within so many seconds.

        Raises:
            BrowserGone: the connection has ended.
        """
        try:
            self.wait_until(condition, seconds)
        except BrowserGone as error:
            if not isinstance(error.__cause__, TimeoutError):
                raise
            return False
        return True

    def wait_until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Take messages until ``condition`` holds.

        Raises:
            BrowserGone: it does not hold after ``timeout`` seconds (default: the channel's own).
        """
        if condition():
            return
        self.waits += 1
        seconds = self.timeout if timeout is None else timeout
        try:
            self._wire.wait_until(lambda: self.failure is not None or condition(), time.monotonic() + seconds)
        except TimeoutError as error:
            raise BrowserGone(
                f"the browser did not answer within {seconds:g} s: "
                "a script of the page does not end, or the browser hangs"
            ) from error
        if self.failure and not condition():
            raise self.failure

    def take_reply(self, message: Message) -> None:
        """See ``harness.browser.wire.Receiver``."""
        number = message["id"]
        if number in self._unwanted:
            self._unwanted.discard(number)
        else:
            self._replies[number] = message

    def take_event(self, message: Message) -> None:
        """See ``harness.browser.wire.Receiver``."""
        try:
            for listener in tuple(self._listeners.get(message["method"], ())):
                listener(message.get("params", {}))
        except BrowserGone as error:
            # Whoever reads may be somebody else: it is told to whoever waits for this session.
            self.failure = error

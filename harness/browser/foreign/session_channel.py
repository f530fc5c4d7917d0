"""A DevTools session that Playwright has begun, as what looks at pages and acts on them takes one."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.browser.channel import CommandFailed, Listener, Params
from harness.browser.wire import BrowserGone

_PAUSE_MS = 5


@dataclass(frozen=True)
class WaitedPage:
    """A page of Playwright's, and how what its functions give is waited for.

    Attributes:
        page: The page.
        finish: Takes what a function gives, and gives what comes of it: of an async page a function gives a coroutine.
    """

    page: Any
    finish: Callable[[Any], Any] = lambda given: given


class SessionChannel:
    """See ``harness.browser.channel.Channel``; each command is waited for when it is sent.

    Attributes:
        timeout: Seconds for what is waited for.
    """

    def __init__(self, waited: WaitedPage, timeout: float = 30.0) -> None:
        """Begin a session.

        Args:
            waited: The page, of a Chromium.
            timeout: Seconds for what is waited for.

        Raises:
            CommandFailed: it is no page of a Chromium, or is closed.
        """
        self.timeout = timeout
        self._page = waited.page
        self._finish = waited.finish
        self._numbers = itertools.count(1)
        self._replies: dict[int, Params | CommandFailed] = {}
        self._session = self._done(lambda: self._page.context.new_cdp_session(self._page))

    def _done(self, ask: Callable[[], Any]) -> Any:
        try:
            return self._finish(ask())
        except Exception as error:
            # Playwright's errors have a class that only an installed Playwright can name.
            if type(error).__module__.startswith("playwright."):
                raise CommandFailed(str(error).partition("\n")[0]) from error
            raise

    def on(self, event: str, listener: Listener) -> None:
        """Call ``listener`` with the parameters of every ``event`` from now on; it must not send anything."""
        self._session.on(event, listener)

    def send(self, method: str, **params: object) -> int:
        """Send a command and wait; returns its number for ``results``."""
        number = next(self._numbers)
        try:
            self._replies[number] = self._done(lambda: self._session.send(method, params))
        except CommandFailed as error:
            self._replies[number] = error
        return number

    def post(self, method: str, **params: object) -> None:
        """Send a command whatever comes of it."""
        self._replies.pop(self.send(method, **params))

    def call(self, method: str, **params: object) -> Params:
        """Send a command; gives its result.

        Raises:
            CommandFailed: the browser refused the command.
        """
        return self.results([self.send(method, **params)])[0]

    def results(self, numbers: Sequence[int]) -> list[Params]:
        """The results of commands sent before; raises as ``call`` does."""
        replies = [self._replies.pop(number) for number in numbers]
        for reply in replies:
            if isinstance(reply, CommandFailed):
                raise reply
        return [reply for reply in replies if not isinstance(reply, CommandFailed)]

    def are_answered(self, numbers: Sequence[int]) -> bool:
        """Whether the answers to commands sent before are all there."""
        return all(number in self._replies for number in numbers)

    def drop(self, numbers: Sequence[int]) -> None:
        """Forget the answers to commands sent before."""
        for number in numbers:
            self._replies.pop(number, None)

    def comes_true(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Whether ``condition`` holds within so many seconds, in which events are taken."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            self._done(lambda: self._page.wait_for_timeout(_PAUSE_MS))
        return True

    def wait_until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Take events until ``condition`` holds.

        Raises:
            BrowserGone: it does not hold after ``timeout`` seconds (default: the channel's own).
        """
        seconds = self.timeout if timeout is None else timeout
        if not self.comes_true(condition, seconds):
            raise BrowserGone(f"the page did not answer within {seconds:g} s")

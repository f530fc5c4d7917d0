"""A DevTools session that Playwright has begun, as what looks at pages and acts on them takes one."""

from __future__ import annotations

import io
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from PIL import Image

from harness.browser.browser import scoped
from harness.browser.channel import CommandFailed, Listener, Params
from harness.browser.launch import in_page_script
from harness.browser.wire import BrowserGone

_NAMES = ("base", "foreign", "rest", "fields", "anywhere", "pressables", "aim", "html", "wheel", "snapshot")
_CONSTANTS = {"CHANNEL": "harness-foreign"}
KEY = "harness.foreign"
"""The symbol by which a document has the library where it runs among the page's own scripts."""
_AMONG_OTHERS = """
const scope = {};
scope.globalThis = scope;
with (scope) {
%s
}
Object.defineProperty(document, Symbol.for(%r), { value: scope.harness, configurable: true });
"""
"""What keeps the library's one global name from the page, which may have one like it."""
CALL = f"""
const [path, given] = arguments;
const library = document[Symbol.for({KEY!r})];
if (!library) return {{ absent: true }};
const [group, name] = path;
const work = Promise.resolve().then(() => library[group][name](...given)).then(
  (value) => ({{ value: value === undefined ? null : value }}), (error) => ({{ error: String(error) }}));
let leave;
const left = new Promise((resume) => {{ leave = () => resume({{ left: true }}); }});
addEventListener("pagehide", leave);
return Promise.race([left, work]).finally(() => removeEventListener("pagehide", leave));
"""
"""Calls a function of the library among the page's own scripts; arguments: group and name, and what it is given. Gives
a promise, which the driver waits for: chromedriver asks a script that calls back only every 100 ms. A document that is
left may be kept, standing still, for the way back: it says so before, or its caller would wait."""

LEFT = {"left": True}
"""What that gives where the document goes meanwhile."""
SETTLED, IS_LEAVING = "form.posted", "page.isLeaving"
"""What waits until an action is over, and what says whether another document is on its way then."""
ARRIVAL_SECONDS = 10.0
"""For a document that is on its way to take the place of the present one."""
ATTEMPTS = 5
"""Documents that may come one after another while something is asked."""


@cache
def in_own_world() -> str:
    """The library for a world of its own."""
    return scoped(_CONSTANTS, map(in_page_script, _NAMES))


@cache
def among_others() -> str:
    """The library for the world that the page's own scripts run in."""
    return _AMONG_OTHERS % (in_own_world(), KEY)


def scaled(png: bytes, width: int) -> bytes:
    """A picture as wide as the page area in CSS pixels: screens with a finer grain have more of their own.

    Args:
        png: The picture.
        width: CSS pixels.
    """
    with Image.open(io.BytesIO(png)) as image:
        if image.width == width or width <= 0:
            return png
        smaller = image.resize((width, round(image.height * width / image.width)))
    buffer = io.BytesIO()
    smaller.save(buffer, "PNG")
    return buffer.getvalue()


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

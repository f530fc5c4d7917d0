"""One page of a live browser: what it tells of itself, functions of ours in it, pictures."""

from __future__ import annotations

import base64
import json
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.browser.channel import Channel, CommandFailed, Params
from harness.browser.launch import SCREEN
from harness.browser.wire import BrowserGone, Message

WORLD = f"harness-{secrets.token_hex(16)}"
"""Made anew by each process that starts browsers, so that nothing can be aimed at it by name; workers have their
parent's, and can read each other's pages."""


_NAME = re.compile(r"[A-Za-z]+(?:\.[A-Za-z]+)+")
MAX_PICTURE = (4_096, 16_384)
"""Width and height in pixels; beyond, Chromium's compositor cannot hold the page as one picture."""
MAX_ERRORS = 20
MAX_CONSOLE = 1_000
_BETWEEN = "Not attached to an active page"
"""What DevTools answers who asks for a picture while one document takes another's place."""
_BETWEEN_SECONDS = 0.02
"""After which it is asked again."""
TO_SIZE: tuple[str, Params] = (
    "Emulation.setDeviceMetricsOverride",
    {"width": SCREEN[0], "height": SCREEN[1], "deviceScaleFactor": 1, "mobile": False},
)
"""The command that makes a page as large as ``SCREEN``, whatever its window."""


@dataclass
class KnownNodes:
    """Elements of the open page that the in-page library knows by DevTools' number.

    Attributes:
        document: The page's document, as an object of the page's own world.
        world: The number of the harness's own world in that page.
        numbers: Of the elements.
    """

    document: str
    world: int
    numbers: set[int] = field(default_factory=set)


class PageClosed(BrowserGone):
    """The page was closed."""


class PageFailed(Exception):
    """The page could not be opened, or a function of ours failed in it."""


class PageLost(Exception):
    """A program did away with the episode's page, or left it: there is nothing to read any more."""


class LivePage:
    """What a browser shows in one place: one document after another.

    Attributes:
        channel: The DevTools session with it, with its counts of awaited messages.
        target: Its id, which is its main frame's, too.
        script_errors: Errors that its scripts raised, at most ``MAX_ERRORS``.
        console: What its scripts wrote to the console, and their errors, in order, at most ``MAX_CONSOLE``.
        world_number: The number by which DevTools knows the harness's own world in its main frame.
        known_nodes: What that world knows by DevTools' number; None before the first.
        blocked: The address that it was to show and could not: it shows an error instead. Empty otherwise.
    """

    def __init__(self, channel: Channel, target: str) -> None:
        """Of the page ``target``, at the other end of ``channel``."""
        self.channel = channel
        self.target = target
        self.script_errors: list[str] = []
        self.console: list[str] = []
        self.world_number = 0
        self.known_nodes: KnownNodes | None = None
        self.blocked = ""
        self._world: str | None = None
        self._shown = ""
        self._loaded = False
        self._staying: dict[str, str] = {}
        self._listen()

    def _listen(self) -> None:
        on = self.channel.on
        on("Runtime.executionContextCreated", self._on_world)
        on("Runtime.exceptionThrown", self._on_exception)
        on("Runtime.consoleAPICalled", self._on_console)
        on("Page.frameNavigated", self._on_navigated)
        on("Page.loadEventFired", lambda _: setattr(self, "_loaded", True))
        on("Page.javascriptDialogOpening", self._on_dialog)
        on("Inspector.targetCrashed", self._on_crash)

    def set_up(self, commands: Sequence[tuple[str, Params]]) -> None:
        """Send commands that prepare it, in one stand-still."""
        self.channel.results([self.channel.send(method, **params) for method, params in commands])

    @property
    def document(self) -> str:
        """What loaded the document that it shows: another for each document."""
        return self._shown

    def ask_for_size(self) -> None:
        """Have it made as large as ``SCREEN`` again: the end of another session that had changed that may undo ours."""
        method, size = TO_SIZE
        self.channel.post(method, **size)

    def wait_for_size(self) -> None:
        """Wait until its scripts find it so: of two changes they are told of the second when the first is drawn.

        Raises:
            PageFailed: another document has taken its place meanwhile.
            BrowserGone: no answer.
        """
        self.run("page.sized", *SCREEN)

    def move(self, root: Channel, target: str) -> None:
        """Be the page ``target`` from now on; ``root`` is the session with the browser itself."""
        self.target, self._world = target, None
        self.channel.move(root, target)

    def stay(self, script: str) -> None:
        """Run a script in the harness's own world of this document and of those that come, until ``leave``."""

        def taken(reply: Message) -> None:
            self._staying[script] = reply.get("result", {}).get("identifier", "")

        add = "Page.addScriptToEvaluateOnNewDocument"
        self.channel.ask(taken, add, source=script, worldName=WORLD, runImmediately=True)

    def leave(self, script: str) -> None:
        """Let the documents to come be without a script that ``stay`` was given."""
        if identifier := self._staying.pop(script, ""):
            self.channel.post("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)

    def _on_world(self, params: Params) -> None:
        context = params["context"]
        if context["name"] == WORLD and context["auxData"].get("frameId") == self.target:
            self._world = context["uniqueId"]
            self.world_number = context["id"]
            self.known_nodes = None

    def _on_navigated(self, params: Params) -> None:
        frame = params["frame"]
        if frame["id"] == self.target:
            self._shown = frame["loaderId"]
            self.blocked = frame.get("unreachableUrl", "")
            self._loaded = False

    def _on_dialog(self, _: Params) -> None:
        """Dialogs of forms are answered in the page; one that gets past that must not hold up the run."""
        self.channel.post("Page.handleJavaScriptDialog", accept=True)

    def _on_exception(self, params: Params) -> None:
        details = params["exceptionDetails"]
        thrown = details.get("exception", {})
        description = str(thrown.get("description") or f"{details.get('text', '')} {thrown.get('value', '')}").strip()
        error = description.partition("\n")[0][:300]
        if len(self.script_errors) < MAX_ERRORS:
            self.script_errors.append(error)
        self._write("error", error)

    def _on_console(self, params: Params) -> None:
        said = (str(each.get("value", each.get("description", each["type"]))) for each in params["args"])
        self._write(params["type"], " ".join(said))

    def _write(self, kind: str, text: str) -> None:
        if len(self.console) < MAX_CONSOLE:
            self.console.append(f"{kind}: {text[:300]}")

    def _on_crash(self, _: Params) -> None:
        raise BrowserGone("the page's process crashed")

    def expect(self) -> None:
        """Say that another document is about to come: the present one's world is not to be spoken to any more."""
        self._world = None

    def wait_until_shown(self, loader: str, *, ready: bool = True) -> None:
        """Wait for a document to have loaded.

        Args:
            loader: What loads it. The document before may have a load event on its way still.
            ready: Whether the harness's own world has to be there, which an error has not.
        """
        self.channel.wait_until(
            lambda: self._shown == loader and self._loaded and (self._world is not None or not ready)
        )

    def wait_until_loaded(self) -> None:
        """Wait for the document, in case somebody else has it loaded again."""
        self.channel.wait_until(lambda: self._loaded and self._world is not None)

    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library by its group and name; see ``Browser.run``."""
        return self.values([self.send_run(function, *arguments)])[0]

    def send_run(self, function: str, *arguments: object) -> int:
        """Send a call as ``run`` does, without waiting; hand the number to ``channel.results``."""
        return self.channel.send("Runtime.evaluate", **self._evaluation(function, arguments))

    def values(self, numbers: Sequence[int]) -> list[Any]:
        """What the calls behind ``send_run`` returned, waited for together."""
        try:
            results = self.channel.results(numbers)
        except CommandFailed as error:
            raise PageFailed(f"the page cannot be reached: {error}") from error
        return [value_of(result) for result in results]

    def remote(self, expression: str) -> Params:
        """What an expression gives in the harness's own world, as a remote object of DevTools, which is to be released.

        Args:
            expression: JavaScript, of ours alone.
        """
        answer = self.channel.call("Runtime.evaluate", expression=expression, uniqueContextId=self._world)
        found: Params = answer["result"]
        return found

    def _evaluation(self, function: str, arguments: tuple[object, ...]) -> Params:
        return {
            "expression": call_of(function, arguments),
            "uniqueContextId": self._world,
            "returnByValue": True,
            "awaitPromise": True,
        }

    def picture(self, *, full_page: bool = False, quality: int | None = None) -> bytes:
        """PNG of the viewport, exactly ``SCREEN``, or of the whole page as far as ``MAX_PICTURE``.

        Args:
            full_page: Whether to take the whole page.
            quality: Of a JPEG of the viewport instead, from 0 to 100.

        Raises:
            PageFailed: one document after another goes before there is a picture of it.
            BrowserGone: no answer, or the page was closed.
        """
        if not full_page:
            kind = {"format": "png"} if quality is None else {"format": "jpeg", "quality": quality}
            return self._captured(**kind)
        content = self.channel.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {
            "x": 0,
            "y": 0,
            "width": min(max(content["width"], 1), MAX_PICTURE[0]),
            "height": min(max(content["height"], 1), MAX_PICTURE[1]),
            "scale": 1,
        }
        return self._captured(format="png", captureBeyondViewport=True, clip=clip)

    def _captured(self, **asked: object) -> bytes:
        """The picture that is asked for, of this document or of one that takes its place meanwhile."""
        deadline = time.monotonic() + self.channel.timeout
        while time.monotonic() < deadline:
            picture = self._captured_of_document(asked)
            if picture is not None:
                return picture
        raise PageFailed("no picture can be taken: the page goes from document to document")

    def _captured_of_document(self, asked: Params) -> bytes | None:
        """The picture that is asked for, or None if the document is left before there is one.

        The browser takes it with the document's next frame. Of a document that is left before, the answer never comes.
        While another takes its place, the browser refuses, and tells nobody when it is over.
        """
        channel, document = self.channel, self._shown
        number = channel.send("Page.captureScreenshot", optimizeForSpeed=True, **asked)
        channel.wait_until(lambda: channel.are_answered([number]) or self._shown != document)
        if not channel.are_answered([number]):
            channel.drop([number])
            return None
        try:
            return base64.b64decode(channel.results([number])[0]["data"])
        except CommandFailed as error:
            if _BETWEEN not in str(error):
                raise
        channel.comes_true(lambda: self._shown != document, _BETWEEN_SECONDS)
        return None


def function_of(name: str) -> str:
    """The JavaScript expression of a function of the in-page library.

    Raises:
        ValueError: it is no name of group and function.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} names no function of the in-page library")
    return f"harness.{name}"


def call_of(name: str, arguments: Sequence[object]) -> str:
    """The JavaScript expression that calls a function of the in-page library with values that JSON holds.

    Raises:
        ValueError: it is no name of group and function.
    """
    return f"{function_of(name)}({', '.join(map(json.dumps, arguments))})"


def value_of(result: Params) -> Any:
    """The value that an evaluation returned.

    Raises:
        PageFailed: the script threw.
    """
    if details := result.get("exceptionDetails"):
        text = details.get("exception", {}).get("description") or details.get("text", "unknown error")
        raise PageFailed(f"a function of turkbench failed in the page: {text}")
    return result["result"].get("value")

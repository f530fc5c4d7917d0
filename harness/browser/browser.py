"""One live browser with one page at a time: open an instance, run in-page functions, take pictures."""

from __future__ import annotations

import base64
import json
import re
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from harness.browser.channel import Channel, CommandFailed, Params
from harness.browser.clean_start import CleanStart
from harness.browser.gate.gate import Gate
from harness.browser.gate.policy import OwnWorld
from harness.browser.launch import SCREEN, BrowserSettings, NoBrowser, in_page_script, start_browser
from harness.browser.sandbox import LET_IT_HAVE_ONE, Sandbox, sandbox_of
from harness.browser.wire import BrowserGone, PipeEnds

WORLD = "harness"
_PAGES_OWN = ("guard", "clock")
"""Scripts that run among the page's own, because they have to."""
_LIBRARY = ("hooks", "rest", "fields", "pressables", "aim", "submission", "html", "wheel")
_NAME = re.compile(r"[A-Za-z]+(?:\.[A-Za-z]+)+")
MAX_PICTURE = (4_096, 16_384)
"""Width and height in pixels; beyond, Chromium's compositor cannot hold the page as one picture."""
MAX_ERRORS = 20


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


class Browser:
    """A browser that shows one page; opening another ends the one before.

    Attributes:
        root: The DevTools session with the browser itself.
        channel: The one with its page, with its counts of awaited messages.
        target: The page's id, which is its main frame's, too.
        program: The path of its program.
        version: Product and version, e.g. ``Chrome/156.0.8078.79``.
        account: The user that it runs as; empty for our own.
        script_errors: Errors that the scripts of the open page raised, at most ``MAX_ERRORS``.
        own: The harness's own world in the frames of the open page, which nobody else may reach.
        world_number: The number by which DevTools knows it in the page's main frame.
        known_nodes: What the harness's own world in the open page knows by DevTools' number; None before the first.
        blocked: The address that the page was to show and could not: it shows an error instead. Empty otherwise.
        sandbox: Whether its pages are seen to be in a sandbox.
        on_leaving: What is called before the page is replaced by another.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        """Start it.

        Raises:
            harness.browser.launch.NoBrowser: none is installed, or it does not start, or it is not seen to have the
                sandbox that is required.
        """
        self.settings = settings
        self.script_errors: list[str] = []
        self.on_leaving: list[Callable[[], None]] = []
        self._world: str | None = None
        self.own = OwnWorld(WORLD)
        self.world_number = 0
        self.known_nodes: KnownNodes | None = None
        self.blocked = ""
        self._shown = ""
        self._loaded = False
        self._context = ""
        self._started = start_browser(settings)
        self.program, self.version = self._started.program, self._started.version
        self.account = self._started.account
        try:
            self.root = Channel(self._started.wire, timeout=settings.timeout)
            self.target = self._first_page()
            self.channel = self.root.page(self.target)
            self._clean_start = CleanStart(self.root, self.channel, settings.origin, WORLD)
            self._listen()
            self._prepare()
            self.sandbox = self._look_at_sandbox()
        except BaseException:
            self._started.end()
            raise

    def _look_at_sandbox(self) -> Sandbox:
        seen = sandbox_of(self._started.group) if self._started.sandboxed else "off"
        if self.settings.require_sandbox and seen != "on":
            raise NoBrowser(
                f"--require-sandbox asks for a sandbox, and this browser's is {seen}: {LET_IT_HAVE_ONE}; where it is "
                "unknown, only Linux can tell"
            )
        return seen

    def _first_page(self) -> str:
        """Wait for the page that the browser opens by itself; gives its id."""
        found: list[str] = []
        self.root.on("Target.targetCreated", lambda params: found.append(params["targetInfo"]["targetId"]))
        self.root.post("Target.setDiscoverTargets", discover=True, filter=[{"type": "page"}])
        self.root.wait_until(lambda: bool(found))
        return found[0]

    def _listen(self) -> None:
        channel = self.channel
        channel.on("Runtime.executionContextCreated", self._on_world)
        channel.on("Runtime.executionContextsCleared", lambda _: self.own.numbers.clear())
        channel.on("Runtime.exceptionThrown", self._on_exception)
        channel.on("Page.frameNavigated", self._on_navigated)
        channel.on("Page.loadEventFired", lambda _: setattr(self, "_loaded", True))
        channel.on("Page.javascriptDialogOpening", self._on_dialog)
        channel.on("Inspector.targetCrashed", self._on_crash)
        self.root.on("Target.targetCreated", self._on_target)
        self.root.on("Target.targetDestroyed", self._on_closed)

    def _prepare(self) -> None:
        """Set up a page that shows nothing yet."""
        channel = self.channel
        constants = (
            f"const CHANNEL = {json.dumps('harness-' + secrets.token_hex(8))};"
            f"const CLOCK = {json.dumps(not self.settings.live_clock)};"
        )
        own, library = ("\n".join(map(in_page_script, names)) for names in (_PAGES_OWN, _LIBRARY))
        width, height = SCREEN
        numbers = [
            channel.send("Page.enable"),
            channel.send("Runtime.enable"),
            channel.send("Inspector.enable"),
            # As if its window had the focus, whichever window does.
            channel.send("Emulation.setFocusEmulationEnabled", enabled=True),
            channel.send("Page.setInterceptFileChooserDialog", enabled=True),
            channel.send("Page.addScriptToEvaluateOnNewDocument", source=_scoped(constants, own)),
            channel.send("Page.addScriptToEvaluateOnNewDocument", source=_scoped(constants, library), worldName=WORLD),
        ]
        if not self.settings.kiosk:
            numbers.append(
                channel.send(
                    "Emulation.setDeviceMetricsOverride",
                    width=width,
                    height=height,
                    deviceScaleFactor=1,
                    mobile=False,
                )
            )
        channel.results(numbers)

    def _on_world(self, params: Params) -> None:
        context = params["context"]
        if context["name"] != WORLD:
            return
        self.own.numbers.add(context["id"])
        if context["auxData"].get("frameId") == self.target:
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
        """Dialogs are answered in the page; one that gets past that must not hold up the run."""
        self.channel.post("Page.handleJavaScriptDialog", accept=True)

    def _on_exception(self, params: Params) -> None:
        details = params["exceptionDetails"]
        if len(self.script_errors) < MAX_ERRORS:
            thrown = details.get("exception", {})
            description = str(
                thrown.get("description") or f"{details.get('text', '')} {thrown.get('value', '')}"
            ).strip()
            self.script_errors.append(description.partition("\n")[0][:300])

    def _on_target(self, params: Params) -> None:
        """Close the windows that a page opens past the guard."""
        if "openerId" in params["targetInfo"]:
            self.root.post("Target.closeTarget", targetId=params["targetInfo"]["targetId"])

    def _on_closed(self, params: Params) -> None:
        if params["targetId"] == self.target:
            self.channel.failure = PageClosed("the page was closed")

    def _on_crash(self, _: Params) -> None:
        raise BrowserGone("the page's process crashed")

    def open(self, url: str) -> None:
        """Show the page at ``url`` and wait until it has loaded.

        Raises:
            PageFailed: the browser refuses the address, or the server answers with an error.
            BrowserGone: the page does not load within the time-out, or the browser died.
        """
        for leave in self.on_leaving:
            leave()
        self.script_errors.clear()
        if self.settings.fresh_context:
            self._renew()
        loader = self._navigate(url)
        # The page before may have a load event on its way still.
        self.channel.wait_until(lambda: self._shown == loader and self._loaded and self._world is not None)
        # The page before this one must not be one step back.
        self.channel.post("Page.resetNavigationHistory")
        status = self.run("page.settled")
        if status not in (0, 200):
            raise PageFailed(f"{url} cannot be opened: the server answered with status {status}")

    def _renew(self) -> None:
        """Go on with an empty page in a browser context that nothing was ever in; the one before is thrown away.

        The page that the browser began with stays as it is, empty, since without a window the browser might end.
        """
        before, self._context = self._context, self.root.call("Target.createBrowserContext")["browserContextId"]
        created = self.root.call("Target.createTarget", url="about:blank", browserContextId=self._context)
        self.target, self._world = created["targetId"], None
        self.own.numbers.clear()
        self.channel.move(self.root, self.target)
        self._prepare()
        if before:
            self.root.call("Target.disposeBrowserContext", browserContextId=before)

    def _navigate(self, url: str) -> str:
        """Have the page replaced, with nothing left behind for the new one; gives what loads it."""
        if urlsplit(url).scheme == "about" and url != "about:blank":
            raise PageFailed(f"{url} cannot be opened: it is no page")
        self._clean_start.expect()
        self._world = None
        try:
            navigation = self.channel.call("Page.navigate", url=url)
        except CommandFailed as error:
            self._clean_start.give_up()
            raise PageFailed(f"{url} cannot be opened: {error}") from error
        loader = str(navigation.get("loaderId", ""))
        refusal = navigation.get("errorText")
        if refusal == "net::ERR_ABORTED":
            self._clean_start.give_up()
        else:
            # The browser's own error page is held as any other.
            self._clean_start.clear(url, loader)
        if refusal and refusal != "net::ERR_ABORTED":
            # It is still on its way and would get in the way of the next one.
            self.channel.wait_until(lambda: self._shown == loader and self._loaded)
        if refusal:
            raise PageFailed(f"{url} cannot be opened: {refusal}")
        return loader

    def catch_up(self) -> None:
        """Read what the browser has told meanwhile; it goes on while nobody listens.

        Raises:
            BrowserGone: it was closed, the page's process crashed, or no answer.
        """
        self.channel.call("Browser.getVersion")

    def wait_until_loaded(self) -> None:
        """Wait for the page, in case somebody else has it loaded again."""
        self.channel.wait_until(lambda: self._loaded and self._world is not None)

    def run(self, function: str, *arguments: object) -> Any:
        """Call a function of the in-page library by its group and name; promises are awaited.

        Args:
            function: E.g. ``aim.radio``; ``scripts/types.d.ts`` lists them.
            *arguments: Whatever JSON holds.

        Raises:
            ValueError: that is no name of a function.
            PageFailed: the function threw.
            BrowserGone: no answer.
        """
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

    def _evaluation(self, function: str, arguments: tuple[object, ...]) -> Params:
        return {
            "expression": call_of(function, arguments),
            "uniqueContextId": self._world,
            "returnByValue": True,
            "awaitPromise": True,
        }

    def picture(self, *, full_page: bool = False) -> bytes:
        """PNG of the viewport, exactly ``SCREEN``, or of the whole page as far as ``MAX_PICTURE``."""
        if not full_page:
            answer = self.channel.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)
            return base64.b64decode(answer["data"])
        content = self.channel.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {
            "x": 0,
            "y": 0,
            "width": min(max(content["width"], 1), MAX_PICTURE[0]),
            "height": min(max(content["height"], 1), MAX_PICTURE[1]),
            "scale": 1,
        }
        answer = self.channel.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(answer["data"])

    @property
    def process_group(self) -> int:
        """The browser's group of processes, which no other process is in."""
        return self._started.group

    def gate(self, listener: socket.socket | None = None) -> Gate:
        """A way for programs to the open page; a context.

        Args:
            listener: Where they come in; None for a free port of this machine.
        """
        self.own.globals = frozenset(self.run("page.globals"))
        return Gate(
            self._started.wire, self.root, self.target, self.own, origin=self.settings.origin, listener=listener
        )

    @property
    def ends(self) -> PipeEnds:
        """Our ends of the pipe to the browser."""
        return self._started.wire.ends

    def close(self) -> None:
        """End the browser, and remove what it wrote; never raises."""
        self._started.end()

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _scoped(constants: str, script: str) -> str:
    return f"(() => {{ {constants}\n{script}\n}})();"


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
        raise PageFailed(f"a function of the harness failed in the page: {text}")
    return result["result"].get("value")

"""One live browser with one page at a time: open an instance, run in-page functions, take pictures."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from harness.browser.channel import Channel, CommandFailed, Params
from harness.browser.clean_start import CleanStart, OwnContext
from harness.browser.flags import is_blocked
from harness.browser.launch import BrowserSettings, NoBrowser, RunningBrowser, in_page_script, start_browser
from harness.browser.live_page import (
    MAX_ERRORS,
    MAX_PICTURE,
    TO_SIZE,
    WORLD,
    KnownNodes,
    LivePage,
    PageClosed,
    PageFailed,
    call_of,
    function_of,
    value_of,
)
from harness.browser.sandbox import LET_IT_HAVE_ONE, Sandbox
from harness.browser.wire import BrowserGone, PipeEnds

if TYPE_CHECKING:
    from harness.browser.gate.gate import Gate

__all__ = [
    "MAX_ERRORS",
    "MAX_PICTURE",
    "Browser",
    "KnownNodes",
    "PageClosed",
    "PageFailed",
    "call_of",
    "function_of",
    "value_of",
]

_PAGES_OWN = ("guard", "clock")
"""Scripts that run among the page's own, because they have to."""
_FORBIDDEN, _REFUSED = "chrome://version", "net::ERR_BLOCKED_BY_ADMINISTRATOR"
"""An address that no browser of ours goes to, and what it says."""
_AS_STARTED_HERE: tuple[tuple[str, Params], ...] = (
    ("Emulation.setLocaleOverride", {"locale": "en-US"}),
    ("Emulation.setScrollbarsHidden", {"hidden": True}),
)
"""Commands for a page of a browser that has not our flags and variables."""
_LIBRARY = ("base", "hooks", "rest", "fields", "pressables", "aim", "submission", "html", "wheel")


class Browser:
    """A browser that shows one page; opening another ends the one before.

    Attributes:
        settings: How it was started.
        root: The DevTools session with the browser itself.
        page: What it shows.
        program: The path of its program.
        version: Product and version, e.g. ``Chrome/156.0.8078.79``.
        account: The user that it runs as; empty for our own.
        sandbox: Whether its pages are seen to be in a sandbox.
        on_leaving: What is called before the page is replaced by another.
    """

    page: LivePage

    def __init__(self, settings: BrowserSettings) -> None:
        """Start it.

        Raises:
            harness.browser.launch.NoBrowser: none is installed, or it does not start, or it is not seen to have the
                sandbox that is required, or none is lent, or one that goes where ours does not.
        """
        self.settings = settings
        self.on_leaving: list[Callable[[], None]] = []
        self._started = _running(settings)
        self.program, self.version = self._started.program, self._started.version
        self.account = self._started.account
        try:
            self.root = Channel(self._started.wire, timeout=settings.timeout)
            self._context = OwnContext(self.root, settings)
            self._begin(self._first_page())
            self.sandbox = self._look_at_sandbox()
            if self.lent_by:
                self._look_at_addresses()
        except BaseException:
            self._started.end()
            raise

    def _begin(self, first: str) -> None:
        """Take the page that the browser opened by itself."""
        self.page = LivePage(self.root.page(first), first)
        self._clean_start = CleanStart(self.root, self.channel, self._context, self.settings.origin, WORLD)
        self.root.on("Target.targetCreated", self._on_target)
        self.root.on("Target.targetDestroyed", self._on_closed)
        self.page.set_up(self._preparation())

    def _look_at_sandbox(self) -> Sandbox:
        seen = self._started.sandbox()
        if self.settings.require_sandbox and seen != "on":
            raise NoBrowser(
                f"--require-sandbox asks for a sandbox, and this browser's is {seen}: {LET_IT_HAVE_ONE}; where it is "
                "unknown, only Linux can tell"
            )
        return seen

    def _look_at_addresses(self) -> None:
        """See that a browser which somebody else has started with our preferences keeps the list of addresses."""
        try:
            self.open(_FORBIDDEN)
        except (PageFailed, BrowserGone) as error:
            if _REFUSED in str(error):
                return
        raise NoBrowser(f"{self.program} lends a browser that goes to {_FORBIDDEN}: it was not started as was asked")

    def _first_page(self) -> str:
        """Wait for the page that the browser opens by itself, or make one in a browser with others; gives its id."""
        if self.settings.is_shared:
            self.root.call("Target.setDiscoverTargets", discover=True, filter=[{"type": "page"}])
            return self._context.renew()[0]
        found: list[str] = []
        self.root.on("Target.targetCreated", lambda params: found.append(params["targetInfo"]["targetId"]))
        self.root.post("Target.setDiscoverTargets", discover=True, filter=[{"type": "page"}])
        self.root.wait_until(lambda: bool(found))
        return found[0]

    def _preparation(self) -> list[tuple[str, Params]]:
        """What sets up a page that shows nothing yet."""
        constants = {"CHANNEL": f"harness-{secrets.token_hex(8)}", "CLOCK": not self.settings.live_clock}
        pages_own, library = (scoped(constants, map(in_page_script, names)) for names in (_PAGES_OWN, _LIBRARY))
        return [
            *page_commands(self.settings),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": pages_own}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": library, "worldName": WORLD}),
        ]

    def _on_target(self, params: Params) -> None:
        """Close the windows that a page opens past the guard."""
        if "openerId" in params["targetInfo"] and self._context.holds(params["targetInfo"]):
            self.root.post("Target.closeTarget", targetId=params["targetInfo"]["targetId"])

    def _on_closed(self, params: Params) -> None:
        if params["targetId"] == self.target:
            self.channel.failure = PageClosed("the page was closed")

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
        self.page.wait_until_shown(loader)
        # The page before this one must not be one step back.
        self.channel.post("Page.resetNavigationHistory")
        status = self.run("page.settled")
        if status not in (0, 200):
            raise PageFailed(f"{url} cannot be opened: the server answered with status {status}")

    def _renew(self) -> None:
        """Go on with an empty page in a browser context that nothing was ever in; the one before is thrown away.

        The page that the browser began with stays as it is, empty, since without a window the browser might end.
        """
        target, before = self._context.renew()
        self.page.move(self.root, target)
        self.page.set_up(self._preparation())
        self._context.throw_away(before)

    def _navigate(self, url: str) -> str:
        """Have the page replaced, with nothing left behind for the new one; gives what loads it."""
        if urlsplit(url).scheme == "about" and url != "about:blank":
            raise PageFailed(f"{url} cannot be opened: it is no page")
        if self.settings.is_attached and is_blocked(url, self.settings.origin):
            raise PageFailed(f"{url} cannot be opened: it is none of the task server's pages")
        # Left where it is, the pointer would tell the new page of the one before, and show what it hovers over.
        self.channel.post("Input.dispatchMouseEvent", type="mouseMoved", x=-1, y=-1)
        self._clean_start.expect()
        self.page.expect()
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
            self.page.wait_until_shown(loader, ready=False)
        if refusal:
            raise PageFailed(f"{url} cannot be opened: {refusal}")
        return loader

    def catch_up(self) -> None:
        """Read what the browser has told meanwhile; it goes on while nobody listens.

        Raises:
            BrowserGone: it was closed, the page's process crashed, or no answer.
        """
        self.channel.call("Browser.getVersion")

    # ---- the page ---------------------------------------------------------------------------------------------

    @property
    def channel(self) -> Channel:
        """The DevTools session with the page."""
        return self.page.channel

    @property
    def target(self) -> str:
        """The page's id, which is its main frame's, too."""
        return self.page.target

    @property
    def world_number(self) -> int:
        """The number by which DevTools knows the harness's own world in the page's main frame."""
        return self.page.world_number

    @property
    def script_errors(self) -> list[str]:
        """Errors that the scripts of the open page raised, at most ``MAX_ERRORS``."""
        return self.page.script_errors

    @property
    def blocked(self) -> str:
        """The address that the page was to show and could not: it shows an error instead. Empty otherwise."""
        return self.page.blocked

    def wait_until_loaded(self) -> None:
        """Wait for the page, in case somebody else has it loaded again."""
        self.page.wait_until_loaded()

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
        return self.page.run(function, *arguments)

    def send_run(self, function: str, *arguments: object) -> int:
        """Send a call as ``run`` does, without waiting; hand the number to ``channel.results``."""
        return self.page.send_run(function, *arguments)

    def values(self, numbers: Sequence[int]) -> list[Any]:
        """What the calls behind ``send_run`` returned, waited for together."""
        return self.page.values(numbers)

    def stay(self, script: str) -> None:
        """Run a script in the harness's own world of what is shown from now on, the present page first."""
        self.page.stay(script)

    def leave(self, script: str) -> None:
        """End what ``stay`` has begun."""
        self.page.leave(script)

    def picture(self, *, full_page: bool = False) -> bytes:
        """PNG of the viewport, exactly ``SCREEN``, or of the whole page as far as ``MAX_PICTURE``."""
        return self.page.picture(full_page=full_page)

    # ---- the browser ------------------------------------------------------------------------------------------

    @property
    def lent_by(self) -> str:
        """The address of the WebDriver session that it was lent by; empty if it was not."""
        return self._started.session

    @property
    def process_group(self) -> int:
        """The browser's group of processes, which no other process is in."""
        return self._started.group

    def gate(self, listener: socket.socket | None = None) -> Gate:
        """A way for programs to the open page; a context.

        Args:
            listener: Where they come in; None for a free port of this machine.
        """
        from harness.browser.gate.gate import Gate  # noqa: PLC0415 - solvers that use the action library do without

        origin = self.settings.origin
        return Gate(
            self._started.wire,
            self.root,
            [self.target],
            is_blocked=lambda url: is_blocked(url, origin),
            taken=self.run("page.globals"),
            listener=listener,
        )

    def take_over(self) -> None:
        """From now on the calling thread alone may act on what is shown; another is told that the browser is gone."""
        self.page.channel.take()

    @property
    def ends(self) -> PipeEnds:
        """Our ends of the pipe to the browser."""
        return self._started.wire.ends

    def close(self) -> None:
        """End the browser, and remove what it wrote; never raises."""
        self._started.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def page_commands(settings: BrowserSettings) -> list[tuple[str, Params]]:
    """What any page is set up with, before its scripts."""
    commands: list[tuple[str, Params]] = [
        ("Page.enable", {}),
        ("Runtime.enable", {}),
        ("Inspector.enable", {}),
        # As if its window had the focus, whichever window does.
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ("Page.setInterceptFileChooserDialog", {"enabled": True}),
    ]
    if not settings.kiosk:
        commands.append(TO_SIZE)
    if settings.remote:
        commands += _AS_STARTED_HERE
        commands += [] if settings.live_clock else [("Emulation.setTimezoneOverride", {"timezoneId": "UTC"})]
    return commands + settings.visitor.commands


def _running(settings: BrowserSettings) -> RunningBrowser:
    """The browser that is asked for: one of our own, alone or with others, or one elsewhere."""
    if settings.join:
        return settings.join(settings)
    if settings.remote is None:
        return start_browser(settings)
    # Imported here alone: browsers that are started here do without.
    from harness.browser.remote.attached import attached, lent  # noqa: PLC0415

    if settings.remote.place == "grid":
        return lent(settings.remote.url, settings)
    return attached(settings.remote.url)


def scoped(constants: Mapping[str, object], scripts: Iterable[str]) -> str:
    """The texts of in-page scripts as one, with constants that they alone see."""
    names = " ".join(f"const {name} = {json.dumps(value)};" for name, value in constants.items())
    text = "\n".join(scripts)
    return f"(() => {{ {names}\n{text}\n}})();"

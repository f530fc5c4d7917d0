"""One program's connection: what it asks is passed on or refused, what the page tells is passed on or kept."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from harness.browser.channel import Once, Params
from harness.browser.gate.browser_side import BrowserSide
from harness.browser.gate.policy import IN_VAIN, OwnWorld, Sight, is_to_be_told, reason_against
from harness.browser.gate.shown_page import ShownPage, TabKeeper
from harness.browser.wire import BrowserGone, Message, Wire

TAKE_SECONDS = 5.0
"""How long the browser may take to take a command; what it does with it may take longer."""
OF_PAGES = frozenset({"iframe", "worker", "shared_worker", "service_worker"})
"""Kinds of targets that belong to a page, and may be attached to with it."""
BLOCKED = {"errorText": "net::ERR_BLOCKED_BY_ADMINISTRATOR", "isDownload": False}
"""What the browser says of an address that it refuses."""
_OF_THE_HAND = ("Input.", "Page.navigate", "Page.bringToFront", "Page.reload")
"""What a program does in the tab that it works in."""
_NO_SESSION, _REFUSED, _INVALID = -32001, -32000, -32600


class Watcher(Protocol):
    """Who looks on at what programs do; called in the gate's thread, and never to raise."""

    def asked(self, method: str, params: Mapping[str, Any]) -> None:
        """A program asks something of the page; it is passed on next."""

    def answered(self, method: str) -> None:
        """The page has answered."""


class Doorkeeper(Protocol):
    """What a connection needs to know of the gate.

    Attributes:
        wire: The way to the browser.
        tabs: Who opens and closes tabs; None where there is one page and no other.
        watcher: Who looks on at what programs do; None for nobody.
    """

    wire: Wire
    tabs: TabKeeper | None
    watcher: Watcher | None

    @property
    def pages(self) -> Sequence[ShownPage]:
        """Those that programs may reach, in the order in which they were opened."""

    def refuse(self, method: str, reason: str) -> None:
        """Take down what was refused."""

    def keeps(self, page: ShownPage, params: Params) -> bool:
        """Whether a ``Page.navigate`` is not to be passed on, since the page would go for an error in its place."""


class ProgramConnection:
    """A connection, to the episode's page or to a browser that has no other.

    The browser's own DevTools session is never handed on: what there is to ask of it is answered here.
    """

    def __init__(self, gate: Doorkeeper, tell: Callable[[str], None], leave: Callable[[], None]) -> None:
        """Prepare.

        Args:
            gate: Of this connection.
            tell: Sends the program a message.
            leave: Ends the connection, after what was said.
        """
        self.gate = gate
        self._tell = tell
        self._leave = leave
        self._sessions: dict[str, PageSession] = {}
        self._browser_sessions: dict[str | None, BrowserSide] = {}
        self._whole: PageSession | None = None

    def begin(self, then: Callable[[], None], at_page: ShownPage | None) -> None:
        """Let it speak, with a page or with the browser.

        Args:
            then: Called when messages can be taken.
            at_page: With which page; None for the browser.
        """

        def begun(session: PageSession) -> None:
            self._whole = session
            then()

        if at_page:
            self._attach(at_page, begun, hidden=True)
        else:
            self._browser_sessions[None] = BrowserSide(self, None)
            then()

    def take(self, text: str) -> None:
        """Deal with what the program sends."""
        try:
            message = json.loads(text)
            number, method, params = message["id"], message["method"], message.get("params") or {}
            session = message.get("sessionId")
            is_command = type(number) is int and isinstance(method, str) and isinstance(params, dict)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            is_command = False
        if not is_command:
            self.say({"error": {"code": _INVALID, "message": "a message is a JSON object with id, method and params"}})
            return
        place = {"sessionId": session} if session else {}
        if session is None and self._whole:
            side: PageSession | BrowserSide | None = self._whole
        else:
            side = self._sessions.get(session) or self._browser_sessions.get(session)
        if side is None:
            self.fail(number, place, _NO_SESSION, "Session with given id not found.")
            return
        reason = side.reason_against(method, params)
        if method in IN_VAIN and not (self.tabs and method == "Target.activateTarget"):
            self.answer(number, place, {})
        elif reason:
            self.gate.refuse(method, reason)
            self.fail(number, place, _REFUSED, f"{method} is refused: {reason}")
        else:
            side.ask(number, place, method, params)

    def say(self, message: Mapping[str, Any]) -> None:
        """Send the program a message."""
        self._tell(json.dumps(message))

    def answer(self, number: int, place: Mapping[str, str], result: Mapping[str, Any]) -> None:
        """Send it the result of what it asked."""
        self.say({"id": number, "result": result, **place})

    def fail(self, number: int, place: Mapping[str, str], code: int, words: str) -> None:
        """Send it an error."""
        self.say({"id": number, "error": {"code": code, "message": words}, **place})

    @property
    def pages(self) -> Sequence[ShownPage]:
        """See ``harness.browser.gate.browser_side.Asking``."""
        return self.gate.pages

    @property
    def tabs(self) -> TabKeeper | None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        return self.gate.tabs

    def attach_to_page(self, page: ShownPage, then: Callable[[str], None]) -> None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        self._attach(page, lambda session: then(session.name))

    def _attach(self, page: ShownPage, then: Callable[[PageSession], None], *, hidden: bool = False) -> None:
        """Begin a session with a page, and go on with it.

        Args:
            page: Which.
            then: Is given the session.
            hidden: The program knows it by no name: it is all that its connection is for.
        """

        def begun(reply: Message) -> None:
            name = reply.get("result", {}).get("sessionId")
            if name is None:
                if hidden or not self.tabs:
                    self._leave()  # the page is gone
                return
            then(self.hold(name, page, hidden=hidden))

        params = {"targetId": page.target, "flatten": True}
        self.ask_browser({"method": "Target.attachToTarget", "params": params}, begun)

    def hold(self, name: str, page: ShownPage, own: OwnWorld | None = None, *, hidden: bool = False) -> PageSession:
        """Take a session of the browser's into this connection.

        Args:
            name: Of the session.
            page: The page that it is with, or a frame or worker of which.
            own: What is kept from the program in it; None for what is in the page.
            hidden: As for ``_attach``.
        """
        place = {} if hidden else {"sessionId": name}
        session = self._sessions[name] = PageSession(self, name, page, Sight(own or page.own), place)
        return session

    def drop(self, name: str) -> None:
        """A session has ended."""
        self._sessions.pop(name, None)
        self.gate.wire.forget(name)

    def open_side(self, of_tab: ShownPage | None) -> str:
        """See ``harness.browser.gate.browser_side.Asking``."""
        name = secrets.token_hex(16).upper()
        self._browser_sessions[name] = BrowserSide(self, name, of_tab)
        return name

    def farewell(self) -> None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        self.gate.refuse("Browser.close", "the browser is the harness's; the connection was ended instead")
        self._leave()

    def ask_browser(self, message: Message, then: Callable[[Message], None]) -> None:
        """Ask the browser itself."""
        self.send(Once(then), message)

    def send(self, receiver: Any, message: Message) -> int:
        """Pass a message on; the connection ends where the browser takes none."""
        try:
            return self.gate.wire.send(receiver, message, TAKE_SECONDS)
        except BrowserGone:
            self._leave()
            return -1

    def page_changed(self, page: ShownPage) -> None:
        """A page has another address or title."""
        for each in list(self._browser_sessions.values()):
            each.page_changed(page)

    def page_opened(self, page: ShownPage) -> None:
        """There is another page."""
        for each in list(self._browser_sessions.values()):
            each.page_opened(page)

    def page_closed(self, page: ShownPage) -> None:
        """A page is there no more, nor are its sessions."""
        for session in [each for each in self._sessions.values() if each.page is page]:
            self.drop(session.name)
            if session is self._whole:
                self._leave()
            told = {"sessionId": session.name, "targetId": page.target}
            self.say({"method": "Target.detachedFromTarget", "params": told})
        for each in list(self._browser_sessions.values()):
            each.page_closed(page)

    def detach(self, name: str) -> None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        self._browser_sessions.pop(name, None)
        if name in self._sessions:
            self.drop(name)
            self.ask_browser({"method": "Target.detachFromTarget", "params": {"sessionId": name}}, lambda _: None)

    def end(self) -> None:
        """Give back what it held in the browser."""
        for name in list(self._sessions):
            self.detach(name)


class PageSession:
    """A session with a page, or with a frame or worker of it, of its own in the browser."""

    def __init__(
        self, client: ProgramConnection, name: str, page: ShownPage, sight: Sight, place: Mapping[str, str]
    ) -> None:
        """Take what the session ``name`` tells; the program knows it by ``place``."""
        self.name = name
        self.page = page
        self._client = client
        self._sight = sight
        self._place = place
        self._asked: dict[int, tuple[int, str]] = {}
        client.gate.wire.receive(name, self)

    def reason_against(self, method: str, params: Mapping[str, Any]) -> str:
        """See ``policy``."""
        return reason_against(method, params, self._sight)

    def ask(self, number: int, _: Mapping[str, str], method: str, params: Mapping[str, Any]) -> None:
        """Pass a command on."""
        gate = self._client.gate
        if method == "Page.navigate" and gate.keeps(self.page, dict(params)):
            names = {"frameId": self.page.target, "loaderId": secrets.token_hex(16).upper()}
            self._client.answer(number, self._place, {**names, **BLOCKED})
            return
        if gate.tabs and method.startswith(_OF_THE_HAND):
            gate.tabs.use(self.page.target)
        if watcher := gate.watcher:
            watcher.asked(method, params)
        message = {"method": method, "params": params, "sessionId": self.name}
        self._asked[self._client.send(self, message)] = (number, method)

    def take_reply(self, message: Message) -> None:
        """See ``harness.browser.wire.Receiver``."""
        number, method = self._asked.pop(message["id"])
        if method == "Page.createIsolatedWorld" and "result" in message:
            self._sight.told.add(message["result"]["executionContextId"])
        kept = {key: value for key, value in message.items() if key in ("result", "error")}
        self._client.say({"id": number, **kept, **self._place})
        if watcher := self._client.gate.watcher:
            watcher.answered(method)

    def take_event(self, message: Message) -> None:
        """See ``harness.browser.wire.Receiver``."""
        method, params = message["method"], message.get("params", {})
        if method == "Target.attachedToTarget" and not self._welcome(params):
            return
        if method == "Target.detachedFromTarget":
            self._client.drop(params["sessionId"])
        if is_to_be_told(message, self._sight):
            self._client.say({"method": method, "params": params, **self._place})

    def _welcome(self, params: Params) -> bool:
        """Take in what was attached to with the page; whether it belongs to it."""
        session = params["sessionId"]
        if params["targetInfo"]["type"] in OF_PAGES:
            self._client.hold(session, self.page, OwnWorld(self._sight.own.name))
            return True
        self._client.send(Once(lambda _: None), {"method": "Runtime.runIfWaitingForDebugger", "sessionId": session})
        detach = {"method": "Target.detachFromTarget", "params": {"sessionId": session}}
        self._client.ask_browser(detach, lambda _: None)
        return False

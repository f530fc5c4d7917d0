"""One program's connection: what it asks is passed on or refused, what the page tells is passed on or kept."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from harness.browser.channel import Once, Params
from harness.browser.gate.browser_side import BrowserSide
from harness.browser.gate.policy import IN_VAIN, OwnWorld, Sight, is_to_be_told, reason_against
from harness.browser.wire import BrowserGone, Message, Wire

TAKE_SECONDS = 5.0
"""How long the browser may take to take a command; what it does with it may take longer."""
OF_PAGES = frozenset({"iframe", "worker", "shared_worker", "service_worker"})
"""Kinds of targets that belong to a page, and may be attached to with it."""
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
        target: The episode's page.
        own: What is kept from programs.
        watcher: Who looks on at what programs do; None for nobody.
    """

    wire: Wire
    target: str
    own: OwnWorld
    watcher: Watcher | None

    def page_info(self) -> Params:
        """What DevTools says of the episode's page (``Target.TargetInfo``)."""

    def tab_info(self) -> Params:
        """What it would say of the tab that shows it."""

    def refuse(self, method: str, reason: str) -> None:
        """Take down what was refused."""


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

    def begin(self, then: Callable[[], None], *, at_page: bool) -> None:
        """Let it speak, with the page or with the browser.

        Args:
            then: Called when messages can be taken.
            at_page: With the page.
        """

        def begun(session: PageSession) -> None:
            self._whole = session
            then()

        if at_page:
            self._attach(begun, hidden=True)
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
        if method in IN_VAIN:
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

    def page_info(self) -> Params:
        """See ``harness.browser.gate.browser_side.Asking``."""
        return self.gate.page_info()

    def tab_info(self) -> Params:
        """See ``harness.browser.gate.browser_side.Asking``."""
        return self.gate.tab_info()

    def attach_to_page(self, then: Callable[[str], None]) -> None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        self._attach(lambda session: then(session.name))

    def _attach(self, then: Callable[[PageSession], None], *, hidden: bool = False) -> None:
        """Begin a session with the episode's page, and go on with it.

        Args:
            then: Is given the session.
            hidden: The program knows it by no name: it is all that its connection is for.
        """

        def begun(reply: Message) -> None:
            name = reply.get("result", {}).get("sessionId")
            if name is None:
                self._leave()  # the page is gone
                return
            then(self.hold(name, self.gate.own, hidden=hidden))

        params = {"targetId": self.gate.target, "flatten": True}
        self.ask_browser({"method": "Target.attachToTarget", "params": params}, begun)

    def hold(self, name: str, own: OwnWorld, *, hidden: bool = False) -> PageSession:
        """Take a session of the browser's into this connection.

        Args:
            name: Of the session.
            own: What is kept from the program in it.
            hidden: As for ``_attach``.
        """
        session = self._sessions[name] = PageSession(self, name, Sight(own), {} if hidden else {"sessionId": name})
        return session

    def drop(self, name: str) -> None:
        """A session has ended."""
        self._sessions.pop(name, None)
        self.gate.wire.forget(name)

    def open_side(self, *, of_tab: bool) -> str:
        """See ``harness.browser.gate.browser_side.Asking``."""
        name = secrets.token_hex(16).upper()
        self._browser_sessions[name] = BrowserSide(self, name, of_tab=of_tab)
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

    def page_changed(self) -> None:
        """The page has another address or title."""
        for each in self._browser_sessions.values():
            each.page_changed()

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
    """A session with the page, or with a frame or worker of it, of its own in the browser."""

    def __init__(self, client: ProgramConnection, name: str, sight: Sight, place: Mapping[str, str]) -> None:
        """Take what the session ``name`` tells; the program knows it by ``place``."""
        self.name = name
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
        if watcher := self._client.gate.watcher:
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
            self._client.hold(session, OwnWorld(self._sight.own.name))
            return True
        self._client.send(Once(lambda _: None), {"method": "Runtime.runIfWaitingForDebugger", "sessionId": session})
        detach = {"method": "Target.detachFromTarget", "params": {"sessionId": session}}
        self._client.ask_browser(detach, lambda _: None)
        return False

"""One program's connection, and the sessions that it has over it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.browser.channel import Once
from harness.browser.gate.browser_side import BrowserSide
from harness.browser.gate.gate_access import GateAccess, ReachablePage, TabAccess
from harness.browser.gate.page_session import FAILED, PageSession
from harness.browser.gate.policy import IN_VAIN, Refused
from harness.browser.gate.session_scope import Gone, Malformed, SessionScope
from harness.browser.wire import BrowserGone, Message

TAKE_SECONDS = 5.0
"""How long the browser may take to take a command; what it does with it may take longer."""
_NO_SESSION, _INVALID, _MALFORMED = -32001, -32600, -32602


class ProgramConnection:
    """A connection, to the episode's page or to a browser that has no other.

    The browser's own DevTools session is never handed on: what there is to ask of it is answered here.
    """

    def __init__(self, gate: GateAccess, tell: Callable[[str], None], leave: Callable[[], None]) -> None:
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
        self._frames: set[str] = set()

    def begin(self, then: Callable[[], None], at_page: ReachablePage | None) -> None:
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
        if method in IN_VAIN and not (self.tabs and method == "Target.activateTarget"):
            self.answer(number, place, {})
            return
        try:
            side.ask(number, place, method, params)
        except Refused as reason:
            self.gate.refuse(method, str(reason))
            self.fail(number, place, FAILED, f"{method} is refused: {reason}")
        except Gone as reason:
            self.fail(number, place, FAILED, str(reason))
        except Malformed as reason:
            self.fail(number, place, _MALFORMED, str(reason))

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
    def pages(self) -> Sequence[ReachablePage]:
        """See ``harness.browser.gate.browser_side.Asking``."""
        return self.gate.pages

    @property
    def tabs(self) -> TabAccess | None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        return self.gate.tabs

    def attach_to_page(self, page: ReachablePage, then: Callable[[str], None]) -> None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        self._attach(page, lambda session: then(session.name))

    def _attach(self, page: ReachablePage, then: Callable[[PageSession], None], *, hidden: bool = False) -> None:
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

    def hold(self, name: str, page: ReachablePage, *, kind: str = "page", hidden: bool = False) -> PageSession:
        """Take a session of the browser's into this connection.

        Args:
            name: Of the session.
            page: The page that it is with, or a frame or worker of which.
            kind: Of target: ``page``, or one of ``page_session.OF_PAGES``.
            hidden: As for ``_attach``.
        """
        place = {} if hidden else {"sessionId": name}
        self._frames.add(page.target)
        scope = SessionScope(self._frames, is_worker=kind not in ("page", "iframe"))
        session = self._sessions[name] = PageSession(self, name, page, scope, place)
        return session

    def drop(self, name: str) -> None:
        """A session has ended."""
        self._sessions.pop(name, None)
        self.gate.wire.forget(name)

    def open_side(self, of_tab: ReachablePage | None) -> str:
        """See ``harness.browser.gate.browser_side.Asking``."""
        name = secrets.token_hex(16).upper()
        self._browser_sessions[name] = BrowserSide(self, name, of_tab)
        return name

    def farewell(self) -> None:
        """See ``harness.browser.gate.browser_side.Asking``."""
        self.gate.refuse("Browser.close", "the browser is turkbench's; the connection was ended instead")
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

    def page_changed(self, page: ReachablePage) -> None:
        """A page has another address or title."""
        for each in list(self._browser_sessions.values()):
            each.page_changed(page)

    def page_opened(self, page: ReachablePage) -> None:
        """There is another page."""
        for each in list(self._browser_sessions.values()):
            each.page_opened(page)

    def page_closed(self, page: ReachablePage) -> None:
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

"""A program's session with a page: what it asks is passed on made anew, and so is what the page answers and tells."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from harness.browser.channel import Once, Params
from harness.browser.gate.gate_access import GateAccess, ReachablePage
from harness.browser.gate.policy import Refused, check
from harness.browser.gate.session_scope import NO_WORLD, SessionScope
from harness.browser.wire import Message

OF_PAGES = frozenset({"iframe", "worker", "shared_worker", "service_worker"})
"""Kinds of targets that belong to a page, and may be attached to with it."""
BLOCKED = {"errorText": "net::ERR_BLOCKED_BY_ADMINISTRATOR", "isDownload": False}
"""What the browser says of an address that it refuses."""
FAILED = -32000
"""DevTools' code for what could not be done."""
_OF_THE_HAND = ("Input.", "Page.navigate", "Page.bringToFront", "Page.reload")
"""What a program does in the tab that it works in."""


class Client(Protocol):
    """What it needs of the connection."""

    gate: GateAccess

    def say(self, message: Mapping[str, Any]) -> None:
        """Send the program a message."""

    def answer(self, number: int, place: Mapping[str, str], result: Mapping[str, Any]) -> None:
        """Send it the result of what it asked."""

    def send(self, receiver: Any, message: Message) -> int:
        """Pass a message on."""

    def ask_browser(self, message: Message, then: Callable[[Message], None]) -> None:
        """Ask the browser itself."""

    def hold(self, name: str, page: ReachablePage, *, kind: str) -> PageSession:
        """Take a session of the browser's into the connection."""

    def drop(self, name: str) -> None:
        """A session has ended."""


@dataclass
class _Doubt:
    """An answer that is held, see ``PageSession._doubt``."""

    held: Message | None = None
    is_over: bool = False
    is_true: bool = False


class PageSession:
    """A session with a page, or with a frame or worker of it, of its own in the browser."""

    def __init__(
        self, client: Client, name: str, page: ReachablePage, scope: SessionScope, place: Mapping[str, str]
    ) -> None:
        """Take what the session ``name`` tells; the program knows it by ``place``."""
        self.name = name
        self.page = page
        self._client = client
        self._scope = scope
        self._place = place
        self._asked: dict[int, tuple[int, str]] = {}
        self._hears_worlds = False
        self._bindings: set[str] = set()
        self._doubts: dict[int, _Doubt] = {}
        client.gate.wire.receive(name, self)

    # ---- what the program asks ------------------------------------------------------------------------------

    def ask(self, number: int, _: Mapping[str, str], method: str, params: Mapping[str, Any]) -> None:
        """Pass a command on.

        Raises:
            harness.browser.gate.policy.Refused: the program may not ask for that.
            harness.browser.gate.session_scope.Gone, harness.browser.gate.session_scope.Malformed: it cannot be done.
        """
        check(method, params)
        asked = self._scope.parameters(method, params)
        gate = self._client.gate
        if method == "Runtime.addBinding" and asked.get("name") in gate.taken:
            raise Refused(f"the name {asked['name']!r} is taken")
        if method == "Page.navigate" and gate.keeps(self.page, asked):
            names = {"frameId": self.page.target, "loaderId": secrets.token_hex(16).upper()}
            self._client.answer(number, self._place, {**names, **BLOCKED})
            return
        if gate.tabs and method.startswith(_OF_THE_HAND):
            gate.tabs.use(self.page.target)
        if watcher := gate.watcher:
            watcher.asked(method, asked)
        match method:
            case "Runtime.enable" | "Runtime.disable":
                self._hears_worlds = method == "Runtime.enable"
            case "Runtime.evaluate":
                self._name_world(asked, "contextId")
            case "Runtime.callFunctionOn":
                self._name_world(asked, "executionContextId")
            case "Runtime.addBinding":
                asked = self._bind(asked)
            case "Runtime.removeBinding":
                self._bindings.discard(asked.get("name", ""))
            case "Page.addScriptToEvaluateOnNewDocument":
                self._take_name(asked.get("worldName", ""))
            case "Page.createIsolatedWorld":
                self._take_name(asked.get("worldName", ""))
                if not self._hears_worlds:  # its number alone would not tell the world from one of another process
                    self._hears_worlds = True
                    self._send_along("Runtime.enable", {})
        sent = self._send(method, asked)
        self._asked[sent] = (number, method)
        if method == "DOM.resolveNode" and "executionContextId" in asked:
            self._doubt(sent, self._scope.world(asked["executionContextId"]).unique)

    def _send(self, method: str, params: Params) -> int:
        return self._client.send(self, {"method": method, "params": params, "sessionId": self.name})

    def _send_along(self, method: str, params: Params) -> None:
        """Pass on what the program is not answered."""
        self._client.send(Once(lambda _: None), {"method": method, "params": params, "sessionId": self.name})

    def _name_world(self, params: Params, key: str) -> None:
        """Name a world by what no other has.

        A number is one world's in one process of the browser, and another's in the next, which may have taken over
        before the command is there.
        """
        if (number := params.pop(key, None)) is not None:
            params["uniqueContextId"] = self._scope.world(number).unique

    def _bind(self, params: Params) -> Params:
        """Name the worlds that are to have a binding, since without a name all have it; gives the command for one."""
        binding = params.get("name", "")
        if self._scope.is_worker:
            return params
        if (number := params.get("executionContextId")) is not None:
            return {"name": binding, "executionContextName": self._scope.world(number).name}
        if (name := params.get("executionContextName")) is not None:
            self._take_name(name)
            return params
        self._bindings.add(binding)
        first, *others = ({"name": binding, "executionContextName": name} for name in sorted(self._scope.names))
        for each in others:
            self._send_along("Runtime.addBinding", each)
        return first

    def _take_name(self, world: str) -> None:
        """Take in that the program calls a world so; it gets the bindings that all of the program's worlds have."""
        if world not in self._scope.names:
            self._scope.names.add(world)
            for binding in sorted(self._bindings):
                self._send_along("Runtime.addBinding", {"name": binding, "executionContextName": world})

    def _doubt(self, sent: int, unique: str) -> None:
        """Hold the answer to a command that can name a world by number only, until that world is seen to be there yet.

        The number is another world's in another process of the browser. If that has taken over before the command was
        there, the world is not found any more after it.
        """
        doubt = self._doubts[sent] = _Doubt()

        def seen(proof: Message) -> None:
            doubt.is_over, doubt.is_true = True, "result" in proof
            if doubt.held:
                self._answer(doubt.held)

        asked = {"expression": "0", "uniqueContextId": unique, "silent": True}
        self._client.send(Once(seen), {"method": "Runtime.evaluate", "params": asked, "sessionId": self.name})

    # ---- what the page answers and tells --------------------------------------------------------------------

    def take_reply(self, message: Message) -> None:
        """See ``harness.browser.wire.Receiver``."""
        doubt = self._doubts.get(message["id"])
        if doubt and not doubt.is_over:
            doubt.held = message
        else:
            self._answer(message)

    def _answer(self, message: Message) -> None:
        number, method = self._asked.pop(message["id"])
        doubt = self._doubts.pop(message["id"], None)
        said: dict[str, Any]
        try:
            if "error" in message:
                said = {"error": {key: message["error"].get(key) for key in ("code", "message")}}
            elif doubt and not doubt.is_true:
                said = {"error": {"code": FAILED, "message": NO_WORLD}}
            else:
                said = {"result": self._scope.answer(method, message["result"])}
        except msgspec.ValidationError as error:
            said = {"error": {"code": FAILED, "message": f"the browser's answer is of another shape: {error}"}}
        self._client.say({"id": number, **said, **self._place})
        if watcher := self._client.gate.watcher:
            watcher.answered(method)

    def take_event(self, message: Message) -> None:
        """See ``harness.browser.wire.Receiver``."""
        method, params = message["method"], message.get("params", {})
        if method == "Target.attachedToTarget" and not self._welcome(params):
            return
        if method == "Target.detachedFromTarget":
            self._client.drop(params["sessionId"])
        try:
            told = self._scope.event(method, params)
        except msgspec.ValidationError:  # a browser of another version: what it means is not known
            return
        if told is not None:
            self._client.say({"method": method, "params": told, **self._place})

    def _welcome(self, params: Params) -> bool:
        """Take in what was attached to with the page; whether it belongs to it."""
        session, kind = params["sessionId"], params["targetInfo"]["type"]
        if kind in OF_PAGES:
            self._client.hold(session, self.page, kind=kind)
            return True
        self._client.send(Once(lambda _: None), {"method": "Runtime.runIfWaitingForDebugger", "sessionId": session})
        detach = {"method": "Target.detachFromTarget", "params": {"sessionId": session}}
        self._client.ask_browser(detach, lambda _: None)
        return False

"""What a program is told in place of the browser: one with a single tab, which shows the episode's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from harness.browser.channel import Params
from harness.browser.wire import Message

FORWARDED = frozenset({"Browser.getVersion", "Browser.getWindowForTarget"})
"""What is asked of the browser itself and may be passed on."""
_USUAL: tuple[Params, ...] = ({"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {})
"""What clients mean that give no filter of targets (``Target.TargetFilter``)."""

Say = Callable[[Params], None]


class Asking(Protocol):
    """What it needs of the connection."""

    def page_info(self) -> Params:
        """What DevTools says of the episode's page (``Target.TargetInfo``)."""

    def tab_info(self) -> Params:
        """The same of the tab that shows it."""

    def say(self, message: Mapping[str, Any]) -> None:
        """Send the program a message."""

    def attach_to_page(self, then: Callable[[str], None]) -> None:
        """Begin a session with the page, and go on with its name."""

    def open_side(self, *, of_tab: bool) -> str:
        """Begin a session with the browser or its tab; gives its name."""

    def detach(self, name: str) -> None:
        """End a session."""

    def ask_browser(self, message: Message, then: Callable[[Message], None]) -> None:
        """Ask the browser itself."""

    def farewell(self) -> None:
        """End the connection instead of the browser."""


class BrowserSide:
    """A session with the browser, or with the tab, of which none exists in the browser."""

    def __init__(self, client: Asking, name: str | None, *, of_tab: bool = False) -> None:
        """Answer for the session that the program knows by ``name``, or for the connection as such."""
        self._client = client
        self._place = {"sessionId": name} if name else {}
        self._of_tab = of_tab
        self._discovered: frozenset[str] = frozenset()
        self._attached: set[str] = set()
        self._answers: Mapping[str, Callable[[Params, Say], None]] = {
            "Runtime.runIfWaitingForDebugger": lambda _, say: say({}),
            "Target.setAutoAttach": self._attach_to_all,
            "Target.detachFromTarget": self._detach,
        }
        if not of_tab:
            self._answers |= {
                "Target.setDiscoverTargets": self._discover,
                "Target.getTargets": lambda params, say: say({"targetInfos": self._visible(params)}),
                "Target.getTargetInfo": self._tell_target,
                "Target.getBrowserContexts": lambda _, say: say({"browserContextIds": []}),
                "Target.attachToTarget": self._attach,
                "Target.attachToBrowserTarget": lambda _, say: say({"sessionId": client.open_side(of_tab=False)}),
                "Browser.close": self._close,
            }

    def reason_against(self, method: str, params: Mapping[str, Any]) -> str:
        """Why this cannot be asked; empty if it can."""
        if method not in self._answers and (self._of_tab or method not in FORWARDED):
            return "there is nothing but the episode's page here"
        targets = {self._client.page_info()["targetId"], self._client.tab_info()["targetId"]}
        if params.get("targetId") not in (None, "browser", *targets):
            return "there is no such target"
        if method == "Target.attachToTarget" and not params.get("flatten"):
            return "sessions are flat here (flatten: true)"
        return ""

    def ask(self, number: int, place: Mapping[str, str], method: str, params: Mapping[str, Any]) -> None:
        """Answer."""

        def say(result: Params) -> None:
            self._client.say({"id": number, "result": result, **place})

        if method in FORWARDED:
            page = self._client.page_info()["targetId"]
            target = {"targetId": page} if method == "Browser.getWindowForTarget" else {}
            message = {"method": method, "params": target}
            self._client.ask_browser(message, lambda reply: say(reply.get("result", {})))
        else:
            self._answers[method](dict(params), say)

    def page_changed(self) -> None:
        """The page has another address or title."""
        for info in (self._client.page_info(), self._client.tab_info()):
            if info["type"] in self._discovered:
                self._event("Target.targetInfoChanged", {"targetInfo": info})

    def _event(self, method: str, params: Params) -> None:
        self._client.say({"method": method, "params": params, **self._place})

    def _visible(self, params: Params) -> list[Params]:
        """Page and tab, as far as the filter of a command lets them through."""
        if self._of_tab:
            return [self._client.page_info()]
        rules = params.get("filter") or _USUAL
        return [info for info in (self._client.tab_info(), self._client.page_info()) if _passes(info["type"], rules)]

    def _discover(self, params: Params, say: Say) -> None:
        before = self._discovered
        visible = self._visible(params) if params.get("discover") else []
        self._discovered = frozenset(info["type"] for info in visible)
        for info in visible:
            if info["type"] not in before:
                self._event("Target.targetCreated", {"targetInfo": info})
        say({})

    def _tell_target(self, params: Params, say: Say) -> None:
        browser = {"targetId": "browser", "type": "browser", "title": "", "url": "", "attached": True}
        infos = {info["targetId"]: info for info in (self._client.page_info(), self._client.tab_info())}
        say({"targetInfo": infos.get(str(params.get("targetId")), {**browser, "canAccessOpener": False})})

    def _attach(self, params: Params, say: Say) -> None:
        infos = (self._client.page_info(), self._client.tab_info())
        found = [info for info in infos if info["targetId"] == params.get("targetId")]
        if found:
            self._begin(found[0], lambda session: say({"sessionId": session}))
        else:
            say({"sessionId": self._client.open_side(of_tab=False)})

    def _attach_to_all(self, params: Params, say: Say) -> None:
        waiting = []
        if params.get("autoAttach"):
            waiting = [info for info in self._visible(params) if info["type"] not in self._attached]
        self._attached |= {info["type"] for info in waiting}

        def go_on(_: str = "") -> None:
            if waiting:
                self._begin(waiting.pop(), go_on)
            else:
                say({})

        go_on()

    def _begin(self, info: Params, then: Callable[[str], None]) -> None:
        """Begin a session with page or tab, and tell of it."""

        def begun(session: str) -> None:
            told = {"sessionId": session, "targetInfo": {**info, "attached": True}, "waitingForDebugger": False}
            self._event("Target.attachedToTarget", told)
            then(session)

        if info["type"] == "tab":
            begun(self._client.open_side(of_tab=True))
        else:
            self._client.attach_to_page(begun)

    def _detach(self, params: Params, say: Say) -> None:
        self._client.detach(str(params.get("sessionId", "")))
        say({})

    def _close(self, _: Params, say: Say) -> None:
        say({})
        self._client.farewell()


def _passes(kind: str, rules: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a filter lets a kind of target through: the first rule that fits decides."""
    for rule in rules:
        if rule.get("type") in (None, kind):
            return not rule.get("exclude")
    return False

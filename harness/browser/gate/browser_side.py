"""What a program is told in place of the browser: one that has the episode's page, or a site's tabs, and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from harness.browser.channel import Params
from harness.browser.gate.gate_access import ReachablePage, TabAccess
from harness.browser.gate.policy import Refused
from harness.browser.gate.session_scope import SessionScope
from harness.browser.wire import Message

FORWARDED = frozenset({"Browser.getVersion", "Browser.getWindowForTarget"})
"""What is asked of the browser itself and may be passed on."""
_USUAL: tuple[Params, ...] = ({"type": "browser", "exclude": True}, {"type": "tab", "exclude": True}, {})
"""What clients mean that give no filter of targets (``Target.TargetFilter``)."""

Say = Callable[[Params], None]


class Asking(Protocol):
    """What it needs of the connection."""

    @property
    def pages(self) -> Sequence[ReachablePage]:
        """Those that it may reach, in the order in which they were opened."""

    @property
    def tabs(self) -> TabAccess | None:
        """Who opens and closes tabs; None where there is one page and no other."""

    def say(self, message: Mapping[str, Any]) -> None:
        """Send the program a message."""

    def attach_to_page(self, page: ReachablePage, then: Callable[[str], None]) -> None:
        """Begin a session with a page, and go on with its name."""

    def open_side(self, of_tab: ReachablePage | None) -> str:
        """Begin a session with the browser, or with the tab of a page; gives its name."""

    def detach(self, name: str) -> None:
        """End a session."""

    def ask_browser(self, message: Message, then: Callable[[Message], None]) -> None:
        """Ask the browser itself."""

    def farewell(self) -> None:
        """End the connection instead of the browser."""


class BrowserSide:
    """A session with the browser, or with the tab, of which none exists in the browser."""

    def __init__(self, client: Asking, name: str | None, of_tab: ReachablePage | None = None) -> None:
        """Answer for the session that the program knows by ``name``, or for the connection as such."""
        self._client = client
        self._sight = SessionScope(set())
        self._place = {"sessionId": name} if name else {}
        self._of_tab = of_tab
        self._discovered: frozenset[str] = frozenset()
        self._attached: set[str] = set()
        self._rules: Sequence[Mapping[str, Any]] | None = None
        self._attaching: set[str] = set()
        self._created: dict[str, Callable[[], None]] = {}
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
                "Target.attachToBrowserTarget": lambda _, say: say({"sessionId": client.open_side(None)}),
                "Browser.close": self._close,
            }
            if client.tabs:
                self._answers |= {
                    "Target.createTarget": self._create,
                    "Target.closeTarget": self._close_page,
                    "Target.activateTarget": self._activate,
                }

    def _reason_against(self, method: str, params: Mapping[str, Any]) -> str:
        """Why this cannot be asked; empty if it can."""
        if method not in self._answers and (self._of_tab or method not in FORWARDED):
            return "there is nothing but the episode's page here"
        if params.get("targetId") not in (None, "browser", *self._infos()):
            return "there is no such target"
        if tabs := self._client.tabs:
            if method == "Target.createTarget":
                return tabs.reason_against_tab(str(params.get("url") or "about:blank"))
            if method == "Target.closeTarget":
                return tabs.reason_against_closing(self._page_of(params).target)
        if method == "Target.attachToTarget" and not params.get("flatten"):
            return "sessions are flat here (flatten: true)"
        return ""

    def ask(self, number: int, place: Mapping[str, str], method: str, params: Mapping[str, Any]) -> None:
        """Answer.

        Raises:
            harness.browser.gate.policy.Refused: the program may not ask for that.
            harness.browser.gate.session_scope.Malformed: it is not asked as the protocol has it.
        """
        if reason := self._reason_against(method, params):
            raise Refused(reason)
        params = self._sight.parameters(method, params)

        def say(result: Params) -> None:
            self._client.say({"id": number, "result": self._sight.answer(method, result), **place})

        if method in FORWARDED:
            target = {"targetId": self._page_of(params).target} if method == "Browser.getWindowForTarget" else {}
            message = {"method": method, "params": target}
            self._client.ask_browser(message, lambda reply: say(reply.get("result", {})))
        else:
            self._answers[method](dict(params), say)

    def _infos(self) -> dict[str, Params]:
        """All pages and their tabs by id."""
        both = [info for page in self._client.pages for info in (page.info, page.tab_info)]
        return {info["targetId"]: info for info in both}

    def _page_of(self, params: Mapping[str, Any]) -> ReachablePage:
        """The page that a command names, or whose tab it names; the first if it names none."""
        pages = self._client.pages
        return next((page for page in pages if params.get("targetId") in (page.target, page.tab)), pages[0])

    def page_changed(self, page: ReachablePage) -> None:
        """A page has another address or title."""
        for info in (page.info, page.tab_info):
            if info["type"] in self._discovered:
                self._event("Target.targetInfoChanged", {"targetInfo": info})

    def page_opened(self, page: ReachablePage) -> None:
        """There is another page."""
        for info in (page.info, page.tab_info):
            if info["type"] in self._discovered:
                self._event("Target.targetCreated", {"targetInfo": info})
        self._attaching.add(page.target)

        def told() -> None:
            self._attaching.discard(page.target)
            self._created.pop(page.target, lambda: None)()

        if self._rules is None or self._of_tab:
            told()
        else:
            self._attach_to(page, self._rules, told)

    def page_closed(self, page: ReachablePage) -> None:
        """A page is there no more."""
        for info in (page.info, page.tab_info):
            self._attached.discard(info["targetId"])
            if info["type"] in self._discovered:
                self._event("Target.targetDestroyed", {"targetId": info["targetId"]})

    def _event(self, method: str, params: Params) -> None:
        self._client.say({"method": method, "params": params, **self._place})

    def _visible(self, params: Params) -> list[Params]:
        """Pages and tabs, as far as the filter of a command lets them through."""
        if self._of_tab:
            return [self._of_tab.info]
        rules = params.get("filter") or _USUAL
        return [info for info in self._infos().values() if _passes(info["type"], rules)]

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
        say({"targetInfo": self._infos().get(str(params.get("targetId")), {**browser, "canAccessOpener": False})})

    def _attach(self, params: Params, say: Say) -> None:
        if info := self._infos().get(str(params.get("targetId"))):
            self._begin(info, lambda session: say({"sessionId": session}))
        else:
            say({"sessionId": self._client.open_side(None)})

    def _attach_to_all(self, params: Params, say: Say) -> None:
        is_on = bool(params.get("autoAttach"))
        self._rules = (params.get("filter") or _USUAL) if is_on else None
        waiting = [info for info in self._visible(params) if info["targetId"] not in self._attached] if is_on else []
        self._attached |= {info["targetId"] for info in waiting}
        self._begin_all(waiting, lambda: say({}))

    def _attach_to(self, page: ReachablePage, rules: Sequence[Mapping[str, Any]], then: Callable[[], None]) -> None:
        """Attach to a page that was opened after ``Target.setAutoAttach``."""
        waiting = [info for info in (page.info, page.tab_info) if _passes(info["type"], rules)]
        self._attached |= {info["targetId"] for info in waiting}
        self._begin_all(waiting, then)

    def _begin_all(self, waiting: list[Params], then: Callable[[], None]) -> None:
        def go_on(_: str = "") -> None:
            if waiting:
                self._begin(waiting.pop(0), go_on)
            else:
                then()

        go_on()

    def _begin(self, info: Params, then: Callable[[str], None]) -> None:
        """Begin a session with page or tab, and tell of it."""

        def begun(session: str) -> None:
            told = {"sessionId": session, "targetInfo": {**info, "attached": True}, "waitingForDebugger": False}
            self._event("Target.attachedToTarget", told)
            then(session)

        page = self._page_of(info)
        if info["type"] == "tab":
            begun(self._client.open_side(page))
        else:
            self._client.attach_to_page(page, begun)

    def _detach(self, params: Params, say: Say) -> None:
        self._client.detach(str(params.get("sessionId", "")))
        say({})

    def _create(self, params: Params, say: Say) -> None:
        """Open a tab; the program is told its id when it has been told of the tab."""
        tabs = self._client.tabs
        assert tabs  # noqa: S101 - else this is not answered
        url = str(params.get("url") or "about:blank")

        def created(reply: Message) -> None:
            target = reply.get("result", {}).get("targetId", "")
            if not target or (target in self._infos() and target not in self._attaching):
                say({"targetId": target})
            else:
                self._created[target] = lambda: say({"targetId": target})

        asked = {"method": "Target.createTarget", "params": {"url": url, **tabs.page_parameters()}}
        self._client.ask_browser(asked, created)

    def _close_page(self, params: Params, say: Say) -> None:
        asked = {"method": "Target.closeTarget", "params": {"targetId": self._page_of(params).target}}
        self._client.ask_browser(asked, lambda _: say({"success": True}))

    def _activate(self, params: Params, say: Say) -> None:
        asked = {"method": "Target.activateTarget", "params": {"targetId": self._page_of(params).target}}
        self._client.ask_browser(asked, lambda _: say({}))

    def _close(self, _: Params, say: Say) -> None:
        say({})
        self._client.farewell()


def _passes(kind: str, rules: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a filter lets a kind of target through: the first rule that fits decides."""
    for rule in rules:
        if rule.get("type") in (None, kind):
            return not rule.get("exclude")
    return False

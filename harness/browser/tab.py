"""One tab of a browser that walks through a site."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from harness.browser.channel import Channel, Params
from harness.browser.live_page import LivePage, PageFailed
from harness.browser.seen_moments import SeenElement, SeenMoment
from harness.browser.wire import Message

_AWAITED = frozenset({"Fetch", "XHR", "Script", "Stylesheet"})
"""Kinds of requests whose answers change what a page says. Streams and sockets have no end."""
PATIENCE_SECONDS = 2.0
"""How long an answer may take; what takes longer is waited for no more."""


class OpenRequests:
    """Of one page's present document."""

    def __init__(self, channel: Channel) -> None:
        """Of the page at the other end; ``Network.enable`` is its owner's to send."""
        self._channel = channel
        self._open: set[str] = set()
        channel.on("Network.requestWillBeSent", self._on_sent)
        channel.on("Network.loadingFinished", self._on_over)
        channel.on("Network.loadingFailed", self._on_over)

    def _on_sent(self, params: Params) -> None:
        if params.get("type") in _AWAITED:
            self._open.add(params["requestId"])

    def _on_over(self, params: Params) -> None:
        self._open.discard(params["requestId"])

    def clear(self) -> None:
        """The document is gone."""
        self._open.clear()

    def wait(self) -> bool:
        """Wait until all are answered; whether there were any.

        Raises:
            BrowserGone: the page, or the browser, is gone.
        """
        if not self._open:
            return False
        if not self._channel.comes_true(lambda: not self._open, PATIENCE_SECONDS):
            self._open.clear()
        return True


Note = Callable[[str], None]
_WITHIN = frozenset({"sameDocument", "historySameDocument"})
"""Kinds of navigations that leave the document where it is."""
MOST_DOCUMENTS = 20
"""That are waited for one after another: a page that loads itself anew without end never settles."""
PATIENCE = 0.5
"""With servers, as a share of the time after which a browser counts as gone that is silent itself."""
MOST_VALUES = 1_000
"""Moments of one document whose elements' values are still awaited."""


class Tab(LivePage):
    """A tab.

    Attributes:
        number: From 0, in the order in which the episode's tabs were opened.
        opener: The id of the page that opened it; empty if none did.
        url: Its address; that of a page that is refused is not taken.
        title: Of its document, as it was when it had settled last.
        is_open: Whether it was not closed.
        is_closing: Whether the harness has asked for it to be closed.
        is_leaving: Whether another document is on its way.
        moves: How often it has come to show another address, or was refused to.
    """

    def __init__(self, channel: Channel, info: Params, number: int, binding: str) -> None:
        """Of a page.

        Args:
            channel: The session with it.
            info: What DevTools says of it (``Target.TargetInfo``).
            number: Which it is.
            binding: The name by which its scripts tell something.
        """
        super().__init__(channel, info["targetId"])
        self.number = number
        self.opener = str(info.get("openerId", ""))
        self.url = str(info.get("url", "")) or "about:blank"
        self.title = ""
        self.is_open = True
        self.is_closing = False
        self.is_leaving = False
        self.moves = 0
        self.on_moment: Callable[[SeenMoment], None] = lambda _: None
        self.on_refused: Note = lambda _: None
        self.on_dialog: Note = lambda _: None
        self.on_late: Note = lambda _: None
        self.on_recorded: Callable[[Mapping[str, Any]], None] = lambda _: None
        self._is_scheduled = False
        self._is_doubtful = False
        self._asked = ""
        self._binding = binding
        self._requests = OpenRequests(channel)
        self._trees: dict[int, str] = {}
        self._held: dict[tuple[int, int], SeenElement] = {}
        for event, listener in (
            ("Runtime.bindingCalled", self._on_told),
            ("Runtime.executionContextsCleared", self._on_cleared),
            ("Page.navigatedWithinDocument", self._on_moved_within),
            ("Page.frameScheduledNavigation", self._on_scheduled),
            ("Page.frameRequestedNavigation", self._on_requested),
            ("Page.frameClearedScheduledNavigation", self._on_schedule_over),
            ("Page.frameStartedNavigating", self._on_leaving),
            ("Page.frameStartedLoading", self._on_loading),
            ("Page.frameStoppedLoading", self._on_stopped),
        ):
            channel.on(event, listener)

    def mute(self) -> None:
        """Tell nothing more: it is of an episode that is over."""
        self.is_open = False
        self.on_moment = lambda _: None
        self.on_refused = self.on_dialog = self.on_late = lambda _: None
        self.on_recorded = lambda _: None

    def begin(self) -> None:
        """Let it go on, when all that it is set up with was sent.

        The browser lets it at once, and its process comes to what was sent before a little later: it may show its first
        document by then, which nobody tells of.
        """

        def shown(reply: Message) -> None:
            frame = reply.get("result", {}).get("frameTree", {}).get("frame")
            if frame and not self.moves and frame["url"] not in ("", "about:blank", ":"):
                self._on_navigated({"frame": frame})

        self.channel.post("Runtime.runIfWaitingForDebugger")
        self.channel.ask(shown, "Page.getFrameTree")

    # ---- where it is ----------------------------------------------------------------------------------------------

    # A page asks for a document, and may think better of it. What a link asks for within its schedule is on its way.
    # What a form asks for comes before its schedule, and is on its way if something loads before that is over.

    def _on_scheduled(self, params: Params) -> None:
        if params["frameId"] == self.target:
            self._is_scheduled = True

    def _on_requested(self, params: Params) -> None:
        if params["frameId"] == self.target and params["disposition"] == "currentTab":
            self.is_leaving = True
            self._asked = params["url"]
            self._is_doubtful = not self._is_scheduled

    def _on_schedule_over(self, params: Params) -> None:
        if params["frameId"] == self.target:
            if self._is_doubtful:
                self.is_leaving = False
            self._is_doubtful = self._is_scheduled = False

    def _on_leaving(self, params: Params) -> None:
        if params["frameId"] == self.target and params["navigationType"] not in _WITHIN:
            self.is_leaving = True
            self._asked = params["url"]
            self._is_doubtful = False

    def _on_loading(self, params: Params) -> None:
        if params["frameId"] == self.target:
            self._is_doubtful = False

    def _on_stopped(self, params: Params) -> None:
        if params["frameId"] == self.target:
            self.is_leaving = False

    def _on_cleared(self, _: Params) -> None:
        self._world = None
        self._requests.clear()
        self._trees.clear()
        self._held.clear()

    def _on_navigated(self, params: Params) -> None:
        super()._on_navigated(params)
        frame = params["frame"]
        if frame["id"] != self.target:
            return
        self.is_leaving = False
        self.moves += 1
        if self.blocked:
            self.on_refused(self.blocked)
        else:
            self._moved(frame["url"] + frame.get("urlFragment", ""))

    def _on_moved_within(self, params: Params) -> None:
        if params["frameId"] == self.target:
            self.moves += 1
            self._moved(params["url"])

    def _moved(self, url: str) -> None:
        self.url = url
        self.on_moment(SeenMoment("moved", self.number, url))

    def _on_dialog(self, params: Params) -> None:
        """Say yes, and give what is proposed."""
        self.on_dialog(f"{params['type']}:{params['message']}")
        self.channel.post("Page.handleJavaScriptDialog", accept=True, promptText=str(params.get("defaultPrompt") or ""))

    # ---- what its scripts tell ------------------------------------------------------------------------------------

    def _on_told(self, params: Params) -> None:
        if params["name"] != self._binding:
            return
        head, _, tree = params["payload"].partition("\n")
        told: Mapping[str, Any] = json.loads(head)
        if "refused" in told:
            self.on_refused(told["refused"])
        elif "recorded" in told:
            self.on_recorded(told["recorded"])
        elif "event" in told:
            self._acted(params["executionContextId"], told, tree)
        elif "moment" in told:
            self._take_value(params["executionContextId"], told)

    def _acted(self, world: int, told: Mapping[str, Any], tree: str) -> None:
        if not told["same"]:
            self._trees[world] = tree
        element = SeenElement(tuple(told["place"]), told["tag"], told["css"], told["text"], told["value"])
        if told["value"] is not None and len(self._held) < MOST_VALUES:
            self._held[world, told["moment"]] = element
        moment = SeenMoment("acted", self.number, self.url, told["event"], element, self._trees.get(world, ""))
        self.on_moment(moment)

    def _take_value(self, world: int, told: Mapping[str, Any]) -> None:
        if element := self._held.get((world, told["moment"])):
            element.value = told["value"]

    def _is_there(self) -> bool:
        """Whether it shows a document, and is to go on doing so."""
        is_ready = self._loaded if self.blocked else self._world is not None
        return is_ready and not self.is_closing and not self.is_leaving

    @property
    def patience(self) -> float:
        """Seconds for which servers are waited for."""
        return self.channel.timeout * PATIENCE

    def comes(self, condition: Callable[[], bool]) -> bool:
        """Whether a document that was asked for comes in time; else it is given up, and the one before stays.

        Args:
            condition: What holds when it has come.
        """
        if self.channel.comes_true(condition, self.patience):
            return True
        self.on_late(self._asked)
        self.channel.call("Page.stopLoading")
        return False

    def settle(self) -> None:
        """Wait until its document, or the one that is on its way, has loaded and is at rest; see ``SiteBrowser``."""
        for _ in range(MOST_DOCUMENTS):
            if self.is_leaving:
                self.comes(self._is_there)
            self.channel.wait_until(self._is_there)
            if self.blocked:
                return
            world, moves = self.world_number, self.moves
            try:
                told = self._at_rest()
            except PageFailed:
                # Another document has come while this one was asked.
                if self.moves == moves and not self.is_leaving and self._world is not None:
                    raise
                continue
            self.title = told["title"]
            if told["late"]:
                self.on_late(self.url)
            for value in told["values"]:
                self._take_value(world, value)
            self._held.clear()
            if not self.is_leaving and not self._requests.wait():
                return

    def _at_rest(self) -> Any:
        """What its document tells when it is at rest.

        Raises:
            PageFailed: another has come while it was asked.
        """
        numbers = [self.send_run("moments.settled")]
        # While another is on its way, the browser holds back what the present one is asked.
        self.channel.wait_until(lambda: self.is_leaving or self.channel.are_answered(numbers))
        if self.is_leaving:
            self.comes(lambda: self.channel.are_answered(numbers))
        return self.values(numbers)[0]

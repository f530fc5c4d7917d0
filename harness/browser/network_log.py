"""What a browser asked of servers and what they answered, exchange by exchange, as DevTools tells it."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from harness.browser.channel import Channel, Params
from harness.browser.wire import Message

LARGEST_BODY = 5_000_000
"""Bytes of an answer whose content is kept; what is larger, as sent, is kept without."""
MOST_EXCHANGES = 10_000
PATIENCE_SECONDS = 5.0
"""How long is waited for contents that the browser still owes."""


@dataclass
class Exchange:
    """One request and its answer; of a redirection each leg is one.

    Attributes:
        sent: The request, as ``Network.requestWillBeSent`` tells it.
        is_page: Whether it asked for the document of a tab, and not of a frame within it.
        answer: The answer, as DevTools tells it (``Network.Response``); None if none came.
        over: When all of it was there, on the clock of ``sent["timestamp"]``, in seconds; None if it never was.
        size: Bytes of the whole answer as sent, head and body; -1 if it was not told.
        failure: Why there is no answer, or not all of one; empty if there is.
        body: The content of the answer; None if the browser did not hand it out, or it is too large.
    """

    sent: Params
    is_page: bool = False
    answer: Params | None = None
    over: float | None = None
    size: int = -1
    failure: str = ""
    body: bytes | None = None


@dataclass
class NetworkLog:
    """The exchanges of the tabs that it hears, in the order in which they began.

    Attributes:
        exchanges: Those so far, at most ``MOST_EXCHANGES``.
        lost: How many more there were.
    """

    exchanges: list[Exchange] = field(default_factory=list)
    lost: int = 0

    def __post_init__(self) -> None:
        self._open: dict[tuple[str, str], Exchange] = {}
        self._owed: set[int] = set()

    def hear(self, channel: Channel, target: str) -> None:
        """Take down what a tab asks for from now on; ``Network.enable`` is its owner's to send.

        Args:
            channel: The session with the tab.
            target: Its id, which is its main frame's, too.
        """
        channel.on("Network.requestWillBeSent", lambda told: self._sent(target, told))
        channel.on("Network.responseReceived", lambda told: self._answered(target, told))
        channel.on("Network.loadingFinished", lambda told: self._finished(channel, target, told))
        channel.on("Network.loadingFailed", lambda told: self._failed(target, told))

    def complete(self, channel: Channel) -> None:
        """Wait until the contents that were asked for are there, or nobody hands them out any more.

        Args:
            channel: The session with the tab that is open.

        Raises:
            BrowserGone: the browser has ended.
        """
        channel.comes_true(lambda: not self._owed, PATIENCE_SECONDS)

    def _sent(self, target: str, told: Params) -> None:
        key = (target, told["requestId"])
        if (before := self._open.pop(key, None)) and "redirectResponse" in told:
            before.answer, before.over = told["redirectResponse"], told["timestamp"]
        if len(self.exchanges) >= MOST_EXCHANGES:
            self.lost += 1
            return
        is_page = told.get("type") == "Document" and told.get("frameId") == target
        self._open[key] = Exchange(told, is_page)
        self.exchanges.append(self._open[key])

    def _answered(self, target: str, told: Params) -> None:
        if exchange := self._open.get((target, told["requestId"])):
            exchange.answer = told["response"]

    def _failed(self, target: str, told: Params) -> None:
        if exchange := self._open.pop((target, told["requestId"]), None):
            exchange.over, exchange.failure = told["timestamp"], str(told.get("errorText") or "it failed")

    def _finished(self, channel: Channel, target: str, told: Params) -> None:
        exchange = self._open.pop((target, told["requestId"]), None)
        if exchange is None:
            return
        exchange.over, exchange.size = told["timestamp"], int(told["encodedDataLength"])
        if exchange.size > LARGEST_BODY:
            return
        number = id(exchange)
        self._owed.add(number)

        def taken(reply: Message) -> None:
            self._owed.discard(number)
            exchange.body = _content(reply.get("result"))

        channel.ask(taken, "Network.getResponseBody", requestId=told["requestId"])


def _content(result: dict[str, Any] | None) -> bytes | None:
    if result is None:
        return None
    body = str(result["body"])
    content = base64.b64decode(body) if result["base64Encoded"] else body.encode("utf-8", "surrogatepass")
    return content if len(content) <= LARGEST_BODY else None

"""What the scripts of a page have asked of a server and not been answered yet."""

from __future__ import annotations

from harness.browser.channel import Channel, Params

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

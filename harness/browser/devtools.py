"""The way into an episode's browser for a program that drives it itself, and what that program leaves behind."""

from __future__ import annotations

import socket
from types import TracebackType
from urllib.parse import urldefrag

from harness.browser.browser import Browser, PageClosed
from harness.browser.channel import Refusal
from harness.browser.gate.gate_access import Watcher
from harness.browser.live_page import PageLost

ANSWER_SECONDS = 5.0
"""How long the page may take to answer when a program has ended; what that left running in the page is stopped then."""
STOPS = 3
"""How often such a script is stopped; a timer may begin it anew."""


class Devtools:
    """The DevTools side of one episode; a context, in which programs can reach the page.

    They come through a gate (``harness.browser.gate``), which shows them the episode's page alone. The harness keeps a
    session of its own, over which it reads the page in the end.

    Attributes:
        http: Where the page is listed (``/json/list``) and its WebSocket told (``/json/version``), e.g.
            ``http://127.0.0.1:9222/TOKEN``.
        browser: The WebSocket of a browser that has no other page.
        page: The WebSocket of the episode's page.
        host: Host and port for clients that take nothing else; the token is in the host's name.
        target: The id of that page.
    """

    def __init__(self, browser: Browser, listener: socket.socket | None = None, watcher: Watcher | None = None) -> None:
        """Of the page that ``browser`` shows.

        Args:
            browser: With the page.
            listener: Where programs come in; None for a free port of this machine.
            watcher: Who looks on at what they do; None for nobody.
        """
        self._browser = browser
        self._gate = browser.gate(listener)
        self._gate.watcher = watcher
        self.target = browser.target
        self._is_brought_back = False
        self._notes: list[str] = []
        self._document, self._address = self._shown()

    def __enter__(self) -> Devtools:
        self._gate.__enter__()
        self.http, self.browser = self._gate.http, self._gate.browser
        self.page, self.host = self._gate.page, self._gate.host
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shut()

    def shut(self) -> None:
        """Let nobody in any more, and end what their sessions had set; nothing the second time."""
        self._gate.shut()

    @property
    def refusals(self) -> list[Refusal]:
        """What programs asked for and were refused."""
        return self._gate.refusals

    def _shown(self) -> tuple[str, str]:
        """The document in the episode's page, which loading it again replaces, and its address."""
        frame = self._browser.channel.call("Page.getFrameTree")["frameTree"]["frame"]
        return frame["loaderId"], urldefrag(frame.get("unreachableUrl") or frame["url"]).url

    def listen(self, patience: float = 0.0) -> None:
        """Read what the browser has told meanwhile, so that dialogs and new windows of the page are seen to.

        A program that has asked for a blocked address was kept on its page, or is brought back to it: once.

        Args:
            patience: How many seconds the page may take to tell what the program has just done; 0 for no waiting.

        Raises:
            PageLost: the page was closed.
            harness.browser.wire.BrowserGone: the page's process crashed, or the browser does not answer.
        """
        try:
            self._browser.catch_up()
            if patience:
                self._browser.channel.answers(patience)
        except PageClosed:
            raise PageLost("it closed the episode's page; it has to leave it open") from None
        if self._is_brought_back:
            return
        if self._gate.kept_from:
            self._note_way_back(self._gate.kept_from, "with its form as it was")
        elif self._browser.blocked:
            self._bring_back()

    def _bring_back(self) -> None:
        """Go back to the episode's page, for an address of which only the browser has seen that it is blocked."""
        channel, asked = self._browser.channel, self._browser.blocked
        history = channel.call("Page.getNavigationHistory")
        before = history["entries"][: history["currentIndex"]]
        entries = [entry["id"] for entry in before if urldefrag(entry["url"]).url == self._address]
        if not entries:
            return
        channel.post("Page.navigateToHistoryEntry", entryId=entries[-1])
        channel.wait_until(lambda: not self._browser.blocked)
        self._browser.wait_until_loaded()
        self._gate.patience = 0
        self._note_way_back(asked, "loaded again, with what the browser had kept of its form")

    def _note_way_back(self, asked: str, how: str) -> None:
        self._is_brought_back = True
        back = f"the episode's page was brought back {how}"
        self._notes.append(f"the program asked for {asked}, which is blocked; {back}")

    def take_notes(self) -> list[str]:
        """What is to be known of the program's ways with the page, in words, since this was last asked."""
        taken, self._notes = self._notes, []
        return taken

    def take_back(self) -> None:
        """Make the episode's page as large as it was, and wait until it has loaded; nobody else reaches it any more.

        A page that the program has loaded again is the episode's page still, though what was entered before is gone.

        Raises:
            PageLost: the page was closed, shows another page, or scripts keep it busy without end.
            harness.browser.wire.BrowserGone: as for ``listen``, or the page does not load.
        """
        self.listen()
        self.shut()
        self._stop_endless_scripts()
        self.listen()
        self._browser.channel.post("Page.bringToFront")
        self._browser.wait_until_loaded()
        document, address = self._shown()
        if address != self._address and document != self._document:
            again = ", though it had been brought back once" if self._is_brought_back else ""
            raise PageLost(f"it left the episode's page for {address}{again}, so that what was entered there is gone")
        if document != self._document:
            self._notes.append("the program has had the page loaded again; its last state counts")
        if not self._browser.settings.kiosk:
            self._browser.page.ask_for_size()
            self._browser.page.wait_for_size()

    def _stop_endless_scripts(self) -> None:
        channel = self._browser.channel
        for _ in range(STOPS):
            if channel.answers(ANSWER_SECONDS):
                return
            channel.post("Runtime.terminateExecution")
        if not channel.answers(ANSWER_SECONDS):
            raise PageLost("it left scripts running in the page that keep it busy without end")

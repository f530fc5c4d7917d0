"""The way into an episode's browser for a program that drives it itself, and what that program leaves behind."""

from __future__ import annotations

from urllib.parse import urldefrag, urlsplit

from harness.browser.browser import Browser
from harness.browser.channel import BrowserGone
from harness.browser.launch import SCREEN
from harness.text.numbers import counted

ANSWER_SECONDS = 5.0
"""How long the page may take to answer when a program has ended; what that left running in the page is stopped then."""
STOPS = 3
"""How often such a script is stopped; a timer may begin it anew."""


class PageLost(Exception):
    """The program closed the episode's page or its browser, or left the page: there is nothing to read any more."""


class Devtools:
    """The DevTools side of one episode.

    A page can have several clients at a time: the program has a connection of its own, and the harness keeps the one
    over which it reads the page in the end.

    Attributes:
        http: Where the browser lists its pages (``/json/list``) and tells its WebSocket (``/json/version``), e.g.
            ``http://127.0.0.1:9222``.
        page: The WebSocket of the episode's page.
        target: The id of that page.
    """

    def __init__(self, browser: Browser) -> None:
        """Of the page that ``browser`` shows."""
        self._browser = browser
        self.page = browser.channel.address
        self.http = f"http://{urlsplit(self.page).netloc}"
        self.target = self.page.rpartition("/")[2]
        self._is_brought_back = False
        self._notes: list[str] = []
        self._document, self._address = self._shown()
        # Chromium lists pages of its own among them, which no window shows.
        self._before = self._pages()

    def _shown(self) -> tuple[str, str]:
        """The document in the episode's page, which loading it again replaces, and its address."""
        frame = self._browser.channel.call("Page.getFrameTree")["frameTree"]["frame"]
        return frame["loaderId"], urldefrag(frame.get("unreachableUrl") or frame["url"]).url

    def _pages(self) -> set[str]:
        targets = self._browser.channel.call("Target.getTargets")["targetInfos"]
        return {target["targetId"] for target in targets if target["type"] == "page"}

    def listen(self, patience: float = 0.0) -> None:
        """Read what the browser has told meanwhile, so that dialogs and new windows of the page are seen to.

        Where the program has asked for a blocked address, its page is brought back, once.

        Args:
            patience: How many seconds the page may take to tell what the program has just done; 0 for no waiting.

        Raises:
            PageLost: the page or the browser was closed.
            BrowserGone: the page's process crashed, or the browser does not answer.
        """
        try:
            self._browser.catch_up()
            if patience:
                self._browser.channel.answers(patience)
        except BrowserGone:
            # A page that is closed says so before its connection ends; one that crashes says something else.
            if self._browser.detached != "target_closed":
                raise
            raise PageLost("it closed the episode's page or its browser; it has to leave both open") from None
        if self._browser.blocked and not self._is_brought_back:
            self._bring_back()

    def _bring_back(self) -> None:
        """Go back to the episode's page: out of the browser's cache of pages, else loaded again."""
        channel, asked = self._browser.channel, self._browser.blocked
        history = channel.call("Page.getNavigationHistory")
        before = history["entries"][: history["currentIndex"]]
        entries = [entry["id"] for entry in before if urldefrag(entry["url"]).url == self._address]
        if not entries:
            return
        channel.post("Page.navigateToHistoryEntry", entryId=entries[-1])
        channel.wait_until(lambda: not self._browser.blocked)
        self._browser.wait_until_loaded()
        is_as_it_was = self._shown()[0] == self._document
        how = "with its form as it was" if is_as_it_was else "loaded again, with what the browser had kept of its form"
        back = f"the episode's page was brought back {how}"
        self._is_brought_back = True
        self._notes.append(f"the program asked for {asked}, which is blocked; {back}")

    def take_notes(self) -> list[str]:
        """What is to be known of the program's ways with the page, in words, since this was last asked."""
        taken, self._notes = self._notes, []
        return taken

    def take_back(self) -> None:
        """Make the episode's page the only one again, as large as it was, and wait until it has loaded.

        A page that the program has loaded again is the episode's page still, though what was entered before is gone.
        Other pages that it has left open are closed, and noted.

        Raises:
            PageLost: the page or the browser was closed, shows another page, or scripts keep it busy without end.
            BrowserGone: as for ``listen``, or the page does not load.
        """
        self.listen()
        self._stop_endless_scripts()
        self.listen()
        channel = self._browser.channel
        others = self._pages() - self._before
        for target in others:
            channel.post("Target.closeTarget", targetId=target)
        channel.post("Page.bringToFront")
        if not self._browser.settings.kiosk:
            width, height = SCREEN
            channel.post(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
            )
        self._browser.wait_until_loaded()
        document, address = self._shown()
        if document != self._document and address != self._address:
            again = ", though it had been brought back once" if self._is_brought_back else ""
            raise PageLost(f"it left the episode's page for {address}{again}, so that what was entered there is gone")
        if others:
            self._notes.append(f"{counted(len(others), 'other page')} left open, and closed")

    def _stop_endless_scripts(self) -> None:
        channel = self._browser.channel
        for _ in range(STOPS):
            if channel.answers(ANSWER_SECONDS):
                return
            channel.post("Runtime.terminateExecution")
        if not channel.answers(ANSWER_SECONDS):
            raise PageLost("it left scripts running in the page that keep it busy without end")

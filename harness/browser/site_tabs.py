"""The tabs of a site: those that are open, the windows that show them, and what programs may do with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from harness.browser.channel import Channel, CommandFailed, Params
from harness.browser.launch import SCREEN, BrowserSettings
from harness.browser.live_page import PageFailed
from harness.browser.network_log import NetworkLog
from harness.browser.tab import Tab
from harness.browser.wire import BrowserGone


class TabRefused(Exception):
    """There is no such tab, or there can be none; the message says why."""


class OpenTabs:
    """Tabs in the order in which they were opened; of one that was closed its costs alone are kept.

    Attributes:
        count: How many were opened so far, which is the number of the next.
    """

    def __init__(self) -> None:
        self.count = 0
        self._open: list[Tab] = []
        self._past: Counter[str] = Counter()
        self._log: NetworkLog | None = None

    def __iter__(self) -> Iterator[Tab]:
        return iter(tuple(self._open))

    def __len__(self) -> int:
        return len(self._open)

    def add(self, tab: Tab) -> None:
        """One was opened."""
        self._open.append(tab)
        self.count += 1
        if self._log:
            self._log.hear(tab.channel, tab.target)

    def log_network(self) -> NetworkLog:
        """Take down what those that are open, and those to come, ask of servers from now on."""
        self._log = NetworkLog()
        for tab in self._open:
            self._log.hear(tab.channel, tab.target)
        return self._log

    def remove(self, tab: Tab, why: BrowserGone) -> None:
        """One was closed: nothing is heard of it any more, and who asks it something is told why."""
        tab.is_open = False
        tab.channel.end(why)
        self._open.remove(tab)
        self._past.update(_counts(tab.channel))

    def of(self, target: str) -> Tab | None:
        """The tab of a page; None if it is not open."""
        return next((tab for tab in self._open if tab.target == target), None)

    def numbered(self, number: int) -> Tab:
        """The tab of a number.

        Raises:
            TabRefused: there is none, or none any more.
        """
        for tab in self._open:
            if tab.number == number:
                return tab
        there = ", ".join(str(tab.number) for tab in self._open)
        raise TabRefused(f"there is no tab {number} (open: {there})")

    @property
    def counts(self) -> Mapping[str, int]:
        """How many messages were awaited, and how often it was stood still for them, in all tabs that ever were."""
        counts = Counter(self._past)
        for tab in self._open:
            counts.update(_counts(tab.channel))
        return counts


def _counts(channel: Channel) -> dict[str, int]:
    return {"messages": channel.messages, "waits": channel.waits}


MOST_TABS = 20
"""Tabs that are open at once."""


class HasTabs(Protocol):
    """A browser with tabs."""

    settings: BrowserSettings

    @property
    def tabs(self) -> Sequence[Tab]:
        """Those that are open."""

    @property
    def context(self) -> str:
        """The browser context that they are in."""

    def use(self, target: str) -> None:
        """Take the tab of a page for the current one."""


class GatedTabs:
    """The tabs of a browser, for programs."""

    def __init__(self, browser: HasTabs) -> None:
        self._browser = browser

    def page_parameters(self) -> Params:
        """See ``TabAccess``."""
        return {"browserContextId": self._browser.context}

    def reason_against_tab(self, url: str) -> str:
        """See ``TabAccess``."""
        if len(self._browser.tabs) >= MOST_TABS:
            return f"there are {MOST_TABS} tabs already"
        policy = self._browser.settings.policy
        return "" if policy.allows(url) else f"the task may visit {', '.join(policy.origins)} only"

    def reason_against_closing(self, target: str) -> str:
        """See ``TabAccess``."""
        others = [tab for tab in self._browser.tabs if tab.target != target]
        return "" if others else "it is the only tab, which stays open"

    def use(self, target: str) -> None:
        """See ``TabAccess``."""
        self._browser.use(target)


FIRST_FRAMES = 2
"""Of a document, until presses reach it: the second is asked for when the first is drawn."""
_WIDTH, _HEIGHT = SCREEN


class SiteWindow:
    """What a person, or the pointer of an X display, finds of the tabs."""

    def __init__(self, root: Channel, settings: BrowserSettings) -> None:
        """Of a browser.

        Args:
            root: The session with it.
            settings: How it was started.
        """
        self._root = root
        self._covers = settings.kiosk and not settings.headless
        self._in_front: tuple[Tab, str] | None = None

    def fit(self, tab: Tab) -> None:
        """Let the window be as large as the page and what the browser puts around it, if it is one that can do so."""
        with suppress(CommandFailed):  # else it is larger, and empty below the page
            window = self._root.call("Browser.getWindowForTarget", targetId=tab.target)["windowId"]
            self._root.call("Browser.setContentsSize", windowId=window, width=_WIDTH, height=_HEIGHT)

    def shows(self, tab: Tab) -> bool:
        """Whether a tab has the screen and the keyboard, which it is given where pages are to fill the screen.

        A document has them with its first frames; before, the pointer presses what was there. It is False where another
        document has come meanwhile: it is asked again when that has settled.

        Raises:
            harness.browser.live_page.PageClosed: the tab was closed.
            harness.browser.wire.BrowserGone: no answer.
        """
        shown = (tab, tab.document)
        if not self._covers or tab.blocked or shown == self._in_front:
            return True
        with suppress(CommandFailed, PageFailed):
            self._cover(tab)
            tab.wait_for_size()
            for _ in range(FIRST_FRAMES):
                tab.run("page.frame")
            self._in_front = shown
        return shown == self._in_front

    def _cover(self, tab: Tab) -> None:
        """Let the window of a tab fill the screen: as the browser starts, only the first of its windows does."""
        window = self._root.call("Browser.getWindowForTarget", targetId=tab.target)
        if window["bounds"]["windowState"] != "fullscreen":
            place = {"left": 0, "top": 0, "width": _WIDTH, "height": _HEIGHT}
            for bounds in (place, {"windowState": "fullscreen"}):
                self._root.call("Browser.setWindowBounds", windowId=window["windowId"], bounds=bounds)
        tab.channel.call("Page.bringToFront")

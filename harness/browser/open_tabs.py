"""The tabs of one episode that are open, by number and by target, and what all of its tabs have cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from harness.browser.channel import Channel
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

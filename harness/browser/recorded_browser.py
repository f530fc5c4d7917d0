"""A browser in which a person walks through a site and is heard: what the person does, and to which element."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from harness.browser.channel import Params
from harness.browser.launch import in_page_script
from harness.browser.live_page import WORLD
from harness.browser.site_browser import SiteBrowser
from harness.browser.tab import Tab

MOST_HEARD = 5_000
"""Inputs that wait to be taken; what comes after them is not heard."""
PICTURE_QUALITY = 80


@dataclass(frozen=True)
class HeardInput:
    """What a person did to an element.

    Attributes:
        tab: The tab's number.
        url: Its address, then.
        told: What ``recorded.js`` tells of it: ``event``, ``key``, ``mark``, ``control``, ``secret``, ``value`` and
            ``framed``.
        at: When it was told, by ``time.monotonic``.
    """

    tab: int
    url: str
    told: Mapping[str, Any]
    at: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class TabHistory:
    """Where a tab was, as the browser's buttons go through it.

    Attributes:
        place: Which of the entries is shown.
        entries: The numbers of all, the oldest first.
        way: How the one that is shown came about, in the browser's words: ``link``, ``typed``, ``reload``, ...
    """

    place: int = 0
    entries: tuple[int, ...] = ()
    way: str = ""


class RecordedBrowser(SiteBrowser):
    """A ``SiteBrowser`` that hears what a person does in it."""

    def _begin(self, first: str) -> None:
        self._heard: list[HeardInput] = []
        super()._begin(first)

    def _preparation(self) -> list[tuple[str, Params]]:
        source = in_page_script("recorded", "site_scripts")
        script = {"source": source, "worldName": WORLD, "runImmediately": True}
        return [*super()._preparation(), ("Page.addScriptToEvaluateOnNewDocument", script)]

    def _on_attached(self, params: Params) -> None:
        super()._on_attached(params)
        for tab in self._tabs:
            tab.on_recorded = partial(self._hear, tab)

    def _hear(self, tab: Tab, told: Mapping[str, Any]) -> None:
        if len(self._heard) < MOST_HEARD:
            self._heard.append(HeardInput(tab.number, tab.url, told))

    def take_heard(self) -> list[HeardInput]:
        """What a person has done since this was last called, in order."""
        taken, self._heard = self._heard, []
        return taken

    def history(self, tab: Tab) -> TabHistory:
        """Where a tab was.

        Raises:
            harness.browser.wire.BrowserGone: the tab was closed, or the browser died.
        """
        told = tab.channel.call("Page.getNavigationHistory")
        entries, place = told["entries"], told["currentIndex"]
        way = entries[place].get("transitionType", "") if entries else ""
        return TabHistory(place, tuple(entry["id"] for entry in entries), way)

    def view(self) -> bytes:
        """JPEG of the viewport of the current tab, exactly ``SCREEN``."""
        return self.page.picture(quality=PICTURE_QUALITY)

"""Observation of a website, whose pages may go on to others by themselves while they are looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import InputBackEnd
from harness.browser.site_browser import SiteBrowser
from harness.episode.observation import Observation
from harness.episode.trajectory import Trajectory
from harness.observe.screenshots import Picture
from harness.observe.snapshot import Snapshot


@dataclass(frozen=True)
class OpenTab:
    """A tab that is open.

    Attributes:
        number: As ``switch_tab`` takes it; from 0, in the order in which tabs were opened.
        url: The address that it shows.
        title: The title of that page.
        shown: Whether it is the one that is acted on.
    """

    number: int
    url: str
    title: str
    shown: bool

    def __str__(self) -> str:
        return f"{self.number}: {self.title or '(no title)'}, {self.url}{' (shown)' if self.shown else ''}"


@dataclass(frozen=True)
class PageTool:
    """A tool that the shown page itself offers.

    Attributes:
        name: As ``call_tool`` takes it.
        description: What it does, in the page's words.
        schema: The JSON Schema of its arguments, as JSON.
    """

    name: str
    description: str
    schema: str

    def __str__(self) -> str:
        return f"{self.name}: {self.description}. Arguments: {self.schema}"


T = TypeVar("T")
LOOKS = 3
"""How often a page is looked at that is gone before it was seen."""


class SiteObservation(Observation):
    """As ``Observation``, of the tab that is shown; a look at a page that is gone by then is taken again."""

    def __init__(
        self,
        browser: SiteBrowser,
        back_end: InputBackEnd,
        trajectory: Trajectory,
        scroll_to: Callable[[str], object],
    ) -> None:
        """Observe the tabs of ``browser``; the other arguments are those of ``Observation``."""
        super().__init__(browser, back_end, trajectory, scroll_to)
        self._site = browser

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """As of ``Observation``."""
        return self._steadily(lambda: super(SiteObservation, self).snapshot(encoding))

    def read_pictures(self, snapshot: Snapshot) -> Snapshot:
        """As of ``Observation``."""
        return self._steadily(lambda: super(SiteObservation, self).read_pictures(snapshot))

    def digest(self) -> str:
        """As of ``Observation``."""
        return self._steadily(super().digest)

    def picture(self, mode: str, field: str | None = None) -> Picture | None:
        """As of ``Observation``."""
        return self._steadily(lambda: super(SiteObservation, self).picture(mode, field))

    def screen(self) -> bytes:
        """As of ``Observation``."""
        return self._steadily(super().screen)

    def _steadily(self, look: Callable[[], T]) -> T:
        for _ in range(LOOKS - 1):
            try:
                return look()
            except (PageFailed, CommandFailed):
                self._site.settle()
        return look()

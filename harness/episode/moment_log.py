"""What happens in the tabs of an episode, moment by moment, within bounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from harness.browser.seen_moments import SeenElement, SeenMoment
from harness.browser.site_browser import SiteBrowser
from harness.episode.trajectory import Trajectory
from harness.records.site_record import MOST_MOMENTS, ActedElement, Moment
from harness.records.texts import name_of

MOST_CHARACTERS = 256 * 1024 * 1024
"""Of the trees of pages that are kept of one episode, in memory until it is over; moments after them have none."""


KeepMoments = Callable[[Sequence[Moment], Mapping[str, str]], None]
"""Is given moments, and trees of pages by SHA-256."""


def keep_nothing(_moments: Sequence[Moment], _trees: Mapping[str, str]) -> None:
    """Where nobody would look for them."""


class MomentLog:
    """The moments of one episode; the trees of its pages are texts of its trajectory.

    Attributes:
        moments: In order.
    """

    def __init__(self, browser: SiteBrowser, trajectory: Trajectory, keep: KeepMoments = keep_nothing) -> None:
        """Begin one.

        Args:
            browser: In which it happens.
            trajectory: Takes the trees.
            keep: Is given what has come, and the trees that are new, each time that moments are taken down.
        """
        self._keep = keep
        self._new_trees: dict[str, str] = {}
        self.moments: list[Moment] = []
        self._began = time.monotonic()
        self._left_out = 0
        self._browser = browser
        self._trajectory = trajectory
        self._room = MOST_CHARACTERS
        self._last = ("", "")

    @property
    def lost(self) -> int:
        """How many more there were."""
        return self._left_out + self._browser.moments_lost

    def take(self, step: int | None) -> None:
        """Take down what has happened since the last time.

        Args:
            step: The place of the step during which it did; None for before the first, or of no step.
        """
        before = len(self.moments)
        for seen in self._browser.take_moments():
            if len(self.moments) >= MOST_MOMENTS:
                self._left_out += 1
            else:
                self.moments.append(self._moment(seen, step))
        if new := self.moments[before:]:
            self._keep(new, self._new_trees)
            self._new_trees.clear()

    def _moment(self, seen: SeenMoment, step: int | None) -> Moment:
        return Moment(
            kind=seen.kind,
            step=step,
            tab=seen.tab,
            url=seen.url,
            event=seen.event,
            element=_acted(seen.element) if seen.element else None,
            dom=self._kept(seen.dom),
            ms=round(max(0.0, seen.at - self._began) * 1000, 2),
        )

    def _kept(self, tree: str) -> str:
        """The name of a tree of a page; empty if it is none, or there is no room for it."""
        if not tree:
            return ""
        if tree is self._last[0]:  # as it is where nothing has changed
            return self._last[1]
        name = name_of(tree)
        if name not in self._trajectory.texts:
            if len(tree) > self._room:
                return ""
            self._room -= len(tree)
            self._trajectory.texts[name] = self._new_trees[name] = tree
        self._last = (tree, name)
        return name


def _acted(seen: SeenElement) -> ActedElement:
    return ActedElement(place=seen.place, tag=seen.tag, css=seen.css, text=seen.text, value=seen.value)

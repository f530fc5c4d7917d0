"""Observation of a page on which nobody acts: what was looked at once is not looked at again."""

from __future__ import annotations

from harness.episode.observation import Observation
from harness.observe.screenshots import Picture
from harness.observe.snapshot import Snapshot


class StillObservation(Observation):
    """Remembers snapshots and pictures, for reckoning what many runs would send about one untouched page.

    A picture of the screen stands for those of all fields: its tokens depend on its size alone. Where it has numbers,
    which are told in words, each field has its own.
    """

    def __init__(self, live: Observation) -> None:
        """Remember what ``live`` sees; its page has to stay as it is."""
        self._live = live
        self._snapshots: dict[str | None, Snapshot] = {}
        self._pictures: dict[tuple[str, str | None], Picture | None] = {}

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """As ``Observation.snapshot``."""
        if encoding not in self._snapshots:
            self._snapshots[encoding] = self._live.snapshot(encoding)
        return self._snapshots[encoding]

    def read_pictures(self, snapshot: Snapshot) -> Snapshot:
        """As ``Observation.read_pictures``."""
        return self._live.read_pictures(snapshot)

    def digest(self) -> str:
        """As ``Observation.digest``."""
        return self.snapshot().digest()

    def picture(self, mode: str, field: str | None = None) -> Picture | None:
        """As ``Observation.picture``, but for the place to which the page is scrolled."""
        seen = (mode, field if mode.startswith("marks") else None)
        if seen not in self._pictures:
            self._pictures[seen] = self._live.picture(mode, field)
        return self._pictures[seen]

    def number_elements(self) -> None:
        """As ``Observation.number_elements``."""
        self._live.number_elements()

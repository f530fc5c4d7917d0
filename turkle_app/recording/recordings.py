"""The recordings of this server: each has a browser, so there are few at a time."""

from __future__ import annotations

import itertools
import threading

from django.conf import settings

from harness.kit.errors import UserError
from harness.sites.recording.order import RecordingOrder
from harness.sites.recording.recorder import Recorder

MOST = 4
"""Recordings that go on at a time."""

MOST_KEPT = 20
"""Recordings that are remembered, those among them that have ended."""


class TooManyRecordings(UserError):
    """One more recording cannot be begun; the message says what to do."""


class Recordings:
    """Those of one server, by number."""

    def __init__(self) -> None:
        self._recorders: dict[int, Recorder] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def begin(self, order: RecordingOrder) -> int:
        """Begin one; gives its number.

        Raises:
            TooManyRecordings: as many as there may be go on.
        """
        tasks = settings.TURKLE_RECORD_DIR
        assert tasks is not None  # noqa: S101 - the app is on only then
        with self._lock:
            going = [each for each in self._recorders.values() if each.phase not in ("ended", "failed")]
            if len(going) >= MOST:
                raise TooManyRecordings(f"{MOST} recordings go on already: end one of them first")
            for old, _ in self.all()[MOST_KEPT:]:
                if self._recorders[old] not in going:
                    del self._recorders[old]
            number = next(self._numbers)
            self._recorders[number] = Recorder(order, tasks)
            return number

    def find(self, number: int) -> Recorder | None:
        """The recording of a number; None if there is none."""
        return self._recorders.get(number)

    def all(self) -> list[tuple[int, Recorder]]:
        """All, the newest first."""
        return sorted(self._recorders.items(), reverse=True)


RECORDINGS = Recordings()
"""Those of this process."""

"""A run that is looked at: its index is kept up with its directory, by workers, while pages show what is known."""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness.kit.files.codec import plain
from harness.records.run_record import RunRecord
from harness.reports.watch.background_workers import BackgroundWorkers
from harness.reports.watch.folder_changes import FolderChanges, changes
from harness.reports.watch.index_upkeep import CHUNK, is_built, settle
from harness.reports.watch.run_index import IndexGone, RunIndex
from harness.reports.watch.saved_numbers import RunNumbers, last_number, saved_numbers

_SHARE = 10
"""The numbers of a run that goes on are made anew after so many times the time that they took."""
_FIRST = 50
"""Episodes that are taken in first."""
_AFTER_FAILURE = 10.0
"""Seconds after which it is tried again."""


@dataclass(frozen=True)
class IndexProgress:
    """How far the index of a run is.

    Attributes:
        built: Whether it was complete once: then lists can be shown, though the newest episodes may be missing.
        episodes: Episodes that it knows.
        broken: Files that it knows to be broken.
        waiting: Files that it does not know yet.
        numbers: Numbers of the run; None if there are none yet. They may be of fewer episodes than are known.
        newest: The number in it of the episode that was taken in last; another whenever something was.
        behind: Whether there are later episodes than its numbers are of.
        failed: Why it could not be kept up; empty if it could.
    """

    built: bool
    episodes: int
    broken: int
    waiting: int
    numbers: RunNumbers | None
    newest: int
    behind: bool
    failed: str

    @property
    def share(self) -> float:
        """The share of the files that is known."""
        known = self.episodes + self.broken
        return known / (known + self.waiting) if known + self.waiting else 1.0

    @property
    def busy(self) -> bool:
        """Whether what is shown will change though nothing is written any more."""
        return not self.failed and (not self.built or self.waiting > 0 or self.behind)


class RunWatch:
    """Keeps the index of one run up.

    Attributes:
        index: The index.
    """

    def __init__(self, index: RunIndex, workers: BackgroundWorkers) -> None:
        self.index = index
        self._clerks = workers
        self._lock = threading.Lock()
        self._looked = -math.inf
        self._asked: list[Future[Any]] = []
        self._numbers: Future[Any] | None = None
        self._numbers_at = -math.inf
        self._failed = ""
        self._most = 0
        self._held = False

    def look(self, holds: float = 0.0) -> IndexProgress:
        """Look what is new, and have it taken in; returns at once.

        Args:
            holds: Seconds for which an earlier look is good enough, if that was not one at a run that went on: 0 there.

        Raises:
            OSError: the cache cannot be written.
        """
        try:
            with self._lock:
                return self._look(holds)
        except IndexGone:
            self._looked = -math.inf
            return IndexProgress(False, 0, 0, 1, None, 0, behind=True, failed="")

    def _look(self, holds: float) -> IndexProgress:
        with self.index.open() as database:
            # What was written last, before a run ended, nobody may have seen yet.
            pause = max(holds if self._held else 0.0, _AFTER_FAILURE if self._failed else 0.0)
            if not self._waiting() and time.monotonic() - self._looked >= pause:
                found = changes(self.index.run, database, edited=self._looked == -math.inf)
                self._looked, self._held = time.monotonic(), holds > 0
                if found.files:
                    self._hand_out(found)
                else:
                    settle(database, found)
            files, episodes = database.execute("SELECT count(*), count(episode) FROM file").fetchone()
            last = last_number(database)
            built = is_built(database)
            numbers = saved_numbers(database)
        waiting = min(CHUNK * len(self._waiting()), self._most)
        behind = bool(episodes) and (numbers is None or (numbers.last, numbers.episodes) != (last, episodes))
        if built and not waiting and behind:
            self._count(numbers)
        broken = files - episodes
        return IndexProgress(built, episodes, broken, waiting, numbers, last, behind=behind, failed=self._failed)

    def _waiting(self) -> list[Future[Any]]:
        """What workers were asked for and have not done; notes why something failed."""
        for each in self._asked:
            if each.done() and (error := each.exception()):
                self._failed = str(error)
        self._asked = [each for each in self._asked if not each.done()]
        return self._asked

    def _hand_out(self, found: FolderChanges) -> None:
        self._failed = ""
        self._most = len(found.files)
        # Few at first: whoever waits for the page sees rows the sooner.
        starts = [0, *range(_FIRST, len(found.files), CHUNK)]
        chunks = [found.files[first:end] for first, end in pairwise([*starts, len(found.files)])]
        run = str(self.index.run)
        self._asked = [
            self._clerks.ask({"do": "take in", "run": run, "files": plain(chunk)}, len(found.files)) for chunk in chunks
        ]

    def _count(self, numbers: RunNumbers | None) -> None:
        """Have the numbers made, unless somebody does, or has just done."""
        if self._numbers and not self._numbers.done():
            return
        if self._numbers and (error := self._numbers.exception()):
            self._failed = str(error)
        if numbers and time.monotonic() - self._numbers_at < _SHARE * numbers.seconds:
            return
        self._numbers_at = time.monotonic()
        self._numbers = self._clerks.ask({"do": "numbers", "run": str(self.index.run)})


class WatchedRuns:
    """All runs that a server was asked for, each watched once.

    Attributes:
        workers: Who does what is slow.
    """

    def __init__(self) -> None:
        self.workers = BackgroundWorkers()
        self._lock = threading.Lock()
        self._watches: dict[tuple[Path, str], RunWatch] = {}

    def watch(self, folder: Path, record: RunRecord) -> RunWatch:
        """The watch over a run.

        Args:
            folder: The run directory.
            record: Its ``run.json``.
        """
        index = RunIndex(folder, record)
        with self._lock:
            return self._watches.setdefault((index.file, index.identity), RunWatch(index, self.workers))

"""A limit on how many calls all processes of a run make at once."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep as real_sleep

NAP = 0.1
"""Seconds between two looks for a free place."""


class Slots:
    """So many places, each a locked file; a process that dies leaves its place to the others."""

    def __init__(self, folder: Path, places: int, sleep: Callable[[float], None] = real_sleep) -> None:
        """Use a folder, which need not exist.

        Args:
            folder: For the files; the same for all processes.
            places: How many calls are made at once at most.
            sleep: Waits so many seconds.

        Raises:
            ValueError: If there is no place at all.
        """
        if places < 1:
            raise ValueError(f"at least one call must be possible at a time, not {places}")
        self._folder = folder
        self._places = places
        self._sleep = sleep

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """A context that holds a place, after waiting for one."""
        place = self._take()
        try:
            yield
        finally:
            os.close(place)  # which lets the lock go

    def take_if_free(self) -> int | None:
        """A place, as a descriptor that lets it go when it is closed; None if none is free."""
        self._folder.mkdir(parents=True, exist_ok=True)
        # Not all from the first on, or many that wait would all look at the same locked files.
        first = random.randrange(self._places)  # noqa: S311 - it spreads looks and guards nothing
        for number in range(self._places):
            place = self._try(self._folder / f"{(first + number) % self._places}.lock")
            if place is not None:
                return place
        return None

    def _take(self) -> int:
        while (place := self.take_if_free()) is None:
            self._sleep(NAP)
        return place

    def _try(self, file: Path) -> int | None:
        place = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(place)
            return None
        except BaseException:
            os.close(place)
            raise
        return place

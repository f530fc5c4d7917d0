"""What is kept of an episode while it goes on, on disk: its run, or the process of its solver, may be killed."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import path_name, write_json
from harness.records.config import Limits
from harness.records.directory import MalformedRun
from harness.records.fatal import CannotWrite
from harness.records.site_record import MOST_MOMENTS, Moment
from harness.records.turn import Turn

ATTEMPTS_FOLDER = "attempts"
"""Of the run directory; a file an instance, named as its episode's."""
SOLVER_ATTEMPTS = 2
"""How often a solver is handed a page at most, if page, browser or process die while it works."""


@dataclass(frozen=True)
class LostAttempts:
    """Attempts of a solver at a page that died under it.

    Attributes:
        count: How many.
        reason: How the last of them ended.
        limits: What is left to the solver of what it may use.
        turns: What it said to a model meanwhile; None if that is not known.
    """

    count: int
    reason: str
    limits: Limits
    turns: tuple[Turn, ...] | None

    @property
    def final(self) -> bool:
        """Whether there is no further attempt: it had its second, or has no time left for one."""
        return self.count >= SOLVER_ATTEMPTS or self.limits.max_seconds <= 0

    @property
    def detail(self) -> str:
        """What happened, in words for the episode."""
        often = "twice" if self.count > 1 else "with no time left to try again"
        return f"died {often} while the solver worked: {self.reason}"


class LostAttemptFiles(Protocol):
    """Where goes what came to nothing, on this machine or another."""

    def write(self, task: str, index: int, lost: LostAttempts) -> None:
        """Keep what came to nothing at an instance, before it is tried again."""


@dataclass(frozen=True)
class KeptAttempts:
    """The lost attempts of a run, on disk.

    Attributes:
        run: The run directory.
    """

    run: Path

    def write(self, task: str, index: int, lost: LostAttempts) -> None:
        """Keep what came to nothing at an instance, before it is tried again.

        Raises:
            CannotWrite: the disk is full or the folder read-only.
        """
        try:
            write_json(self._file(task, index), codec.plain(lost))
        except OSError as error:
            raise CannotWrite(self.run, error) from error

    def read(self, task: str, index: int) -> LostAttempts | None:
        """What came to nothing at an instance that has no score yet; None if nothing did.

        Raises:
            harness.records.directory.MalformedRun: it cannot be read.
        """
        file = self._file(task, index)
        try:
            return codec.decode(read_inside(file.parent, file.name, MOST), LostAttempts)
        except FileNotFoundError:
            return None
        except (OSError, codec.Malformed) as error:
            raise MalformedRun(f"{file} cannot be read: {error}") from error

    def forget(self, task: str, index: int) -> None:
        """The instance has a score: its episode tells of its attempts."""
        self._file(task, index).unlink(missing_ok=True)

    def _file(self, task: str, index: int) -> Path:
        return self.run / ATTEMPTS_FOLDER / path_name(task) / f"{index}.json"


MOST_BYTES = 64 * 1024 * 1024
"""Of the moments of one attempt; what comes after them is not kept before the episode ends."""


@dataclass(frozen=True)
class SavedMoments:
    """The moments of the last attempt at an instance, a line of JSON each.

    Attributes:
        run: The run directory.
        task: The task's name.
        index: The instance's place in its file.
    """

    run: Path
    task: str
    index: int

    @property
    def _file(self) -> Path:
        return self.run / ATTEMPTS_FOLDER / path_name(self.task) / f"{self.index}.jsonl"

    def add(self, moments: Sequence[Moment]) -> None:
        """Write down what has happened, at once.

        Raises:
            CannotWrite: the disk is full or the folder read-only.
        """
        lines = b"".join(codec.line(each) for each in moments)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab", buffering=0) as stream:
                if stream.tell() + len(lines) <= MOST_BYTES:
                    stream.write(lines)
        except OSError as error:
            raise CannotWrite(self.run, error) from error

    def read(self) -> tuple[Moment, ...] | None:
        """The moments that were written; a line that a killed process has left unfinished is none.

        No step is named, since the steps are lost with the process. None if nothing was written: the first moments are
        there before a solver is handed the page, so that these are lost.

        Raises:
            MalformedRun: they cannot be read.
        """
        try:
            lines = read_inside(self._file.parent, self._file.name, MOST_BYTES).split(b"\n")[:-1]
            moments = tuple(codec.decode(line, Moment) for line in lines[:MOST_MOMENTS])
        except FileNotFoundError:
            return None
        except (OSError, codec.Malformed) as error:
            raise MalformedRun(f"{self._file} cannot be read: {error}") from error
        return tuple(replace(each, step=None) for each in moments)

    def forget(self) -> None:
        """Another attempt begins, or the episode is written; folders that nothing else is in go, too."""
        self._file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._file.parent.rmdir()
            self._file.parent.parent.rmdir()

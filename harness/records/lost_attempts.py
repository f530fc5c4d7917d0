"""Attempts of a solver at a page that died under it, kept on disk until the page has a score: a run may be killed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.names import path_name
from harness.kit.files.writing import write_json
from harness.records.config import Limits
from harness.records.directory import MalformedRun
from harness.records.fatal import CannotWrite
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

"""What happens in an episode on a website, on disk as it happens: the process of its solver may be killed."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.kit.files import codec
from harness.kit.files.inside import read_inside
from harness.kit.files.names import path_name
from harness.records.directory import MalformedRun
from harness.records.fatal import CannotWrite
from harness.records.lost_attempts import ATTEMPTS_FOLDER
from harness.records.site_record import MOST_MOMENTS, Moment

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

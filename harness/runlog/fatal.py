"""What ends a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.errors.user import UnfinishedWork, UserError


class FatalError(UnfinishedWork):
    """What went wrong would go wrong with every other job, too: nothing further is begun."""


class CannotWrite(FatalError):
    """The run directory cannot be written: the disk is full, or the folder is read-only."""

    def __init__(self, folder: Path, error: OSError) -> None:
        super().__init__(folder, error)
        self.folder = folder
        self.error = error

    def __str__(self) -> str:
        return f"{self.folder} cannot be written: {self.error.strerror or self.error}"


class NothingToDo(UserError):
    """No instance was chosen.

    Attributes:
        problems: What is wrong with the tasks, in words, which may be why.
    """

    def __init__(self, message: str, problems: Iterable[object] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(map(str, problems))


class CannotResume(UserError):
    """A run cannot be continued; the message says which of its foundations has changed, and what to do."""

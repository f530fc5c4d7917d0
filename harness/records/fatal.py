"""What ends a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.kit.errors.user import UnfinishedWork, UserError
from harness.records.stop import Stop, StopKind


class FatalError(UnfinishedWork):
    """What went wrong would go wrong with every other job, too: nothing further is begun.

    Attributes:
        kind: The cause, by its kind.
        advice: What to try; empty if nothing is known.
        lasting: Whether the solver cannot do the work at all as things are: waiting will hardly help.
    """

    kind: StopKind = "error"
    advice: str = ""
    lasting: bool = False


class NoAnswers(FatalError):
    """No call of the solver's model can succeed: a key, an account, an address or a model is wrong."""

    kind = "provider"
    lasting = True


class HopelessRun(FatalError):
    """The solver fails on page after page before it has done anything."""

    lasting = True

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.kind = stop.kind
        self.advice = stop.advice
        self.stop = stop

    def __str__(self) -> str:
        return f"stopped: {self.stop.words}"


class CannotWrite(FatalError):
    """The run directory cannot be written: the disk is full, or the folder is read-only."""

    kind = "disk"

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

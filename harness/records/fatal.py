"""What ends a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.kit.errors import UnfinishedWork, UserError

StopKind = Literal["interrupt", "provider", "refused", "program", "no_reply", "disk", "error"]
"""``interrupt``: somebody had it end. ``provider``: the model's provider answers nobody, or gives no access.
``refused``: the provider refuses the requests for what they are. ``program``: the agent's program, or class, fails
before it does anything. ``no_reply``: it came to its end, and the solver never gave a reply of use. ``disk``: the run
directory cannot be written. ``error``: anything else."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Why a run ended before its end, or came to nothing.

    Attributes:
        kind: The cause.
        words: What happened, in the words of what failed.
        advice: What to try; may be empty.
        at: When: ISO 8601, UTC.
    """

    kind: StopKind
    words: str
    advice: str = ""
    at: str


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

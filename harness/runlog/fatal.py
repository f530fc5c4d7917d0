"""What ends a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from harness.errors.user import UnfinishedWork, UserError


class FatalError(UnfinishedWork):
    """What went wrong would go wrong with every other job, too: nothing further is begun."""


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

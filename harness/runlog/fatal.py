"""What ends a run as a whole."""

from __future__ import annotations

from harness.errors.user import UnfinishedWork, UserError


class FatalError(UnfinishedWork):
    """What went wrong would go wrong with every other job, too: nothing further is begun."""


class NothingToDo(UserError):
    """No instance was chosen."""


class CannotResume(UserError):
    """A run cannot be continued; the message says which of its foundations has changed, and what to do."""

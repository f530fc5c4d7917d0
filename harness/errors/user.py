"""The base classes of all errors that a user can mend; ``harness.cli.boundary`` turns them into exit codes."""

from __future__ import annotations


class UserError(Exception):
    """What was asked for cannot be done as it stands; the message says why, and what to do about it.

    A command prints the message as one line and ends with the exit code of wrong use.
    """


class UnfinishedWork(UserError):
    """Work that was begun cannot be brought to its end, for a reason outside of it: a full disk, a refused key.

    A command prints the message as one line and ends with the exit code of incomplete work.
    """

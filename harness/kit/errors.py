"""The base classes of all errors that a user can mend; ``harness.cli.boundary`` turns them into exit codes."""

from __future__ import annotations

from harness.kit.files.installation import to_type


class UserError(Exception):
    """What was asked for cannot be done as it stands; the message says why, and what to do about it.

    A command prints the message as one line and ends with the exit code of wrong use.
    """


class WrongSetUp(UserError):
    """Something of this machine that is needed is not there, or not as it has to be; the message says what to do.

    As text it ends with the command that looks at all of the set-up.
    """

    def __str__(self) -> str:
        return f"{super().__str__()} (`{to_type('setup doctor')}` looks at the whole set-up)"


class UnfinishedWork(UserError):
    """Work that was begun cannot be brought to its end, for a reason outside of it: a full disk, a refused key.

    A command prints the message as one line and ends with the exit code of incomplete work.
    """

"""Between commands and whoever calls them: their name, output, exit codes, and errors that the user can mend."""

from __future__ import annotations

import functools
import io
import os
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from harness.kit.errors import UnfinishedWork, UserError
from harness.kit.files.installation import called_as, without_caller
from harness.kit.text import printable_output

COMPLETE = 0
"""All that was asked for is done."""
INCOMPLETE = 1
"""Something is missing or wrong, or the work was cut short."""
WRONG_USE = 2
"""What was asked for cannot be done as it stands."""
FINDINGS = 3
"""All that was asked for is done, and what was found has to be mended."""

OF_A_RUN = (
    "exit codes: 0 complete; 1 incomplete (instances without a score, interrupted, stopped, or a full disk): --resume "
    "goes on; 2 wrong use"
)
"""For the help of commands whose exit code says whether a run is complete."""


def print_out(text: str) -> None:
    """Print a line or more; a reader that has seen enough, such as ``head``, may close its end."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Let standard output lead nowhere: Python flushes once more when it ends, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def output_is_broken() -> bool:
    """Whether nobody reads standard output any more."""
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except io.UnsupportedOperation:  # it is no file
        return False
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def program(command: str) -> str:
    """Return what stands in front of a command's options, for its usage line.

    Args:
        command: Its name, such as ``report`` or ``tasks check``.
    """
    return sys.argv[0] if called_as() else " ".join(["python", *without_caller(command)])


class Main(Protocol):
    """A command."""

    def __call__(self, argv: Sequence[str] | None = None) -> int:
        """Run with these arguments, by default those of this process; returns the exit code."""


def error_boundary(interrupted: str = "interrupted") -> Callable[[Main], Main]:
    """Make a command end with an exit code where a user can mend what it met.

    A ``UserError`` is printed as ``error: ...`` on standard error; the exit code is that of wrong use, or that of
    incomplete work for ``UnfinishedWork``. Whatever the command prints is made printable.

    Ctrl-C is incomplete work, and so is a reader of standard output that has
    gone away. Everything else is a defect, and passes.

    Args:
        interrupted: What to print upon Ctrl-C; nothing if empty.
    """

    def decorate(main: Main) -> Main:
        @functools.wraps(main)
        def guarded(argv: Sequence[str] | None = None) -> int:
            with printable_output():
                return caught(argv)

        def caught(argv: Sequence[str] | None) -> int:
            try:
                return main(argv)
            except UserError as error:
                print(f"error: {error}", file=sys.stderr)
                return INCOMPLETE if isinstance(error, UnfinishedWork) else WRONG_USE
            except BrokenPipeError:
                if not output_is_broken():
                    raise
                discard_output()
                return INCOMPLETE
            except KeyboardInterrupt:
                if interrupted:
                    print(interrupted, file=sys.stderr)
                return INCOMPLETE

        return guarded

    return decorate


@contextmanager
def naming_the_file(otherwise: Path) -> Iterator[None]:
    """Make an error of the file system that comes up in the context one of the user's.

    Args:
        otherwise: The file or folder that is named if the error itself names none.

    Raises:
        UserError: in place of such an error.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"{error.filename or otherwise}: {error.strerror or error}") from error

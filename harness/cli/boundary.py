"""The one place where errors that are the user's to mend become a line on standard error and an exit code."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from harness.cli.exit_codes import INCOMPLETE, WRONG_USE
from harness.cli.output import discard_output, output_is_broken
from harness.kit.errors import UnfinishedWork, UserError
from harness.kit.text import printable_output


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

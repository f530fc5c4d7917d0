"""A person at the terminal of a run, who answers what solvers ask their user and no task's file answers.

Workers ask over the pipes to their parent, and it is the parent that asks the person: so there is one question at a
time, whatever the number of workers. While it stands no episode begins; those under way go on.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import sys
import termios
import time
from typing import TextIO

from harness.episode.trajectory import LONGEST_WAIT_SECONDS
from harness.kit.errors import UserError
from harness.kit.text import as_is, printable
from harness.records.config import RunConfig
from harness.run.interrupts import Interrupts
from harness.run.page_job import PageJob


class NoInteractiveUser(UserError):
    """A run is to be attended, and there is nobody who could be asked; the message says what to do."""


class InteractiveUser:
    """A person who can be asked: line by line, over a file descriptor and a stream."""

    def __init__(self, source: int, shown: TextIO, seconds: float = LONGEST_WAIT_SECONDS) -> None:
        """Nothing is asked yet.

        Args:
            source: A file descriptor from which the answers come, of a terminal or a pipe.
            shown: Where questions are shown.
            seconds: How long one question may stand.
        """
        self._source = source
        self._shown = as_is(shown)
        self._seconds = seconds
        self._is_over = False

    def ask(self, interrupts: Interrupts, job: PageJob, question: str) -> str | None:
        """Put a question to the person, and wait for a line.

        Args:
            interrupts: An interrupt ends the wait.
            job: What the solver is at that asks.
            question: What it asks; it is shown without what a terminal would obey.

        Returns:
            The line without blanks around it; None if it is empty, or if nobody answers: after an interrupt or the end
            of the input, when nothing is asked any more, or when the time for one question is up.
        """
        if self._is_over or interrupts.asked:
            return None
        self._forget_what_was_typed()
        self._show(f"\r\033[K{printable(job.task)}, instance {job.index} asks:\n  {printable(question)}\n")
        self._show("Your answer (Return alone for none): ")
        line = self._line(interrupts)
        if line is None:
            self._show("\n(no answer)\n")
        return line.strip() or None if line else None

    def _line(self, interrupts: Interrupts) -> str | None:
        """The next line; None if there comes none."""
        text, decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
        until = time.monotonic() + self._seconds
        while "\n" not in text:
            ready, _, _ = select.select([self._source, interrupts.fileno()], [], [], max(0.0, until - time.monotonic()))
            if self._source not in ready:
                return None
            # One byte at a time: what stands behind the line may be the answer to another question.
            read = _byte(self._source)
            if not read:
                self._is_over = True
                return None
            text += decoder.decode(read)
        return text

    def _forget_what_was_typed(self) -> None:
        """Take nothing for an answer that was typed before the question; a pipe has no such thing."""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._source, termios.TCIFLUSH)

    def _show(self, text: str) -> None:
        # Where the terminal was closed nothing is shown, and the end of its input is noticed.
        with contextlib.suppress(OSError):
            self._shown.write(text)
            self._shown.flush()


def _byte(source: int) -> bytes:
    """The next byte; none at the end, as of a terminal that was closed."""
    try:
        return os.read(source, 1)
    except OSError:
        return b""


def at_terminal() -> InteractiveUser:
    """The person at the terminal of this process.

    Raises:
        NoInteractiveUser: there is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise NoInteractiveUser(
            "--attended: there is nobody to ask: standard input and standard error have to be a terminal; start the "
            "run at one, or leave the option out"
        )
    return InteractiveUser(sys.stdin.fileno(), sys.stderr)


def check_interactive(config: RunConfig) -> None:
    """Make sure that somebody is there to be asked, if a run is to be attended; its kind of tasks has agreed to that.

    Args:
        config: Of the run.

    Raises:
        NoInteractiveUser: there is no terminal.
    """
    if config.attended:
        at_terminal()

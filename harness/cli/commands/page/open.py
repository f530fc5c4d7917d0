"""Opens one instance for a program or a person: ``turkbench page open TASK ROW``.

When the page is open, one JSON line on standard output says where: its address, the browser's DevTools address, the
names of its fields, and how long it may be worked on. Upon a line on standard input, Ctrl-C or SIGTERM, or when the
time is up, the form is submitted as it stands, and a second JSON line has its scores. Labels are in that line alone.

A task on a website is opened where it begins, with its goal in the first line; the second says what its evaluators say.
A line such as {"answer": "17.50"} answers where the goal asks for it.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.task_arguments import add_page_arguments, page_config
from harness.kit.arguments import whole
from harness.kit.files.codec import plain
from harness.run.interrupts import Interrupts
from harness.run.selection import one_instance
from harness.solvers.outside.attended_page import AttendedSolver, attend
from harness.solvers.outside.page_result import result_of

STANDARD_INPUT = 0
_PIECE = 65_536


class DoneSignal:
    """Waits for word that somebody is done.

    The end of standard input counts, too: whoever could have said a word has gone. It does not where there never was
    anybody, as with ``/dev/null``, which is what a shell gives to programs in the background.

    Attributes:
        words: What they have said on standard input.
    """

    def __init__(self, interrupts: Interrupts) -> None:
        """Listen to standard input, and to Ctrl-C and SIGTERM through ``interrupts``."""
        self.words = ""
        self._interrupts = interrupts
        self._stdin = STANDARD_INPUT if _somebody_is_there(STANDARD_INPUT) else None

    def is_given(self, seconds: float) -> bool:
        """Wait for at most so many seconds; whether they have said so."""
        with selectors.DefaultSelector() as ears:
            ears.register(self._interrupts, selectors.EVENT_READ)
            if self._stdin is not None:
                ears.register(self._stdin, selectors.EVENT_READ)
            heard = [key.fd for key, _ in ears.select(seconds)]
        if self._interrupts.asked:
            return True
        if self._stdin not in heard:
            return False
        said = os.read(STANDARD_INPUT, _PIECE)
        self.words += said.decode(errors="replace")
        return not said or b"\n" in said


def _somebody_is_there(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:  # it is closed
        return False
    return os.isatty(descriptor) or not stat.S_ISCHR(mode)


SOLVER = "open"
"""What the configuration calls whoever works on the page."""
EXIT_CODES = "exit codes: 0 the result is printed; 1 the browser was lost, or a second Ctrl-C; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("page open"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("task", metavar="TASK", help="name of the task, or a glob that only this task matches")
    parse.add_argument(
        "row", type=whole, nargs="?", default=0, metavar="ROW", help="number of the instance in its table, from 0"
    )
    parse.add_argument("--seed", type=int, default=0, help="seed that the program is told (default: %(default)s)")
    add_page_arguments(parse)
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    config = replace(page_config(arguments, SOLVER, arguments.task, {}), seed=arguments.seed)
    instance = one_instance(config, arguments.row)
    with Interrupts() as interrupts:

        def tell(told: Mapping[str, Any]) -> None:
            interrupts.patient = True
            _print_line(told)
            if sys.stdin and sys.stdin.isatty():
                _note(f"Goal: {goal}" if (goal := told.get("goal")) else "The page is open; Enter submits it.")
                if goal:
                    _note('The site is open; Enter ends the work, {"answer": "..."} before it answers.')

        done = DoneSignal(interrupts)
        fields = arguments.field_names
        solver = AttendedSolver(tell, done.is_given, tell_fields=fields, last_words=lambda: done.words)
        made = attend(config, instance, solver, _note)
    _print_line(plain(result_of(made)))
    return COMPLETE


def _print_line(record: Mapping[str, Any]) -> None:
    print_out(json.dumps(record))


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

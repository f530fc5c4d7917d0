"""Look at all that turkbench needs on this machine, and say what to do: ``turkbench setup doctor``.

It asks nobody on the network, and changes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.text import as_is, printable

if TYPE_CHECKING:
    from harness.cli.diagnosis.checks import Look

EXIT_CODES = "exit codes: 0 no problem; 1 a problem, before whose end nothing can be evaluated; 2 wrong use"
_COLOURS = {"ok": "32", "warning": "33", "problem": "31"}
_WIDTHS = (7, 12)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("setup doctor"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("--json", action="store_true", help="print one JSON object")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.cli.diagnosis.checks import findings  # noqa: PLC0415

    found = []
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for each in findings():
        found.append(each)
        if not arguments.json:
            print(_line(each, coloured=coloured), file=as_is(sys.stdout), flush=True)
    if arguments.json:
        print_out(json.dumps({"findings": [vars(each) for each in found]}, indent=1))
    return INCOMPLETE if any(each.state == "problem" for each in found) else COMPLETE


def _line(finding: Look, *, coloured: bool) -> str:
    state = f"{finding.state:{_WIDTHS[0]}}"
    if coloured:
        state = f"\033[{_COLOURS[finding.state]}m{state}\033[0m"
    remedy = f" To mend it: {finding.remedy}." if finding.remedy else ""
    words = printable(" ".join(f"{finding.words}{'.' if remedy else ''}{remedy}".split()))
    return f"{state}  {finding.what:{_WIDTHS[1]}}  {words}"

"""The workers of a run, their agreement and its noisy instances: ``turkbench people workers RUN``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_other_profile


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("people workers"),
        description=__doc__,
        epilog="exit codes: 0 the run is complete; 1 it is not; 2 wrong use",
    )
    parse.add_argument("run", type=Path, metavar="RUN", help="run directory")
    add_other_profile(parse)
    parse.add_argument(
        "--worst", type=_count, default=10, metavar="N", help="how many noisy instances to list (default: %(default)s)"
    )
    parse.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parse


def _count(given: str) -> int:
    if not given.isdecimal():
        raise argparse.ArgumentTypeError(f"{given!r} is not a whole number")
    return int(given)


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.reports.people_report import report, text  # noqa: PLC0415
    from harness.run.forked import processes_for  # noqa: PLC0415

    with processes_for([arguments.run]) as pool:
        found = report(arguments.run, arguments.metrics, arguments.worst, pool)
    print_out(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if arguments.json else text(found))
    return COMPLETE if found.status == "complete" else INCOMPLETE

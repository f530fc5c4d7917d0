"""Log a run to a tracker of experiments, or as a trace: ``turkbench export log RUN --to NAME``.

Where it goes is said by the tracker's own environment variables.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.integrations.tracking.tracker import TRACKERS, check_tracker

EXIT_CODES = "exit codes: 0 logged; 1 the tracker has not taken all of it, or interrupted; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("export log"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("run", type=Path, metavar="RUN", help="the run directory; it is not changed")
    parse.add_argument(
        "--to",
        choices=TRACKERS,
        required=True,
        help="the tracker; install the extra of the same name (docs/how-to/tracking.md)",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    check_tracker(arguments.to)
    # What is slow to import is imported for work, not for help.
    from harness.integrations.tracking.run_log import RunLog  # noqa: PLC0415
    from harness.records.directory import RunDirectory  # noqa: PLC0415

    log = RunLog(arguments.to, TRACKERS[arguments.to].make, arguments.run, _say)
    log.start()
    for episode in RunDirectory(arguments.run).episodes() if log.goes_on else ():
        log.episode(episode)
    log.end()
    return INCOMPLETE if log.failures else COMPLETE


def _say(text: str) -> None:
    print(text, file=sys.stderr)

"""Compare a run of recorded outputs with what was read when they were recorded."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.replay_arguments import add_browsers, add_pages, worked_pages_of
from harness.kit.errors import UserError
from harness.kit.files.writing import write_json

if TYPE_CHECKING:
    from harness.records.directory import RunDirectory


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(
        prog=program("papers turkingbench agreement"),
        description=__doc__,
        epilog="exit codes: 0 what could be run was run and compared; 1 some of it was not; 2 wrong use",
    )
    parse.add_argument("run", type=Path, metavar="RUN", help="a run directory of --solver offline")
    parse.add_argument(
        "--predictions", type=Path, required=True, metavar="FILE", help="the recorded outputs, with value_read"
    )
    add_pages(parse)
    parse.add_argument("--out", type=Path, metavar="FILE", help="file for all findings (default: RUN/agreement.json)")
    parse.add_argument(
        "--play",
        action="store_true",
        help="also do what was recorded on pages that are not in the run, such as those without labels",
    )
    parse.add_argument(
        "--as-recorded",
        action="store_true",
        help="leave out replies that the recording code could not execute, so that only differences "
        "of browsers, pages and actions remain",
    )
    add_browsers(parse)
    parse.add_argument("--list", action="store_true", help="print every record that disagrees")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.records.directory import RunDirectory  # noqa: PLC0415
    from harness.records.fatal import CannotWrite  # noqa: PLC0415
    from harness.records.folder_lock import FolderLock  # noqa: PLC0415

    run = RunDirectory.open(arguments.run)
    if arguments.out:
        return _compare(run, arguments, arguments.out)
    try:
        with FolderLock(arguments.run):
            return _compare(run, arguments, arguments.run / "agreement.json")
    except CannotWrite as error:
        raise UserError(f"{error}; give another --out") from error


def _compare(run: RunDirectory, arguments: argparse.Namespace, out: Path) -> int:
    """Compare, and write all findings; returns the exit code."""
    from harness.solvers.recorded.predictions import read_predictions  # noqa: PLC0415
    from harness.solvers.recorded.recorded_agreement import (  # noqa: PLC0415
        RecordedComparison,
        as_recorded,
        endings_of,
        record_of,
        table,
    )
    from harness.solvers.recorded.verdicts import AGREEMENTS, UNFINISHED  # noqa: PLC0415

    predictions, pages = read_predictions(arguments.predictions), worked_pages_of(arguments)
    if arguments.as_recorded:
        comparison = RecordedComparison(run.read().config, {}, as_recorded(predictions), pages)
    else:
        comparison = RecordedComparison(run.read().config, endings_of(run), predictions, pages)
    if comparison.missing and (arguments.play or arguments.as_recorded):
        comparison.play_missing(arguments.workers, arguments.progress)
    findings = comparison.conclude()
    about = {"predictions": str(arguments.predictions), "as_recorded": arguments.as_recorded}
    try:
        write_json(out, {**about, **record_of(findings)})
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}; give another --out") from error
    print(table(findings))
    if arguments.list:
        for each in findings:
            if each.verdict not in AGREEMENTS:
                print(each)
    return INCOMPLETE if any(each.verdict in UNFINISHED for each in findings) else COMPLETE

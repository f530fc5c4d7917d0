"""The validity report of a task set: ``python -m oracle.check``.

Runs the oracle and tells, in HTML and JSON, which scored fields miss their ceiling and why, and where the pages and the
labels of tasks do not fit: all that the author of a task needs.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, FINDINGS, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_profile
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.kit.files.installation import to_type
from harness.run.consent import Consent, asker
from harness.run.new_folder import made_folder, removed_if_empty
from harness.run.progress import progress
from oracle.check import validity_page
from oracle.check.check import SOLVER, Check
from oracle.check.validity_report import REPORT_FILE, summary, told

CHECKS = Path("checks")

EXIT_CODES = (
    "exit codes: 0 every scored field reaches its ceiling, or the facts of its task say why it cannot; 1 some do not, "
    "or the check did not get to its end (--resume goes on); 2 wrong use; 3 there are mistakes in the tasks and "
    "nothing else: a file that cannot be used, or a page and labels that do not fit"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, rest = (__doc__ or "").partition("\n\n")
    parse = CommandLine(prog=program("tasks check"), description=f"{about}\n{rest}", epilog=EXIT_CODES)
    add_task_arguments(parse)
    add_profile(parse)
    again = parse.add_mutually_exclusive_group()
    again.add_argument(
        "--changed",
        type=Path,
        metavar="CHECK",
        help="check only what changed since this earlier check, and take the rest from its report",
    )
    again.add_argument("--resume", type=Path, metavar="CHECK", help="continue a check that was cut short")
    parse.add_argument(
        "--yes",
        action="store_true",
        help="with --resume: agree to everything that the check asks for, such as reaching the web",
    )
    parse.add_argument("--out", type=Path, metavar="DIR", help="folder of the check (default: checks/<time>)")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.resume:
        allow = Consent(everything=arguments.yes, ask=asker()).check
        check = Check.resume(arguments.resume, allow, require_sandbox=arguments.require_sandbox)
        return _tell(check, arguments)
    config = config_of(arguments, SOLVER, arguments.metrics)
    if arguments.out:
        return _tell(Check(config, arguments.out, arguments.changed), arguments)
    with removed_if_empty(made_folder(CHECKS, f"{datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H-%M-%S}")) as folder:
        return _tell(Check(config, folder, arguments.changed), arguments)


def _tell(check: Check, arguments: argparse.Namespace) -> int:
    """Do a check and say what came of it; returns the exit code."""
    report, status = check.execute(progress(arguments.progress))
    for problem in check.problems:
        print(f"problem: {problem}")
    print(told(report.mistakes), end="")
    print(summary(report))
    print(f"\nReport: {check.folder / validity_page.PAGE_FILE} and {check.folder / REPORT_FILE}")
    if status != "complete":
        print(f"Not everything was checked. Go on with: {to_type('tasks check', '--resume', check.folder)}")
    if status != "complete" or not report.is_clean:
        return INCOMPLETE
    return COMPLETE if report.fits else FINDINGS


if __name__ == "__main__":
    sys.exit(main())

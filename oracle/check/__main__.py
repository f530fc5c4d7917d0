"""The validity report of a task set: ``python -m oracle.check``.

Runs the oracle and tells, in HTML and JSON, which scored fields miss their ceiling and why.
"""

from __future__ import annotations

import argparse
import datetime
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.browser.launch import NoBrowser
from harness.catalog.problems import CatalogError
from harness.cli.program import program
from harness.evaluate import COMPLETE, INCOMPLETE, add_task_arguments, config_of, refused, wrong_use
from harness.metrics import PROFILES
from harness.run.progress import progress
from harness.run.server import ServerRefused
from harness.runlog.directory import CannotWrite, NotARun
from harness.runlog.problems import CannotResume, Hopeless
from oracle.check import page
from oracle.check.check import Check, CheckRefused
from oracle.check.finding import CATEGORIES
from oracle.check.report import REPORT_FILE, NoReport, Report

EXIT_CODES = (
    "exit codes: 0 every scored field reaches its ceiling, or the facts of its task say why it cannot; 1 some do not, "
    "or the check did not get to its end (--resume goes on); 2 wrong use"
)
MOST_LINES = 20
"""Findings that are printed; the report has them all."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, rest = (__doc__ or "").partition("\n\n")
    parse = argparse.ArgumentParser(prog=program("oracle.check"), description=f"{about}\n{rest}", epilog=EXIT_CODES)
    add_task_arguments(parse)
    parse.add_argument(
        "--metrics", choices=list(PROFILES), default="standard", help="scoring profile (default: %(default)s)"
    )
    again = parse.add_mutually_exclusive_group()
    again.add_argument(
        "--changed",
        type=Path,
        metavar="CHECK",
        help="check only what has changed since this check, and take the rest from its report",
    )
    again.add_argument(
        "--resume", type=Path, metavar="CHECK", help="go on with a check that was cut short, with the same tasks"
    )
    parse.add_argument("--out", type=Path, metavar="DIR", help="folder of the check (default: checks/<time>)")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        check = _check(arguments)
        report, status = check.execute(progress(arguments.progress))
    except (CheckRefused, NoReport, CatalogError, ServerRefused, NoBrowser, NotARun, CannotResume) as error:
        return wrong_use(str(error))
    except (CannotWrite, Hopeless) as error:
        print(f"error: {error}", file=sys.stderr)
        return INCOMPLETE
    for problem in check.problems:
        print(f"problem: {problem}")
    print(summary(report))
    print(f"\nReport: {check.folder / page.PAGE_FILE} and {check.folder / REPORT_FILE}")
    if status != "complete":
        print(
            f"Not everything was checked. Go on with: python -m oracle.check --resume {shlex.quote(str(check.folder))}"
        )
    return COMPLETE if status == "complete" and report.is_clean else INCOMPLETE


def _check(arguments: argparse.Namespace) -> Check:
    if arguments.resume:
        return Check.resume(arguments.resume)
    config = config_of(arguments, "oracle", arguments.metrics)
    if reason := refused(config):
        raise CheckRefused(reason)
    now = datetime.datetime.now(datetime.UTC)
    return Check(config, arguments.out or Path("checks") / f"{now:%Y-%m-%dT%H-%M-%S}", arguments.changed)


def summary(report: Report) -> str:
    """The report in lines of text: what was found first, counts last."""
    lines = []
    found = [(name, index, finding) for name, index, each in report.verdicts() for finding in each.findings]
    wrong = [each for each in found if each[2].below and not each[2].explained]
    for name, index, finding in wrong[:MOST_LINES]:
        rows = ", ".join(map(str, report.tasks[name].instances[index].rows[:10]))
        lines.append(f"{name}, instance {index} (rows {rows}): {finding}")
    if len(wrong) > MOST_LINES:
        lines.append(f"… and {len(wrong) - MOST_LINES} more, see the report")
    for split, counts in report.splits().items():
        lines.append(f"{split}: {_counted(counts)}")
    total = report.counts()
    lines.append(f"{_counted(total)}, {total['instances']} instances of {len(report.tasks)} tasks")
    return "\n".join(lines)


def _counted(counts: dict[str, object]) -> str:
    below = counts["below"]
    assert isinstance(below, dict)  # noqa: S101 - as `report.count` makes it
    words = [f"{counts['at_ceiling']} of {counts['fields']} scored fields at their ceiling"]
    words += [f"{number} × {CATEGORIES[category]}" for category, number in below.items()]
    words += [f"{counts['explained']} of them explained"] if counts["explained"] else []
    words += [f"{counts['unfinished']} instances not finished"] if counts["unfinished"] else []
    return "; ".join(words)


if __name__ == "__main__":
    sys.exit(main())

"""Replay the reference traces of tasks on websites, and tell what has changed: ``turkbench tasks maintain``.

For what was renamed or moved the nearest element is proposed as a repair, which --repair writes into the tasks.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import add_some, positive
from harness.kit.errors import UserError
from harness.kit.files.installation import SITE_TASKS
from harness.kit.text import counted, printable
from harness.records.config import RunConfig
from harness.run.new_folder import made_folder, removed_if_empty
from harness.run.progress import MODES, progress

if TYPE_CHECKING:
    from harness.sites.maintenance.maintenance import Maintained, TraceChoice
    from harness.sites.maintenance.records import MaintenanceReport

MAINTENANCE = Path("maintenance")
EXIT_CODES = (
    "exit codes: 0 every trace holds as it was recorded; 1 something has changed, or not all traces were replayed; "
    "2 wrong use"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, rest = (__doc__ or "").partition("\n\n")
    parse = CommandLine(prog=program("tasks maintain"), description=f"{about}\n{rest}", epilog=EXIT_CODES)
    parse.add_argument(
        "tasks",
        type=Path,
        nargs="?",
        default=SITE_TASKS,
        metavar="TASKS",
        help="folder of task folders (default: the tasks on the bundled sites)",
    )
    parse.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="NAME",
        help="only this task, by name or glob; may be repeated",
    )
    parse.add_argument("--site", default="", metavar="NAME", help="only tasks on this bundled site, e.g. shop")
    parse.add_argument(
        "--variant", metavar="NAME", help="layout of the bundled sites, e.g. moved (default: that of each task)"
    )
    parse.add_argument(
        "--seeds",
        type=_numbers,
        default=(),
        metavar="N,N",
        help="seed of the data of bundled sites (default: that of each task)",
    )
    parse.add_argument(
        "--network",
        choices=("none", "live"),
        default="none",
        help="live: also replay tasks on the public web, on the hosts that they name (default: %(default)s)",
    )
    parse.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="browsers in parallel (default: %(default)s)"
    )
    parse.add_argument(
        "--progress", choices=MODES, help="how progress is shown: bar (default on a terminal), plain, json or quiet"
    )
    add_some(parse, RunConfig, "require_sandbox")
    parse.add_argument("--out", type=Path, metavar="DIR", help="folder of the report (default: maintenance/<time>)")
    repair = parse.add_argument_group("repair")
    which = repair.add_mutually_exclusive_group()
    which.add_argument("--repair", action="store_true", help="ask about each proposed repair at this terminal")
    which.add_argument(
        "--accept", type=_names, default=(), metavar="ID,ID", help="make these repairs, named as in the report"
    )
    which.add_argument("--accept-all", action="store_true", help="make all proposed repairs that are certain")
    return parse


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(dict.fromkeys(int(each) for each in text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers such as 0,1,2") from None


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (each.strip() for each in text.split(","))))


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.repair and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError("--repair asks at a terminal: give --accept ID,ID or --accept-all elsewhere")
    # What is slow to import is imported for work, not for help.
    from harness.sites.maintenance.maintenance import TraceChoice  # noqa: PLC0415

    choice = TraceChoice(
        arguments.tasks,
        tuple(arguments.task),
        arguments.site,
        arguments.variant,
        arguments.seeds,
        live=arguments.network == "live",
        require_sandbox=arguments.require_sandbox,
    )
    if arguments.out:
        with naming_the_file(otherwise=arguments.out):
            return _maintain(choice, arguments, arguments.out)
    with removed_if_empty(made_folder(MAINTENANCE, f"{datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H-%M-%S}")) as out:
        return _maintain(choice, arguments, out)


def _maintain(choice: TraceChoice, arguments: argparse.Namespace, out: Path) -> int:
    """Replay, repair what is accepted and replay that again; returns the exit code."""
    from harness.sites.maintenance.maintenance import maintain  # noqa: PLC0415 - see above
    from harness.sites.maintenance.repair import apply, check_known  # noqa: PLC0415 - see above

    found = maintain(choice, progress(arguments.progress), arguments.workers)
    check_known(found.report, arguments.accept)
    code = _tell(found, out)
    accepted = _accepted(found.report, arguments) if found.report.complete else ()
    if not accepted:
        return code
    repaired = apply(choice.tasks_dir, found.report, accepted, choice.variant)
    print(f"{counted(len(accepted), 'repair')} of {counted(len(repaired), 'task')} made; replayed again:")
    again = maintain(replace(choice, tasks=tuple(repaired)), progress(arguments.progress), arguments.workers)
    again.report = replace(again.report, repaired=repaired)
    return _tell(again, out / "repaired")


def _accepted(report: MaintenanceReport, arguments: argparse.Namespace) -> Collection[str]:
    """The names of the repairs that are to be made."""
    from harness.sites.maintenance.maintenance_page import line_of  # noqa: PLC0415 - see above
    from harness.sites.maintenance.repair import repairable  # noqa: PLC0415 - see above

    if arguments.accept:
        return tuple(arguments.accept)
    possible = repairable(report)
    if arguments.accept_all:
        return [finding.id for _, finding in possible if finding.proposal and finding.proposal.certain]
    if not arguments.repair:
        return ()
    accepted = []
    for trace, finding in possible:
        print(printable(line_of(trace, finding)), file=sys.stderr)
        try:
            answer = input("repair it? [y/N] ")
        except EOFError:
            break  # whoever was asked has gone; what was accepted until then is
        if answer.strip().lower() in {"y", "yes"}:
            accepted.append(finding.id)
    return accepted


def _tell(found: Maintained, out: Path) -> int:
    """Write the report, and say what was found; returns the exit code."""
    from harness.sites.maintenance.maintenance_page import PAGE_FILE, REPORT_FILE, line_of, summary, write_report  # noqa: PLC0415 - see above

    report = found.report
    write_report(out, report, found.pictures)
    for trace in report.traces:
        if trace.why:
            print(f"{trace.task}: not replayed: {trace.why}")
        for finding in trace.findings:
            print(line_of(trace, finding))
    for name, why in report.without_trace.items():
        print(f"{name}: left out: {why}")
    print(summary(report))
    print(f"Report: {out / PAGE_FILE} and {out / REPORT_FILE}")
    if not report.complete:
        print("Interrupted: not all traces were replayed")
    return COMPLETE if report.holds else INCOMPLETE

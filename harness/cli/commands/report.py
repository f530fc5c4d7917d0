"""A report of one or several runs that people read: one HTML file that needs no network and nothing beside it.

Several seeds of one solver are one result; several solvers stand side by side. Runs are not changed.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_other_profile
from harness.kit.errors import UserError
from harness.kit.files.writing import path_name
from harness.records.directory import REPORT_FILE

EXIT_CODES = "exit codes: 0 written; 2 wrong use (no run, plots are not installed, or the file cannot be written)"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("report"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directory")
    parse.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="output file (default: RUN/report.html; for several runs a file beside the first, named after all)",
    )
    parse.add_argument("--tables", type=Path, metavar="DIR", help="folder for the tables as Markdown, CSV and LaTeX")
    add_other_profile(parse, "scoring profile (default: each run's own)")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.papers.turkingbench.paper import reference_lines  # noqa: PLC0415
    from harness.reports.gather import gather  # noqa: PLC0415
    from harness.reports.html.rendering import write  # noqa: PLC0415
    from harness.reports.html.report_page import page_of  # noqa: PLC0415
    from harness.reports.html.sections.judged import judged_section  # noqa: PLC0415
    from harness.reports.reviews.report_section import reviews_section  # noqa: PLC0415
    from harness.reports.table_files import write_tables  # noqa: PLC0415
    from harness.run.forked import processes_for  # noqa: PLC0415

    page = arguments.out or default_page(arguments.runs)
    try:
        with processes_for(arguments.runs) as pool:
            results = gather(arguments.runs, arguments.metrics, pool=pool)
        said = reviews_section({str(run): run for run in arguments.runs})
        judged = judged_section({str(run): run for run in arguments.runs})
        write(page_of(results, reference_lines(), page.parent, said, judged), page)
        print(page)
        if arguments.tables:
            for file in write_tables(arguments.tables, {each.name: each.numbers for each in results}):
                print(file)
    except OSError as error:
        reason = error.strerror or error
        raise UserError(f"{error.filename or page} cannot be written: {reason}") from error
    return COMPLETE


def default_page(runs: Sequence[Path]) -> Path:
    """Where the report of runs is written, so that no other report is overwritten: each set of runs has its own place.

    Args:
        runs: Run directories.

    Returns:
        ``RUN/report.html`` of one run; of several a file beside the first, with the names of all in its name.
    """
    if len(runs) == 1:
        return runs[0] / REPORT_FILE
    resolved = [run.resolve() for run in runs]
    name = "_and_".join(run.name for run in resolved)
    if len({run.parent for run in resolved}) > 1:  # Then names alone do not tell them apart.
        name += f"_{hashlib.sha256(repr(resolved).encode()).hexdigest()[:8]}"
    return runs[0].parent / f"{path_name(name)}_{REPORT_FILE}"

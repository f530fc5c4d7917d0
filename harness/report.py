"""A report of one or several runs that people read: one HTML file that needs no network and nothing beside it.

Several seeds of one solver are one result; several solvers stand side by side. Runs are not changed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.program import program
from harness.evaluate import COMPLETE, wrong_use
from harness.metrics import PROFILES
from harness.models.client import MissingExtra
from harness.published import reference_lines
from harness.reports.gather import gather
from harness.reports.html.rendering import write
from harness.reports.html.report_page import page_of
from harness.reports.table_files import write_tables
from harness.runlog.directory import NotARun

EXIT_CODES = "exit codes: 0 written; 2 wrong use (no run, plots are not installed, or the file cannot be written)"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog=program("harness.report"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directory")
    parse.add_argument(
        "--out", type=Path, default=Path("report.html"), metavar="FILE", help="the report (default: %(default)s)"
    )
    parse.add_argument("--tables", type=Path, metavar="DIR", help="also write its tables: Markdown, CSV, LaTeX")
    parse.add_argument("--metrics", choices=list(PROFILES), help="scoring profile (default: each run's own)")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        results = gather(arguments.runs, arguments.metrics)
        write(page_of(results, reference_lines()), arguments.out)
        print(arguments.out)
        if arguments.tables:
            for file in write_tables(arguments.tables, {each.name: each.numbers for each in results}):
                print(file)
    except (NotARun, MissingExtra) as error:
        return wrong_use(str(error))
    except OSError as error:
        return wrong_use(f"{error.filename or arguments.out} cannot be written: {error.strerror or error}")
    return COMPLETE


if __name__ == "__main__":
    sys.exit(main())

"""The rows of the TurkingBench paper's tables of models: ``turkbench papers turkingbench table4``.

    table4 | table5                              the rows, their printed scores, and the command that each stands for
    table4 --sh                                  the same as a script
    table4 --dry-run                             tokens and expected cost of each row; no model is asked
    table4 --run --row 7 --row 9 --out DIR       run rows, each into a folder of its own in DIR
    table4 --measured DIR                        what such runs measured, next to what was printed

docs/how-to/papers-tables.md has the details.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.commands.papers.row_runs import (
    add_row_arguments,
    choice_of,
    config_of_row,
    refuse_half_a_run,
    run_rows,
)
from harness.kit.arguments import positive
from harness.models.client import today
from harness.papers.turkingbench.paper_rows import TABLES, PaperRow, chosen, further_rows, paper_rows, source
from harness.papers.turkingbench.row_command import INSTANCES, RowCommand, command_of
from harness.papers.turkingbench.row_tables import beside, listed, planned, script
from harness.run.progress import MODES

EXIT_CODES = "exit codes: 0 done; 1 a run is not complete; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about = "The rows of the TurkingBench paper's tables of models: printed scores, commands, runs"
    parse = CommandLine(prog=program("papers turkingbench"), description=about, epilog=EXIT_CODES)
    parse.add_argument("table", choices=list(TABLES), help="which table of the paper")
    what = add_row_arguments(parse)
    what.add_argument(
        "--dry-run", action="store_true", help="print tokens and expected cost of each row, without calling a model"
    )
    sample = parse.add_argument_group("tasks")
    where = sample.add_mutually_exclusive_group()
    where.add_argument("--tasks-dir", type=Path, metavar="DIR", help="a folder of task folders")
    where.add_argument("--dataset", metavar="NAME", default="turkingbench", help="a task set (default: %(default)s)")
    sample.add_argument("--overlay", metavar="FILE", help="further facts about these tasks, as for evaluate")
    sample.add_argument("--split", default=source("split"), help="(default: %(default)s)")
    sample.add_argument("--max-instances", type=positive, default=INSTANCES, metavar="N", help="(default: %(default)s)")
    sample.add_argument("--workers", type=positive, metavar="N", help="browsers in parallel")
    sample.add_argument("--progress", choices=MODES, help="with --run, as for evaluate")
    return parse


@error_boundary(interrupted="interrupted; the same command goes on")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    refuse_half_a_run(arguments)
    table = paper_rows(TABLES[arguments.table])
    rows = tuple(chosen((*table, *further_rows()), wanted) for wanted in arguments.row)
    if arguments.run:
        return _run(arguments, rows)
    if arguments.dry_run:
        return _dry_run(arguments, rows or tuple(row for row in table if row.number))
    if arguments.measured:
        return _measured(arguments.measured, rows or table)
    # A command that would be refused is of no use in a list: what takes the place of a model that is gone is told.
    first = _commands(rows or table, arguments, stand_in=True)
    further = () if rows else _commands(further_rows(), arguments, stand_in=True)
    print_out(script(first, further) if arguments.sh else listed(first, further))
    return COMPLETE


def _commands(
    rows: Sequence[PaperRow], arguments: argparse.Namespace, *, stand_in: bool = False
) -> list[RowCommand[PaperRow]]:
    """The rows with the command lines that the arguments make of them."""
    of_all = ["--tasks-dir", str(arguments.tasks_dir)] if arguments.tasks_dir else ["--dataset", arguments.dataset]
    of_all += ["--overlay", arguments.overlay] if arguments.overlay else []
    of_all += ["--split", arguments.split, "--max-instances", str(arguments.max_instances)]
    of_all += ["--metrics", source("profile")]
    if arguments.workers:
        of_all += ["--workers", str(arguments.workers)]
    choice = choice_of(arguments, of_all, stand_in=stand_in)
    return [command_of(row, choice, today()) for row in rows]


def _dry_run(arguments: argparse.Namespace, rows: tuple[PaperRow, ...]) -> int:
    # What is slow to import is imported for work, not for help.
    from harness.solvers.models.shared_plan import plan_together  # noqa: PLC0415

    arguments.max_cost = None  # A limit is not needed where nothing is spent, and refused where no price is known.
    commands = _commands(rows, arguments, stand_in=arguments.stand_in)
    asking = [each for each in commands if each.asked]
    plans = plan_together(
        [config_of_row(each, program("papers turkingbench")) for each in asking],
        lambda line: print(line, file=sys.stderr, flush=True),
    )
    print_out(planned(asking, plans))
    return COMPLETE


def _run(arguments: argparse.Namespace, rows: tuple[PaperRow, ...]) -> int:
    commands = _commands(rows, arguments, stand_in=arguments.stand_in)
    complete, folders = run_rows(commands, arguments.out, arguments.progress, program("papers turkingbench"))
    _measured(folders, rows)
    return COMPLETE if complete else INCOMPLETE


def _measured(folders: Sequence[Path], rows: Sequence[PaperRow]) -> int:
    from harness.papers.turkingbench.row_measurement import measured_row, runs_in  # noqa: PLC0415

    print_out(beside(rows, [measured_row(folder, rows) for folder in runs_in(folders)]))
    return COMPLETE

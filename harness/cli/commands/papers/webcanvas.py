"""The rows of WebCanvas' tables of models and ablations: ``turkbench papers webcanvas table12``.

    table4 | table5 | table11 | table12          the rows, their printed figures, and the command that each stands for
    table12 --sh                                 the same as a script
    table12 --run --row gpt-4-no-memory --out DIR    run rows, each into a folder of its own in DIR
    table12 --measured DIR                       what such runs measured, next to what was printed

docs/how-to/papers-tables.md has the details.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.commands.papers.row_runs import add_row_arguments, choice_of, refuse_half_a_run, run_rows
from harness.kit.arguments import positive
from harness.models.client import today
from harness.papers.turkingbench.row_command import RowCommand, command_of
from harness.papers.webcanvas.webcanvas_rows import TABLES, WebCanvasRow, chosen, said, webcanvas_rows
from harness.papers.webcanvas.webcanvas_text import beside, listed, script
from harness.run.progress import MODES

_MODULE = "harness.papers.webcanvas"
EXIT_CODES = "exit codes: 0 done; 1 a run is not complete; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about = "The rows of WebCanvas' tables of models and ablations: printed figures, commands, runs"
    parse = CommandLine(prog=program(_MODULE), description=about, epilog=EXIT_CODES)
    parse.add_argument("table", choices=list(TABLES), help="which table of the paper")
    add_row_arguments(parse)
    sample = parse.add_argument_group("tasks")
    sample.add_argument(
        "--tasks-dir",
        type=Path,
        metavar="DIR",
        help=f"a folder of tasks on websites (default: {said('tasks_dir')}, as imported, with --network live)",
    )
    sample.add_argument("--network", choices=["live"], help="what tasks on the public web need")
    sample.add_argument("--task", action="append", default=[], metavar="NAME", help="only this task; may be repeated")
    sample.add_argument(
        "--max-steps", type=positive, metavar="N", help="most actions per task, if the paper allows more"
    )
    sample.add_argument("--workers", type=positive, metavar="N", help="browsers in parallel")
    sample.add_argument("--progress", choices=MODES, help="with --run, as for evaluate")
    return parse


@error_boundary(interrupted="interrupted; the same command goes on")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    refuse_half_a_run(arguments)
    table = TABLES[arguments.table]
    rows = webcanvas_rows(table)
    wanted = tuple(chosen(rows, each) for each in arguments.row)
    if arguments.run:
        return _run(arguments, table, wanted)
    if arguments.measured:
        return _measured(arguments.measured, table, wanted or rows)
    # A command that would be refused is of no use in a list: what takes the place of a model that is gone is told.
    commands = _commands(wanted or rows, arguments, stand_in=True)
    print_out(script(table, commands) if arguments.sh else listed(table, commands))
    return COMPLETE


def _commands(
    rows: Sequence[WebCanvasRow], arguments: argparse.Namespace, *, stand_in: bool
) -> list[RowCommand[WebCanvasRow]]:
    """The rows with the command lines that the arguments make of them."""
    network = arguments.network if arguments.tasks_dir else "live"
    of_all = ["--tasks-dir", str(arguments.tasks_dir or said("tasks_dir"))]
    of_all += ["--network", network] if network else []
    of_all += [word for name in arguments.task for word in ("--task", name)]
    of_all += ["--max-steps", str(arguments.max_steps)] if arguments.max_steps else []
    of_all += ["--workers", str(arguments.workers)] if arguments.workers else []
    choice = choice_of(arguments, of_all, stand_in=stand_in)
    return [command_of(row, choice, today()) for row in rows]


def _run(arguments: argparse.Namespace, table: str, rows: tuple[WebCanvasRow, ...]) -> int:
    commands = _commands(rows, arguments, stand_in=arguments.stand_in)
    complete, folders = run_rows(commands, arguments.out, arguments.progress, program(_MODULE))
    _measured(folders, table, rows)
    return COMPLETE if complete else INCOMPLETE


def _measured(folders: Sequence[Path], table: str, rows: Sequence[WebCanvasRow]) -> int:
    from harness.papers.turkingbench.row_measurement import runs_in  # noqa: PLC0415
    from harness.papers.webcanvas.webcanvas_measurement import measured_run  # noqa: PLC0415

    print_out(beside(table, rows, [measured_run(folder, rows) for folder in runs_in(folders)]))
    return COMPLETE

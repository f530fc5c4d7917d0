"""Rows of papers' tables as runs: their command lines read as ``harness.evaluate`` reads them, and run one by one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.command_line import CommandLine
from harness.cli.solver_arguments import add_profile, add_solver_arguments, options_of
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.kit.arguments import money
from harness.kit.errors import UserError
from harness.papers.turkingbench.row_command import Row, RowChoice, RowCommand, refuse_what_is_gone
from harness.records.config import RunConfig
from harness.run.progress import Mode, progress


def add_row_arguments(parse: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Add which rows are meant, what is done with them, and what is asked otherwise.

    Returns:
        The group of what is done, of which a command line has one at most.
    """
    parse.add_argument("--row", action="append", default=[], metavar="N|NAME", help="only this row; may be repeated")
    what = parse.add_mutually_exclusive_group()
    what.add_argument("--sh", action="store_true", help="print a shell script that runs the rows")
    what.add_argument("--run", action="store_true", help="run the rows that --row names, each into DIR/NAME of --out")
    what.add_argument(
        "--measured", type=Path, nargs="+", metavar="DIR", help="run directories, or folders that hold some"
    )
    parse.add_argument(
        "--out", type=Path, metavar="DIR", help="with --run: folder for the run directories, one per row"
    )
    asked = parse.add_argument_group("what is asked otherwise")
    asked.add_argument("--model", metavar="ID", help="another model of the rows' provider")
    asked.add_argument(
        "--stand-in", action="store_true", help="where a model is shut down, ask the one that is recommended today"
    )
    asked.add_argument(
        "--base-url", metavar="URL", help="address of a server that speaks the provider's protocol, for all rows"
    )
    asked.add_argument("--max-cost", type=money, metavar="USD", help="the most that each row's run may cost")
    return what


def choice_of(arguments: argparse.Namespace, of_all: Sequence[str], *, stand_in: bool) -> RowChoice:
    """What the arguments of ``add_row_arguments`` ask otherwise than rows have it.

    Args:
        arguments: Of the command line.
        of_all: Words of every row's command: tasks and sample.
        stand_in: Whether a model that is gone is replaced by the one that is served today.
    """
    of_models = () if arguments.max_cost is None else ("--max-cost", f"{arguments.max_cost:g}")
    return RowChoice(arguments.model, stand_in, arguments.base_url, of_models, tuple(of_all))


def refuse_half_a_run(arguments: argparse.Namespace) -> None:
    """See that ``--run`` has its folder and its rows.

    Raises:
        UserError: it has not, or the folder is of no use.
    """
    if arguments.run != bool(arguments.out):
        raise UserError("--run needs --out DIR, where each row has a folder, and --out goes with --run")
    if arguments.run and not arguments.row:
        raise UserError("--run needs --row, the number or the name of a row; it may be repeated")


def config_of_row(command: RowCommand[Row], program: str) -> RunConfig:
    """The run that a row's command describes.

    Args:
        command: The row's.
        program: Whose usage line a mistake is told with.
    """
    parse = CommandLine(prog=f"{program}, row {command.row.name}")
    parse.add_argument("--solver")
    add_task_arguments(parse)
    add_profile(parse)
    add_solver_arguments(parse)
    arguments = parse.parse_args(command.words)
    return config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))


def run_rows(
    commands: Sequence[RowCommand[Row]], out: Path, mode: Mode | None, program: str
) -> tuple[bool, Sequence[Path]]:
    """Run rows, each into the folder of its name; what is complete there is not run again.

    Args:
        commands: Theirs.
        out: Where their folders are.
        mode: How progress is told, as ``--progress`` has it.
        program: Whose usage line a mistake is told with.

    Returns:
        Whether all of them are complete, and the run directories.

    Raises:
        harness.papers.turkingbench.row_command.NeedsStandIn: a row asks a model that is gone.
        harness.kit.errors.UserError: a run cannot be begun, gone on with or ended.
    """
    # What is slow to import is imported for work, not for help.
    from harness.papers.turkingbench.row_measurement import run_row  # noqa: PLC0415

    refuse_what_is_gone(commands)
    configs = [config_of_row(each, program) for each in commands]
    complete, folders = True, []
    for command, config in zip(commands, configs, strict=True):
        folders.append(out / command.row.name)
        print(f"{folders[-1]}: {command}", file=sys.stderr, flush=True)
        record, played = run_row(config, folders[-1], progress(mode))
        complete &= record.status == "complete"
        if not played:
            print(f"{folders[-1]}: complete already", file=sys.stderr, flush=True)
        if record.status == "interrupted":  # Whoever pressed Ctrl-C meant all of them.
            break
    return complete, folders

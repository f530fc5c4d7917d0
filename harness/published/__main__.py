"""The rows of the TurkingBench paper's tables of models: ``python -m harness.published table4``.

    table4 | table5                              the rows, their printed scores, and the command that each stands for
    table4 --sh                                  the same as a script
    table4 --dry-run                             tokens and expected cost of each row; no model is asked
    table4 --run --row 7 --row 9 --out DIR       run rows, each into a folder of its own in DIR
    table4 --measured DIR                        what such runs measured, next to what was printed

docs/published.md has the details.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.argument_types import money, positive
from harness.cli.boundary import error_boundary
from harness.cli.exit_codes import COMPLETE, INCOMPLETE
from harness.cli.output import print_out
from harness.cli.profile_arguments import add_profile
from harness.cli.program import program
from harness.cli.solver_arguments import add_solver_arguments, options_of
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.errors.user import UserError
from harness.models.retirement import today
from harness.published.paper_rows import TABLES, PaperRow, chosen, further_rows, paper_rows, source
from harness.published.row_command import INSTANCES, RowChoice, RowCommand, command_of, refuse_what_is_gone
from harness.published.row_tables import beside, listed, planned, script
from harness.run.progress import MODES, progress
from harness.runlog.config import RunConfig

EXIT_CODES = "exit codes: 0 done; 1 a run is not complete; 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about = "The rows of the TurkingBench paper's tables of models: printed scores, commands, runs"
    parse = argparse.ArgumentParser(prog=program("harness.published"), description=about, epilog=EXIT_CODES)
    parse.add_argument("table", choices=list(TABLES), help="which table of the paper")
    parse.add_argument("--row", action="append", default=[], metavar="N|NAME", help="only this row; may be repeated")
    what = parse.add_mutually_exclusive_group()
    what.add_argument("--sh", action="store_true", help="print a script")
    what.add_argument("--dry-run", action="store_true", help="print tokens and expected cost of each row; ask nothing")
    what.add_argument("--run", action="store_true", help="run the rows that --row names, each into --out DIR/NAME")
    what.add_argument("--measured", type=Path, nargs="+", metavar="DIR", help="runs, or folders that hold some")
    parse.add_argument("--out", type=Path, metavar="DIR", help="with --run: where run directories are, one a row")
    asked = parse.add_argument_group("what is asked otherwise")
    asked.add_argument("--model", metavar="ID", help="another model of the rows' provider")
    asked.add_argument(
        "--stand-in", action="store_true", help="ask what is served today in place of models that are shut down"
    )
    asked.add_argument("--base-url", metavar="URL", help="a server that speaks the provider's protocol, for all rows")
    asked.add_argument("--max-cost", type=money, metavar="USD", help="of each row's whole run")
    sample = parse.add_argument_group("tasks")
    where = sample.add_mutually_exclusive_group()
    where.add_argument("--tasks-dir", type=Path, metavar="DIR", help="a folder of task folders")
    where.add_argument("--dataset", metavar="NAME", default="turkingbench", help="a task set (default: %(default)s)")
    sample.add_argument("--overlay", metavar="FILE", help="further facts about these tasks, as for harness.evaluate")
    sample.add_argument("--split", default=source("split"), help="(default: %(default)s)")
    sample.add_argument("--max-instances", type=positive, default=INSTANCES, metavar="N", help="(default: %(default)s)")
    sample.add_argument("--workers", type=positive, metavar="N", help="browsers at a time")
    sample.add_argument("--progress", choices=MODES, help="with --run, as for harness.evaluate")
    return parse


@error_boundary(interrupted="interrupted; the same command goes on")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if arguments.run != bool(arguments.out):
        raise UserError("--run needs --out DIR, where each row has a folder, and --out goes with --run")
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


def _commands(rows: Sequence[PaperRow], arguments: argparse.Namespace, *, stand_in: bool = False) -> list[RowCommand]:
    """The rows with the command lines that the arguments make of them."""
    of_all = ["--tasks-dir", str(arguments.tasks_dir)] if arguments.tasks_dir else ["--dataset", arguments.dataset]
    of_all += ["--overlay", arguments.overlay] if arguments.overlay else []
    of_all += ["--split", arguments.split, "--max-instances", str(arguments.max_instances)]
    of_all += ["--metrics", source("profile")]
    if arguments.workers:
        of_all += ["--workers", str(arguments.workers)]
    of_models = () if arguments.max_cost is None else ("--max-cost", f"{arguments.max_cost:g}")
    choice = RowChoice(arguments.model, stand_in, arguments.base_url, of_models, tuple(of_all))
    return [command_of(row, choice, today()) for row in rows]


def _config(command: RowCommand) -> RunConfig:
    """The run that a row's command describes, read as ``harness.evaluate`` reads it."""
    parse = argparse.ArgumentParser(prog=f"{program('harness.published')}, row {command.row.name}")
    parse.add_argument("--solver")
    add_task_arguments(parse)
    add_profile(parse)
    add_solver_arguments(parse)
    arguments = parse.parse_args(command.words)
    return config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))


def _dry_run(arguments: argparse.Namespace, rows: tuple[PaperRow, ...]) -> int:
    # What is slow to import is imported for work, not for help.
    from harness.solvers.models.shared_plan import plan_together  # noqa: PLC0415

    arguments.max_cost = None  # A limit is not needed where nothing is spent, and refused where no price is known.
    commands = _commands(rows, arguments, stand_in=arguments.stand_in)
    asking = [each for each in commands if each.asked]
    plans = plan_together([_config(each) for each in asking], lambda line: print(line, file=sys.stderr, flush=True))
    print_out(planned(asking, plans))
    return COMPLETE


def _run(arguments: argparse.Namespace, rows: tuple[PaperRow, ...]) -> int:
    from harness.published.row_run import run_row  # noqa: PLC0415

    if not rows:
        raise UserError("--run needs --row, the number or the name of a row; it may be repeated")
    commands = _commands(rows, arguments, stand_in=arguments.stand_in)
    refuse_what_is_gone(commands)
    configs = [_config(each) for each in commands]
    complete, folders = True, []
    for command, config in zip(commands, configs, strict=True):
        folders.append(arguments.out / command.row.name)
        print(f"{folders[-1]}: {command}", file=sys.stderr, flush=True)
        record, played = run_row(config, folders[-1], progress(arguments.progress))
        complete &= record.status == "complete"
        if not played:
            print(f"{folders[-1]}: complete already", file=sys.stderr, flush=True)
        if record.status == "interrupted":  # Whoever pressed Ctrl-C meant all of them.
            break
    _measured(folders, rows)
    return COMPLETE if complete else INCOMPLETE


def _measured(folders: Sequence[Path], rows: Sequence[PaperRow]) -> int:
    from harness.published.row_measurement import measured_row, runs_in  # noqa: PLC0415

    print_out(beside(rows, [measured_row(folder, rows) for folder in runs_in(folders)]))
    return COMPLETE


if __name__ == "__main__":
    sys.exit(main())

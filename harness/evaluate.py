"""Evaluate a solver: ``python -m harness.evaluate --solver NAME``."""

from __future__ import annotations

import argparse
import datetime
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import error_boundary
from harness.cli.exit_codes import COMPLETE, INCOMPLETE, OF_A_RUN
from harness.cli.output import print_out
from harness.cli.profile_arguments import add_profile
from harness.cli.program import program
from harness.cli.solver_arguments import add_solver_arguments, options_of
from harness.cli.task_arguments import add_task_arguments, config_of
from harness.episode.registry import SOLVERS, find_solver
from harness.errors.user import UnfinishedWork, UserError
from harness.reports.run_summary import summary_table
from harness.run.progress import progress
from harness.run.runner import Run, default_folder
from harness.runlog.config import RunConfig
from harness.runlog.directory import CannotWrite, RunDirectory

MAY_DIFFER = frozenset({"resume", "workers", "headed", "progress"})
"""Arguments that may be given for a run that is resumed."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog=program("harness.evaluate"), description=__doc__, epilog=OF_A_RUN)
    parse.add_argument(
        "--solver",
        metavar="NAME",
        help=f"{', '.join(SOLVERS)}; the preset of a model, e.g. gpt-4o (--list-solvers prints all); or "
        "package.module:Class or path/to/file.py:Class of your own",
    )
    parse.add_argument("--list-solvers", action="store_true", help="print all solvers and presets, and do nothing else")
    parse.add_argument(
        "--dry-run",
        action="store_true",
        help="build the prompts that a model would be sent, print their tokens and the expected cost, and call nothing",
    )
    add_task_arguments(parse)
    add_profile(parse)
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_<solver>_<split>)")
    parse.add_argument(
        "--resume",
        type=Path,
        metavar="RUN",
        help="go on with a run that was cut short; what it is to do stands in it, only --workers, --headed and "
        "--progress may be given",
    )
    add_solver_arguments(parse)
    return parse


@error_boundary(interrupted="interrupted before the run began")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    command = parser()
    arguments = command.parse_args(argv)
    if arguments.list_solvers:
        print_out(solvers_table())
        return COMPLETE
    if arguments.dry_run:
        return _dry_run(arguments)
    run = _resumed(arguments, command) if arguments.resume else _new(arguments)
    try:
        result = run.execute()
    except CannotWrite as error:
        raise _with_advice(error) from error
    finally:
        for problem in run.catalog.problems:
            print(f"problem: {problem}", file=sys.stderr)
    print_out(summary_table(result.record))
    print_out(f"\nRun directory: {result.folder}")
    folder = shlex.quote(str(result.folder))
    if result.status == "complete":
        print_out(f"Intervals, people and mistakes on one page: python -m harness.report {folder}")
        return COMPLETE
    print_out(f"Go on with: python -m harness.evaluate --resume {folder}")
    return INCOMPLETE


def solvers_table() -> str:
    """All solvers as text: those with a name of their own, with what they do, and the presets of models."""
    from harness.models.presets import list_table  # noqa: PLC0415 - runs without a model do without

    rows = [["SOLVER", ""], *([name, find_solver(name).summary] for name in SOLVERS)]
    width = max(len(name) for name, _ in rows)
    return "\n".join([*(f"{name:{width}}  {text}".rstrip() for name, text in rows), "", list_table()])


def _dry_run(arguments: argparse.Namespace) -> int:
    """Show what a model would be sent."""
    from harness.solvers.models.dry_run import dry_run  # noqa: PLC0415 - runs without a model do without

    dry_run(_asked_for(arguments), lambda line: print(line, flush=True))
    return COMPLETE


def _asked_for(arguments: argparse.Namespace) -> RunConfig:
    """The new run of a command line.

    Raises:
        UserError: it asks for nothing, or for what cannot be.
    """
    if not arguments.solver:
        raise UserError("give --solver, or --resume RUN to go on with a run")
    return config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))


def _new(arguments: argparse.Namespace) -> Run:
    config = _asked_for(arguments)
    folder = arguments.out or default_folder(config, datetime.datetime.now(datetime.UTC))
    if reason := RunDirectory(folder).refusal():
        raise UserError(f"{reason}; give another --out, or --resume it")
    return Run(config, folder, progress(arguments.progress))


def _resumed(arguments: argparse.Namespace, command: argparse.ArgumentParser) -> Run:
    """The run to go on with.

    Raises:
        UserError: an option was given that the run has decided already.
    """
    given = [name for name, value in vars(arguments).items() if value != command.get_default(name)]
    if decided := [name for name in given if name not in MAY_DIFFER]:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in decided)
        raise UserError(f"{options}: a run that is resumed goes on as it began; leave the option out")
    return Run.resume(
        arguments.resume, progress(arguments.progress), workers=arguments.workers, headed=arguments.headed
    )


def _with_advice(error: CannotWrite) -> UserError:
    """The same error with what to do about it: there may be nothing yet, or a run to go on with."""
    if not RunDirectory(error.folder).exists():
        return UserError(f"{error}; give another --out")
    resume = f"python -m harness.evaluate --resume {shlex.quote(str(error.folder))}"
    return UnfinishedWork(f"{error}; make room, then go on with `{resume}`")


if __name__ == "__main__":
    sys.exit(main())

"""Evaluate a solver: ``python -m harness.evaluate --solver NAME``."""

from __future__ import annotations

import argparse
import datetime
import math
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from harness.browser.launch import NoBrowser
from harness.catalog.overlay import overlay_file
from harness.catalog.problems import CatalogError
from harness.datasets.tasksets import DATASETS, DatasetError, tasks_folder
from harness.episode.registry import SOLVERS, UnknownSolver, find_solver
from harness.episode.solver import WrongOptions
from harness.files.places import BUNDLED_TASKS
from harness.metrics import PROFILES
from harness.mirror.outside import Network
from harness.mirror.store import MirrorError
from harness.reports.run_summary import summary_table
from harness.run.progress import MODES, progress
from harness.run.runner import Run, default_folder
from harness.run.server import ServerRefused
from harness.runlog.config import Limits, RunConfig
from harness.runlog.directory import CannotWrite, NotARun, RunDirectory
from harness.runlog.problems import CannotResume, Hopeless, NothingToDo
from harness.solvers.options import add_solver_arguments, options_of

COMPLETE, INCOMPLETE, WRONG_USE = 0, 1, 2
EXIT_CODES = (
    "exit codes: 0 complete; 1 incomplete (instances without a score, interrupted, or a full disk): --resume goes on; "
    "2 wrong use"
)
WAITING_WORKERS = 4
"""Workers a core for a solver that waits for a model most of the time."""
EVERY_SPLIT = "all"
MAY_DIFFER = frozenset({"resume", "workers", "headed", "progress"})
"""Arguments that may be given for a run that is resumed."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog="python -m harness.evaluate", description=__doc__, epilog=EXIT_CODES)
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
    parse.add_argument(
        "--metrics", choices=list(PROFILES), default="standard", help="scoring profile (default: %(default)s)"
    )
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


def add_task_arguments(parse: argparse.ArgumentParser) -> None:
    """Arguments that choose tasks, instances and browsers; other command lines share them."""
    tasks = parse.add_argument_group("tasks")
    which = tasks.add_mutually_exclusive_group()
    which.add_argument(
        "--tasks-dir",
        type=Path,
        default=BUNDLED_TASKS,
        metavar="DIR",
        help="folder of task folders (default: the bundled tasks)",
    )
    which.add_argument(
        "--dataset",
        dest="tasks_dir",
        type=_fetched,
        default=BUNDLED_TASKS,
        metavar="NAME",
        help=f"a task set that python -m harness.datasets has fetched: {', '.join(DATASETS)}",
    )
    tasks.add_argument(
        "--overlay",
        type=overlay_file,
        metavar="FILE",
        help="further facts about these tasks: a JSON file, or the name of a known task set",
    )
    tasks.add_argument("--split", help="only tasks of this split, e.g. test; all for every split (default)")
    tasks.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="NAME",
        help="only this task: its exact name, else a glob; may be repeated",
    )
    tasks.add_argument(
        "--max-instances",
        type=positive,
        metavar="N",
        help="at most N instances of a task, drawn by the seed",
    )
    tasks.add_argument("--seed", type=int, default=0, help="of the sample (default: %(default)s)")
    tasks.add_argument(
        "--solver-seed",
        type=int,
        metavar="N",
        help="of solvers that draw: several seeds on one sample are several tries of one solver (default: --seed)",
    )
    tasks.add_argument(
        "--exclude-content-warnings", action="store_true", help="leave out tasks that are marked as offensive"
    )
    tasks.add_argument(
        "--skip-missing-media",
        action="store_true",
        help="leave out instances whose pages need pictures, videos or frames that are not there",
    )
    browser = parse.add_argument_group("browser")
    browser.add_argument(
        "--workers",
        type=positive,
        metavar="N",
        help="processes, each with a browser (default: one a core, "
        f"{WAITING_WORKERS} a core for a solver that waits for a model)",
    )
    browser.add_argument(
        "--network",
        choices=get_args(Network),
        default="mirror",
        help="what pages reach: local copies of outside scripts, styles and fonts (default), the network, or nothing",
    )
    browser.add_argument(
        "--media", type=Path, metavar="DIR", help="local copies of outside pictures, videos and sounds"
    )
    browser.add_argument("--headed", action="store_true", help="show the browser's window")
    browser.add_argument(
        "--display",
        choices=["webdriver", "desktop"],
        default="webdriver",
        help="where visual actions take place: in the browser (default), or with PyAutoGUI on an X display",
    )
    browser.add_argument(
        "--live-clock",
        action="store_true",
        help="leave Math.random and the clock of pages alone instead of seeding them per instance",
    )
    browser.add_argument("--server", metavar="URL", help="use a task server that runs already in agent mode")
    browser.add_argument(
        "--progress",
        choices=MODES,
        help="a changing line (bar, default on a terminal), lines for a log (plain, default elsewhere), JSON lines, "
        "or nothing (quiet)",
    )
    browser.add_argument(
        "--max-steps",
        type=positive,
        default=Limits.max_steps,
        metavar="N",
        help="actions per page (default: %(default)s)",
    )
    browser.add_argument(
        "--max-time",
        type=_seconds,
        default=Limits.max_seconds,
        metavar="SECONDS",
        help="seconds per page (default: %(default)s)",
    )


def positive(text: str) -> int:
    """An argument that is a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def _fetched(name: str) -> Path:
    try:
        return tasks_folder(name)
    except DatasetError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def config_of(
    arguments: argparse.Namespace, solver: str, metrics: str, options: Mapping[str, Any] | None = None
) -> RunConfig:
    """The run that the arguments of ``add_task_arguments`` describe.

    Args:
        arguments: The parsed command line.
        solver: The solver's name.
        metrics: The scoring profile's name.
        options: Of the solver.
    """
    return RunConfig(
        solver=solver,
        options=options or {},
        tasks_dir=arguments.tasks_dir,
        overlay=arguments.overlay,
        split=None if arguments.split == EVERY_SPLIT else arguments.split,
        tasks=tuple(arguments.task),
        max_instances=arguments.max_instances,
        workers=arguments.workers or default_workers(solver, arguments),
        seed=arguments.seed,
        metrics=metrics,
        headed=arguments.headed,
        display=arguments.display,
        live_clock=arguments.live_clock,
        server=arguments.server,
        limits=Limits(arguments.max_steps, arguments.max_time),
        network=arguments.network,
        media=arguments.media,
        skip_missing_media=arguments.skip_missing_media,
        exclude_content_warnings=arguments.exclude_content_warnings,
        solver_seed=arguments.solver_seed,
    )


def default_workers(solver: str, arguments: argparse.Namespace) -> int:
    """One a core, more for a solver that waits for a model; one where windows would get in each other's way.

    Raises:
        UnknownSolver: there is no such solver.
    """
    if arguments.headed or arguments.display == "desktop":
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores * (WAITING_WORKERS if find_solver(solver).waits else 1)


def refused(config: RunConfig) -> str | None:
    """Why a configuration cannot be run; None if it can."""
    if config.display == "desktop" and config.workers > 1:
        return "--display desktop has one pointer and one keyboard: it takes --workers 1"
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    command = parser()
    arguments = command.parse_args(argv)
    if arguments.list_solvers:
        print(solvers_table())
        return COMPLETE
    try:
        if arguments.dry_run:
            return _dry_run(arguments)
        run = _resumed(arguments, command) if arguments.resume else _new(arguments)
        try:
            result = run.execute()
        finally:
            for problem in run.catalog.problems:
                print(f"problem: {problem}", file=sys.stderr)
    except (
        _WrongUse,
        CatalogError,
        UnknownSolver,
        WrongOptions,
        ServerRefused,
        NoBrowser,
        NotARun,
        CannotResume,
        MirrorError,
    ) as error:
        return wrong_use(str(error))
    except NothingToDo:
        return wrong_use("nothing to evaluate: no chosen task has labelled instances")
    except CannotWrite as error:
        return _cannot_write(error)
    except Hopeless as error:
        print(f"error: {error}", file=sys.stderr)
        return INCOMPLETE
    except KeyboardInterrupt:
        print("interrupted before the run began", file=sys.stderr)
        return INCOMPLETE
    print(summary_table(result.record))
    print(f"\nRun directory: {result.folder}")
    folder = shlex.quote(str(result.folder))
    if result.status == "complete":
        print(f"Intervals, people and mistakes on one page: python -m harness.report {folder}")
    else:
        print(f"Go on with: python -m harness.evaluate --resume {folder}")
    return COMPLETE if result.status == "complete" else INCOMPLETE


def solvers_table() -> str:
    """All solvers as text: those with a name of their own, with what they do, and the presets of models."""
    from harness.models.presets import list_table  # noqa: PLC0415 - runs without a model do without

    rows = [["SOLVER", ""], *([name, find_solver(name).summary] for name in SOLVERS)]
    width = max(len(name) for name, _ in rows)
    return "\n".join([*(f"{name:{width}}  {text}".rstrip() for name, text in rows), "", list_table()])


class _WrongUse(Exception):
    """The arguments cannot be meant so; the message says why."""


def _dry_run(arguments: argparse.Namespace) -> int:
    """Show what a model would be sent."""
    from harness.solvers.models.dry_run import dry_run  # noqa: PLC0415 - runs without a model do without

    dry_run(_asked_for(arguments), lambda line: print(line, flush=True))
    return COMPLETE


def _asked_for(arguments: argparse.Namespace) -> RunConfig:
    """The new run of a command line.

    Raises:
        _WrongUse: it asks for nothing, or for what cannot be.
    """
    if not arguments.solver:
        raise _WrongUse("give --solver, or --resume RUN to go on with a run")
    config = config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))
    if reason := refused(config):
        raise _WrongUse(reason)
    return config


def _new(arguments: argparse.Namespace) -> Run:
    config = _asked_for(arguments)
    folder = arguments.out or default_folder(config, datetime.datetime.now(datetime.UTC))
    if reason := RunDirectory(folder).refusal():
        raise _WrongUse(f"{reason}; give another --out, or --resume it")
    return Run(config, folder, progress(arguments.progress))


def _resumed(arguments: argparse.Namespace, command: argparse.ArgumentParser) -> Run:
    """The run to go on with.

    Raises:
        _WrongUse: an option was given that the run has decided already.
    """
    given = [name for name, value in vars(arguments).items() if value != command.get_default(name)]
    if decided := [name for name in given if name not in MAY_DIFFER]:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in decided)
        raise _WrongUse(f"{options}: a run that is resumed goes on as it began; leave the option out")
    return Run.resume(
        arguments.resume, progress(arguments.progress), workers=arguments.workers, headed=arguments.headed
    )


def _cannot_write(error: CannotWrite) -> int:
    """Say that the run directory cannot be written, and what to do."""
    if not RunDirectory(error.folder).exists():
        return wrong_use(f"{error}; give another --out")
    print(
        f"error: {error}; make room, then go on with "
        f"`python -m harness.evaluate --resume {shlex.quote(str(error.folder))}`",
        file=sys.stderr,
    )
    return INCOMPLETE


def wrong_use(message: str) -> int:
    """Say what is wrong and give the exit code for it."""
    print(f"error: {message}", file=sys.stderr)
    return WRONG_USE


if __name__ == "__main__":
    sys.exit(main())

"""Evaluate a solver: ``python -m harness.evaluate --solver NAME``."""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from tqdm import tqdm

from harness.browser.launch import NoBrowser
from harness.catalog.problems import CatalogError
from harness.datasets.tasksets import DATASETS, DatasetError, tasks_folder
from harness.episode import Limits
from harness.metrics import PROFILES
from harness.run.runlog import RunDirectory
from harness.run.runner import Run, default_folder
from harness.run.selection import RunConfig
from harness.server import PROJECT, ServerRefused
from harness.solver import SOLVERS, UnknownSolver
from harness.tables import summary_table

COMPLETE, INCOMPLETE, WRONG_USE = 0, 1, 2
EXIT_CODES = "exit codes: 0 complete; 1 incomplete (instances without a score, or interrupted); 2 wrong use"
QUIET_SECONDS = 10
"""Between two lines of progress where nobody watches a terminal."""
BUNDLED_TASKS = PROJECT / "tasks"
EVERY_SPLIT = "all"


class Bar:
    """Progress on standard error, with the mean score of the instances so far."""

    def __init__(self) -> None:
        self._bar: tqdm[NoReturn] | None = None
        self._sum = 0.0
        self._count = 0

    def start(self, what: str, total: int) -> None:
        """Begin a bar."""
        self._sum, self._count = 0.0, 0
        interval = 0.1 if sys.stderr.isatty() else QUIET_SECONDS
        self._bar = tqdm(total=total, desc=what, unit="page", file=sys.stderr, mininterval=interval)

    def advance(self, score: float | None) -> None:
        """One page on."""
        assert self._bar is not None  # noqa: S101 - `start` comes first
        if score is not None:
            self._sum += score
            self._count += 1
            self._bar.set_postfix_str(f"score {100 * self._sum / self._count:.1f}", refresh=False)
        self._bar.update()

    def interrupted(self) -> None:
        """Say what happens after a Ctrl-C."""
        print("\nfinishing the pages under way; Ctrl-C again ends at once", file=sys.stderr, flush=True)

    def finish(self) -> None:
        """End the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(prog="python -m harness.evaluate", description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("--solver", required=True, help=f"{', '.join(SOLVERS)}; or package.module:Class of your own")
    add_task_arguments(parse)
    parse.add_argument(
        "--metrics", choices=list(PROFILES), default="standard", help="scoring profile (default: %(default)s)"
    )
    parse.add_argument("--out", type=Path, metavar="DIR", help="run directory (default: runs/<time>_<solver>_<split>)")
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
    tasks.add_argument("--overlay", type=Path, metavar="FILE", help="further facts about these tasks, as JSON")
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
    tasks.add_argument(
        "--seed", type=int, default=0, help="of the sample and of solvers that draw (default: %(default)s)"
    )
    browser = parse.add_argument_group("browser")
    browser.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="browsers at a time (default: %(default)s)"
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


def config_of(arguments: argparse.Namespace, solver: str, metrics: str) -> RunConfig:
    """The run that the arguments of ``add_task_arguments`` describe."""
    return RunConfig(
        solver=solver,
        tasks_dir=arguments.tasks_dir,
        overlay=arguments.overlay,
        split=None if arguments.split == EVERY_SPLIT else arguments.split,
        tasks=tuple(arguments.task),
        max_instances=arguments.max_instances,
        workers=arguments.workers,
        seed=arguments.seed,
        metrics=metrics,
        headed=arguments.headed,
        display=arguments.display,
        live_clock=arguments.live_clock,
        server=arguments.server,
        limits=Limits(arguments.max_steps, arguments.max_time),
    )


def refused(config: RunConfig) -> str | None:
    """Why a configuration cannot be run; None if it can."""
    if config.display == "desktop" and config.workers > 1:
        return "--display desktop has one pointer and one keyboard: it takes --workers 1"
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    config = config_of(arguments, arguments.solver, arguments.metrics)
    if reason := refused(config):
        return wrong_use(reason)
    folder = arguments.out or default_folder(config, datetime.datetime.now(datetime.UTC))
    if reason := RunDirectory(folder).refusal():
        return wrong_use(f"{reason}; give another --out")
    try:
        run = Run(config, folder, Bar())
        for problem in run.catalog.problems:
            print(f"problem: {problem}", file=sys.stderr)
        if not run.selection.jobs:
            return wrong_use("nothing to evaluate: no chosen task has labelled instances")
        result = run.execute()
    except (CatalogError, UnknownSolver, ServerRefused, NoBrowser) as error:
        return wrong_use(str(error))
    except KeyboardInterrupt:
        print("interrupted before the run began", file=sys.stderr)
        return INCOMPLETE
    print(summary_table(result.record))
    print(f"\nRun directory: {folder}")
    return COMPLETE if result.status == "complete" else INCOMPLETE


def wrong_use(message: str) -> int:
    """Say what is wrong and give the exit code for it."""
    print(f"error: {message}", file=sys.stderr)
    return WRONG_USE


if __name__ == "__main__":
    sys.exit(main())

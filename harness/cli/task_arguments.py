"""Arguments that choose tasks, instances and browsers, and the run that they describe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from harness.cli.task_sets import fetched
from harness.datasets.tasksets import DATASETS
from harness.episode.registry import find_solver
from harness.errors.user import UserError
from harness.files.places import BUNDLED_TASKS
from harness.files.processors import cores
from harness.options.arguments import add_option, add_options, group_of, values_of
from harness.options.option import option, option_of
from harness.run.progress import Mode
from harness.runlog.config import ACTIONS, FILMS, ONE_DESKTOP, PAGES, TASK_SET, TASKS, Limits, RunConfig

WAITING_WORKERS = 4
"""Workers a core for a solver that waits for a model most of the time."""
EVERY_SPLIT = "all"
_BY_SOLVER = {"workers": None, "film": None}
"""What the solver decides if its user does not."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How it is told how far a run is."""

    GROUP: ClassVar[str] = "browsers"

    progress: Mode | None = option(
        help="a changing line (bar, default on a terminal), lines for a log (plain, default elsewhere), JSON lines, "
        "or nothing (quiet)",
        changes="nothing",
        on_resume="free",
    )


def add_task_arguments(parse: argparse.ArgumentParser) -> None:
    """Add them: which tasks, and how their pages are shown and worked on."""
    add_task_set(parse)
    add_options(parse, RunConfig, TASKS)
    add_options(parse, RunConfig, "browsers", defaults=_BY_SOLVER)
    add_options(parse, Shown)
    add_options(parse, RunConfig, PAGES, ACTIONS)
    add_options(parse, Limits)
    add_options(parse, RunConfig, FILMS, defaults=_BY_SOLVER)


def add_task_set(parse: argparse.ArgumentParser) -> None:
    """Add what says where tasks are."""
    group = group_of(parse, TASK_SET)
    which = group.add_mutually_exclusive_group()
    add_option(which, option_of(RunConfig, "tasks_dir"), BUNDLED_TASKS)
    which.add_argument(
        "--dataset",
        dest="tasks_dir",
        type=fetched,
        default=BUNDLED_TASKS,
        metavar="NAME",
        help=f"a task set that harness.datasets has fetched: {', '.join(DATASETS)}",
    )
    add_options(parse, RunConfig, TASK_SET)


def config_of(
    arguments: argparse.Namespace, solver: str, metrics: str, options: Mapping[str, Any] | None = None
) -> RunConfig:
    """The run that the arguments of ``RunConfig`` describe, as far as a command has them.

    Args:
        arguments: The parsed command line.
        solver: The solver's name.
        metrics: The scoring profile's name.
        options: Of the solver.

    Raises:
        UserError: it cannot be run.
    """
    asked = values_of(arguments, RunConfig)
    if asked.get("split") == EVERY_SPLIT:
        asked["split"] = None
    if "workers" in asked:
        asked["workers"] = asked["workers"] or default_workers(solver, arguments)
    if "film" in asked:
        asked["film"] = asked["film"] or ("steps" if find_solver(solver).is_filmed else "none")
    limits = Limits(**values_of(arguments, Limits))
    config = RunConfig(**{**asked, "solver": solver, "metrics": metrics, "options": options or {}, "limits": limits})
    if config.input == "desktop" and config.fresh_context:
        raise UserError("--fresh-context opens windows of its own, which --input desktop cannot show")
    if config.input == "webdriver" and find_solver(solver).drives_itself:
        raise UserError(
            f"--solver {solver} drives the browser itself: --input webdriver is for solvers that use the action library"
        )
    if config.input == "desktop" and config.workers > 1:
        raise UserError(ONE_DESKTOP)
    return config


def default_workers(solver: str, arguments: argparse.Namespace) -> int:
    """One a core, more for a solver that waits for a model; one where windows would get in each other's way.

    Raises:
        UnknownSolver: there is no such solver.
    """
    if arguments.headed or arguments.input == "desktop":
        return 1
    return cores() * (WAITING_WORKERS if find_solver(solver).waits else 1)

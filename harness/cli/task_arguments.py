"""Arguments that choose tasks, instances and browsers, and the run that they describe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from harness.catalog.overlay import overlay_file
from harness.catalog.site_facts import TaskKind
from harness.cli.film_argument import add_film_pictures
from harness.cli.input_argument import ONE_DESKTOP, add_input
from harness.cli.sandbox_argument import add_sandbox
from harness.cli.task_sets import fetched
from harness.datasets.tasksets import DATASETS
from harness.episode.registry import find_solver
from harness.errors.user import UserError
from harness.files.places import BUNDLED_TASKS
from harness.files.processors import cores
from harness.mirror.network import Network
from harness.options.argument_types import positive, seconds
from harness.run.progress import MODES
from harness.runlog.config import ActionSetName, FilmMode, Limits, RunConfig

WAITING_WORKERS = 4
"""Workers a core for a solver that waits for a model most of the time."""
EVERY_SPLIT = "all"


def add_task_arguments(parse: argparse.ArgumentParser) -> None:
    """Add them, in two groups."""
    _add_tasks(parse)
    _add_browsers(parse)


def _add_tasks(parse: argparse.ArgumentParser) -> None:
    tasks = parse.add_argument_group("tasks")
    add_task_set(tasks)
    tasks.add_argument("--split", help="only tasks of this split, e.g. test; all for every split (default)")
    tasks.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="NAME",
        help="only this task: its exact name, else a glob; may be repeated",
    )
    tasks.add_argument(
        "--kind",
        choices=get_args(TaskKind),
        help="forms or websites, where a folder holds both: a run is of one kind",
    )
    tasks.add_argument(
        "--max-instances",
        type=positive,
        metavar="N",
        help="at most N instances of a task, drawn by the seed",
    )
    tasks.add_argument("--seed", type=int, default=0, help="of the sample (default: %(default)s)")
    add_seeds(tasks)
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
    tasks.add_argument(
        "--unlabelled",
        action="store_true",
        help="take instances that nobody labelled and tasks without a table, too: they are played and have no score",
    )


def _add_browsers(parse: argparse.ArgumentParser) -> None:
    browser = parse.add_argument_group("browser")
    browser.add_argument(
        "--workers",
        type=positive,
        metavar="N",
        help="processes, each with a browser (default: one a core, "
        f"{WAITING_WORKERS} a core for a solver that waits for a model)",
    )
    add_page_settings(browser)
    browser.add_argument(
        "--progress",
        choices=MODES,
        help="a changing line (bar, default on a terminal), lines for a log (plain, default elsewhere), JSON lines, "
        "or nothing (quiet)",
    )
    add_action_settings(browser)
    add_time(browser)
    add_film(browser)


def add_task_set(group: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add what says where tasks are."""
    which = group.add_mutually_exclusive_group()
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
        type=fetched,
        default=BUNDLED_TASKS,
        metavar="NAME",
        help=f"a task set that harness.datasets has fetched: {', '.join(DATASETS)}",
    )
    group.add_argument(
        "--overlay",
        type=overlay_file,
        metavar="FILE",
        help="further facts about these tasks: a JSON file, or the name of a known task set",
    )


def add_seeds(group: argparse._ArgumentGroup) -> None:
    """Add on how many seeds a task on a bundled website is."""
    group.add_argument(
        "--seeds",
        type=positive,
        default=1,
        metavar="N",
        help="each task is on N seeds of its bundled website, from its own on: each is an instance of its own, and "
        "those on further seeds follow the rows of its table (default: %(default)s)",
    )


def add_page_settings(group: argparse._ArgumentGroup) -> None:
    """Add what decides how a page is shown."""
    group.add_argument(
        "--network",
        choices=get_args(Network),
        default="mirror",
        help="what pages reach: local copies of outside scripts, styles and fonts (default), the network, or nothing",
    )
    group.add_argument("--media", type=Path, metavar="DIR", help="local copies of outside pictures, videos and sounds")
    group.add_argument("--headed", action="store_true", help="show the browser's window")
    add_sandbox(group)
    group.add_argument(
        "--fresh-context",
        action="store_true",
        help="show each page in a browser context of its own, which costs a third of a second a page; without it what "
        "pages leave behind is cleared from one that they share",
    )
    group.add_argument(
        "--live-clock",
        action="store_true",
        help="leave Math.random and the clock of pages alone instead of seeding them per instance",
    )
    group.add_argument("--server", metavar="URL", help="use a task server that runs already in agent mode")


def add_action_settings(group: argparse._ArgumentGroup) -> None:
    """Add what decides how actions are done."""
    add_input(group)
    group.add_argument(
        "--max-steps",
        type=positive,
        default=Limits.max_steps,
        metavar="N",
        help="actions per page (default: %(default)s)",
    )
    group.add_argument(
        "--actions",
        choices=get_args(ActionSetName),
        help="the actions that a solver is offered: of TurkingBench (default for forms), of WebCanvas (default for "
        "websites), of AutoWebGLM, or all",
    )


def add_time(group: argparse._ArgumentGroup, default: float = Limits.max_seconds) -> None:
    """Add how long a page may be worked on."""
    group.add_argument(
        "--max-time",
        type=seconds,
        default=default,
        metavar="SECONDS",
        help="seconds per page (default: %(default)s)",
    )


def add_film(group: argparse._ArgumentGroup, default: FilmMode | None = None) -> None:
    """Add whether episodes are filmed; None by default for whatever the solver is usually given."""
    usual = "steps for a solver that waits for a model or a program, none for others"
    group.add_argument(
        "--film",
        choices=get_args(FilmMode),
        default=default,
        help="keep what the page showed: a frame when it has opened and one after each step, or none "
        f"(default: {default or usual})",
    )
    add_film_pictures(group)


def config_of(
    arguments: argparse.Namespace, solver: str, metrics: str, options: Mapping[str, Any] | None = None
) -> RunConfig:
    """The run that the arguments of ``add_task_arguments`` describe.

    Args:
        arguments: The parsed command line.
        solver: The solver's name.
        metrics: The scoring profile's name.
        options: Of the solver.

    Raises:
        UserError: it cannot be run.
    """
    config = RunConfig(
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
        input=arguments.input,
        live_clock=arguments.live_clock,
        fresh_context=arguments.fresh_context,
        server=arguments.server,
        limits=Limits(arguments.max_steps, arguments.max_time),
        network=arguments.network,
        media=arguments.media,
        skip_missing_media=arguments.skip_missing_media,
        exclude_content_warnings=arguments.exclude_content_warnings,
        solver_seed=arguments.solver_seed,
        require_sandbox=arguments.require_sandbox,
        unlabelled=arguments.unlabelled,
        film=arguments.film or ("steps" if find_solver(solver).is_filmed else "none"),
        film_pictures=arguments.film_pictures,
        actions=arguments.actions,
        kind=arguments.kind,
        seeds=arguments.seeds,
    )
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

"""Arguments that choose tasks, instances and browsers, and the run that they describe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from harness.cli.solver_arguments import add_profile
from harness.kit.arguments import add_option, add_options, group_of, values_of
from harness.kit.files.codec import JsonObject
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.options import option, option_of
from harness.kit.registry import registry
from harness.records.config import ACTIONS, FILMS, PAGES, TASK_SET, TASKS, Limits, RunConfig
from harness.run.asked_run import completed
from harness.run.progress import Mode

_BY_SOLVER = {"workers": None, "film": None}
"""What the solver decides if its user does not."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How it is told how far a run is."""

    GROUP: ClassVar[str] = "browsers"

    progress: Mode | None = option(
        help="how progress is shown: bar is one changing line (default on a terminal), plain is lines "
        "for a log (default elsewhere), json is JSON lines, quiet is nothing",
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
        type=_fetched,
        default=BUNDLED_TASKS,
        metavar="NAME",
        help=f"bundled-sites (the website tasks), or a task set that `tasks fetch` has fetched: "
        f"{', '.join(registry('datasets'))}",
    )
    add_options(parse, RunConfig, TASK_SET)


def _fetched(name: str) -> Path:
    """The type of ``--dataset``: the folder of a task set's tasks."""
    from harness.cli.task_sets import fetched  # noqa: PLC0415 - runs of a folder of tasks do without

    return fetched(name)


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
    asked = {**values_of(arguments, RunConfig), "metrics": metrics}
    return completed(solver, asked, values_of(arguments, Limits), options or {})


MAX_SECONDS = 3600.0
"""Time on the page, unless told otherwise: whoever is at work may ask a person, who may be at lunch."""


def add_page_arguments(parse: argparse.ArgumentParser) -> None:
    """Add them."""
    parse.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="list the fields in the prompt (default)",
    )
    add_profile(parse)
    add_task_set(parse)
    add_options(parse, RunConfig, PAGES)
    add_options(parse, Limits, defaults={"max_seconds": MAX_SECONDS})


def page_config(arguments: argparse.Namespace, solver: str, task: str, options: JsonObject) -> RunConfig:
    """The run of one episode that the arguments of ``add_page_arguments`` describe, and others of ``RunConfig``.

    Args:
        arguments: The parsed command line.
        solver: The solver's name.
        task: The task's name, or a glob that fits it.
        options: Of the solver.
    """
    limits = Limits(**values_of(arguments, Limits))
    asked = {"solver": solver, "options": options, "tasks": (task,), "limits": limits}
    return RunConfig(**{**values_of(arguments, RunConfig), **asked})

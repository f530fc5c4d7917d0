"""Arguments of commands that open one page, and the configuration that they describe."""

from __future__ import annotations

import argparse

from harness.cli.profile_arguments import add_profile
from harness.cli.task_arguments import add_task_set
from harness.kit.arguments import add_options, values_of
from harness.kit.files.codec import JsonObject
from harness.records.config import PAGES, Limits, RunConfig

MAX_SECONDS = 3600.0
"""Time on the page, unless told otherwise: whoever is at work may ask a person, who may be at lunch."""


def add_page_arguments(parse: argparse.ArgumentParser) -> None:
    """Add them."""
    parse.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="tell which fields there are (default)",
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

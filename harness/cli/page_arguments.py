"""Arguments of commands that open one page, and the configuration that they describe."""

from __future__ import annotations

import argparse

from harness.cli.profile_arguments import add_profile
from harness.cli.task_arguments import add_page_settings, add_seeds, add_task_set, add_time
from harness.files.codec import JsonObject
from harness.runlog.config import Limits, RunConfig

MAX_SECONDS = 3600.0
"""Time on the page, unless told otherwise: whoever is at work may ask a person, who may be at lunch."""


def add_page_arguments(parse: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add them; gives the group of those about the browser, for further ones."""
    parse.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="tell which fields there are (default)",
    )
    add_profile(parse)
    tasks = parse.add_argument_group("tasks")
    add_task_set(tasks)
    add_seeds(tasks)
    browser = parse.add_argument_group("browser")
    add_page_settings(browser)
    add_time(browser, MAX_SECONDS)
    return browser


def page_config(arguments: argparse.Namespace, solver: str, task: str, options: JsonObject) -> RunConfig:
    """The run of one episode that the arguments of ``add_page_arguments`` describe.

    Args:
        arguments: The parsed command line.
        solver: The solver's name.
        task: The task's name, or a glob that fits it.
        options: Of the solver.
    """
    return RunConfig(
        solver=solver,
        options=options,
        tasks_dir=arguments.tasks_dir,
        overlay=arguments.overlay,
        tasks=(task,),
        metrics=arguments.metrics,
        headed=arguments.headed,
        live_clock=arguments.live_clock,
        server=arguments.server,
        limits=Limits(max_seconds=arguments.max_time),
        network=arguments.network,
        media=arguments.media,
        require_sandbox=arguments.require_sandbox,
        seeds=arguments.seeds,
    )

"""Arguments of commands that open the pages of a run again."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from harness.catalog.mirror.outside import Network
from harness.catalog.overlay import overlay_file
from harness.cli.task_sets import fetched
from harness.datasets.tasksets import DATASETS
from harness.kit.arguments import add_some, positive
from harness.kit.errors import UserError
from harness.records.config import ONE_DESKTOP, RunConfig
from harness.run.progress import MODES

if TYPE_CHECKING:
    from harness.run.page_source import PageSource


def add_pages(parse: argparse._ActionsContainer) -> None:
    """Add where pages come from, and how a browser shows them."""
    add_page_source(parse)
    add_some(parse, RunConfig, "require_sandbox")


def add_page_source(parse: argparse._ActionsContainer) -> None:
    """Add where pages come from, and what they reach: what a run says of that is not believed."""
    which = parse.add_mutually_exclusive_group()
    which.add_argument(
        "--tasks-dir", type=Path, metavar="DIR", help="folder of the run's task folders (default: the bundled tasks)"
    )
    which.add_argument(
        "--dataset", dest="tasks_dir", type=fetched, metavar="NAME", help=f"a fetched task set: {', '.join(DATASETS)}"
    )
    parse.add_argument(
        "--overlay", type=overlay_file, metavar="FILE", help="further facts about these tasks, as given to the run"
    )
    parse.add_argument(
        "--network",
        choices=get_args(Network),
        default="mirror",
        help="what pages can reach in the replay (default: %(default)s)",
    )
    parse.add_argument("--media", type=Path, metavar="DIR", help="local copies of outside media (default: none)")


def pages_of(arguments: argparse.Namespace) -> PageSource:
    """What the arguments of ``add_pages`` say."""
    from harness.run.page_source import PageSource  # noqa: PLC0415 - slow to import, and for work only

    return PageSource(
        arguments.tasks_dir,
        arguments.overlay,
        arguments.network,
        arguments.media,
        require_sandbox=arguments.require_sandbox,
    )


def add_browsers(parse: argparse._ActionsContainer) -> None:
    """Add how many browsers are at work, how actions reach their pages, and how they tell how they get on."""
    parse.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="browsers in parallel (default: %(default)s)"
    )
    add_some(parse, RunConfig, "input")
    parse.add_argument(
        "--progress", choices=MODES, help="how progress is shown: bar (default on a terminal), plain, json or quiet"
    )


def worked_pages_of(arguments: argparse.Namespace) -> PageSource:
    """What the arguments of ``add_pages`` and ``add_browsers`` say.

    Raises:
        UserError: they cannot be meant so.
    """
    if arguments.input == "desktop" and arguments.workers > 1:
        raise UserError(ONE_DESKTOP)
    return replace(pages_of(arguments), input=arguments.input)

"""Arguments of commands that open the pages of a run again."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.cli.argument_types import positive
from harness.cli.sandbox_argument import add_sandbox
from harness.run.progress import MODES


def add_moved_tasks(parse: argparse._ActionsContainer) -> None:
    """Add where the tasks of a run are now."""
    parse.add_argument("--tasks-dir", type=Path, metavar="DIR", help="the task folders, if they have moved")


def add_browsers(parse: argparse._ActionsContainer) -> None:
    """Add how many browsers are at work, how they are started, and how they tell how they get on."""
    parse.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="browsers at a time (default: %(default)s)"
    )
    add_sandbox(parse)
    parse.add_argument("--progress", choices=MODES, help="bar (default on a terminal), plain, json or quiet")

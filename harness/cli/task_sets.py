"""Task sets as arguments."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.datasets.tasksets import DatasetError, tasks_folder
from harness.kit.files.installation import BUNDLED_TASKS


def fetched(name: str) -> Path:
    """The type of an argument that names a fetched task set: the folder of its tasks."""
    try:
        return tasks_folder(name)
    except DatasetError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_which(parse: argparse.ArgumentParser) -> None:
    """Add ``NAME`` and ``--tasks-dir``, of which one can be given."""
    which = parse.add_mutually_exclusive_group()
    which.add_argument("name", nargs="?", metavar="NAME", help="a fetched task set (default: the bundled tasks)")
    which.add_argument("--tasks-dir", type=Path, metavar="DIR", help="a folder of task folders")


def chosen_folder(arguments: argparse.Namespace) -> Path:
    """The folder of the tasks that were named.

    Raises:
        DatasetError: there is no such task set, or it was not fetched.
    """
    return tasks_folder(arguments.name) if arguments.name else arguments.tasks_dir or BUNDLED_TASKS

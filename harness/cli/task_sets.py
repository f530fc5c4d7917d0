"""Task sets as arguments."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.datasets.tasksets import DatasetError, tasks_folder


def fetched(name: str) -> Path:
    """The type of an argument that names a fetched task set: the folder of its tasks."""
    try:
        return tasks_folder(name)
    except DatasetError as error:
        raise argparse.ArgumentTypeError(str(error)) from error

"""A task to start from: a small one that works, with every kind of field, and comments that say what is what."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from harness.catalog.splits import FOLDER
from harness.catalog.task import FILES
from harness.catalog.tasks_folder import may_be_task
from harness.kit.errors import UserError
from harness.kit.files.writing import write_bytes

_SOURCE = Path(str(files("harness"))) / "datasets" / "example"


class NoNewTask(UserError):
    """A new task cannot be made in a folder; the message says why and what to do."""


def make_example(folder: Path) -> None:
    """Write the example's files into a new folder, whose name is the task's.

    Args:
        folder: The folder, which is made, with those above it; it may be there if it is empty.

    Raises:
        NoNewTask: it holds something, is a file, or has a name that no task can have.
        OSError: it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NoNewTask(f"{folder} is not empty; give a new folder, whose name is to be that of the task")
    if not may_be_task(folder.absolute().name):
        raise NoNewTask(
            f"{folder}: no task is called {FOLDER}, or begins with a dot or an underscore; give another name"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        write_bytes(folder / name, (_SOURCE / name).read_bytes())

"""A task to start from: a small one that works, with every kind of field, and comments that say what is what."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from harness.catalog.task import FILES
from harness.errors.user import UserError
from harness.files.writing import write_bytes

_SOURCE = Path(str(files("harness"))) / "datasets" / "example"


class FolderInUse(UserError):
    """The folder of a new task holds something already; the message says what to do."""


def make_example(folder: Path) -> None:
    """Write the example's files into a new folder, whose name is the task's.

    Args:
        folder: The folder, which is made, with those above it; it may be there if it is empty.

    Raises:
        FolderInUse: it holds something, or is a file.
        OSError: it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderInUse(f"{folder} is not empty; give a new folder, whose name is to be that of the task")
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        write_bytes(folder / name, (_SOURCE / name).read_bytes())

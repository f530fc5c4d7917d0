"""Where a new run is written: the folder that its user names, or a new one that nobody else has."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Iterator
from pathlib import Path

from harness.kit.files.writing import path_name
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.fatal import CannotWrite
from harness.records.folder_lock import FolderInUse

RUNS = Path("runs")


@contextlib.contextmanager
def new_folder(config: RunConfig, out: Path | None, remedy: str = "give another --out") -> Iterator[Path]:
    """The folder of a new run, for as long as it is prepared and played; one that was made for nothing is removed.

    Args:
        config: Of the run.
        out: The folder that was asked for; None for a new one, see ``default_folder``.
        remedy: What to do if the folder cannot be taken.

    Raises:
        FolderInUse: the folder holds something.
        CannotWrite: no folder can be made.
    """
    if out:
        if reason := RunDirectory(out).refusal():
            raise FolderInUse(f"{reason}; {remedy}")
        yield out
        return
    with removed_if_empty(default_folder(config, datetime.datetime.now(datetime.UTC))) as folder:
        yield folder


@contextlib.contextmanager
def removed_if_empty(folder: Path) -> Iterator[Path]:
    """A context for a folder that was made for something, which may not come about."""
    try:
        yield folder
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()


def default_folder(config: RunConfig, now: datetime.datetime, base: Path = RUNS) -> Path:
    """A new folder ``runs/<time>_<solver>_<split>``, with a number behind if it is taken.

    It is made here, so that of two runs that begin in the same second each has its own.

    Raises:
        CannotWrite: it cannot be made.
    """
    name = f"{now:%Y-%m-%dT%H-%M-%S}_{path_name(config.solver.rpartition(':')[2])}_{path_name(config.split or 'all')}"
    return made_folder(base, name)


def made_folder(base: Path, name: str) -> Path:
    """Make a new folder in another, which is made as needed.

    Args:
        base: The other folder.
        name: Of the new one; it gets a number behind if it is taken.

    Raises:
        CannotWrite: it cannot be made.
    """
    folder, number = base / name, 1
    try:
        base.mkdir(parents=True, exist_ok=True)
        while True:
            try:
                folder.mkdir()
            except FileExistsError:
                number += 1
                folder = base / f"{name}-{number}"
            else:
                return folder
    except OSError as error:
        raise CannotWrite(base, error) from error

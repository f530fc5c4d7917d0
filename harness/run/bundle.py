"""Folders that are named by their content, and written into a machine's cache once, such as those of other machines."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.csv_table import read_table
from harness.catalog.mirror.store import Store
from harness.catalog.problems import MalformedTask
from harness.catalog.task import MEDIA as OWN_MEDIA
from harness.catalog.task import TABLE, TEMPLATE, Task, media_files
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.files.writing import CACHE_NAME, cache_folder
from harness.records.config import RunConfig
from harness.run.forked import in_child

BUNDLES = "bundles"
"""The folder in the cache of a machine where they are written."""


@dataclass(frozen=True)
class Bundle:
    """The files of a folder.

    Attributes:
        name: A hash of them.
        files: Path in the folder, with slashes, and content.
    """

    name: str
    files: Mapping[str, bytes]


def bundled(files: Iterable[tuple[str, bytes]]) -> Bundle:
    """Bundle files; equal ones give an equal name.

    Args:
        files: Path in the folder, with slashes, and content.
    """
    found = dict(files)
    return Bundle(_name_of(found), found)


def files_below(folder: Path, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """All files of a folder for ``bundled``, by name.

    Args:
        folder: The folder.
        prefix: What stands before their paths.
    """
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield f"{prefix}{file.relative_to(folder).as_posix()}", file.read_bytes()


def written(name: str) -> Path | None:
    """Where a bundle was written on this machine; None if it was not."""
    folder = cache_folder() / BUNDLES / name
    return folder if folder.is_dir() else None


def write(bundle: Bundle) -> Path:
    """Write a bundle on this machine, whole or not at all; another process may do the same.

    Raises:
        ValueError: its name is not that of its content, or a file would not be in its folder.
        OSError: the cache cannot be written.
    """
    if _name_of(bundle.files) != bundle.name:
        raise ValueError(f"bundle {bundle.name} came damaged")
    there = cache_folder() / BUNDLES
    there.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=there, prefix="."))
    try:
        for path, data in bundle.files.items():
            # No link is among them, so that a path leads where it says.
            if ".." in Path(path).parts or Path(path).is_absolute():
                raise ValueError(f"the bundle holds {path!r}, which is no file in its folder")
            file = made / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        made.chmod(0o755)
        with contextlib.suppress(OSError):  # somebody else was first
            os.rename(made, there / bundle.name)  # noqa: PTH104 - a rename onto what is there has to fail
    finally:
        shutil.rmtree(made, ignore_errors=True)
    folder = written(bundle.name)
    assert folder  # noqa: S101 - renamed by one of us
    return folder


def _name_of(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, data in sorted(files.items()):
        digest.update(f"{len(path.encode())} {len(data)} ".encode())
        digest.update(path.encode())
        digest.update(data)
    return digest.hexdigest()


TASKS, CACHE, MEDIA = "tasks", "cache", "media"
"""What bundles hold: task folders; the mirror, in the folder of a cache; local media."""
_MIRROR = f"{CACHE_NAME}/mirror"
_NUMBER = "number of the instance"
"""A column that no template shows: rows of empty cells at the end of a table are none."""


class CannotBundle(UserError):
    """A task cannot be sent to another machine as it is; the message says why."""


def bundle_tasks(config: RunConfig, names: Iterable[str]) -> Bundle:
    """The pages of tasks: their templates and the columns that these show, a row an instance.

    Tables are read in a process that ends: this one is not to have seen labels.

    Args:
        config: Says where the tasks are.
        names: Those that can be played; one that cannot be read is left out.

    Raises:
        CannotBundle: a task would have other instances there.
    """
    return in_child(lambda: bundled(_without_labels(Catalog(config.tasks_dir, config.overlay, tables_kept=1), names)))


def bundles_for(config: RunConfig, names: Iterable[str]) -> dict[str, Bundle]:
    """What other machines are given of a run, as ``TASKS``, ``CACHE`` and ``MEDIA``, as far as there is any.

    Raises:
        CannotBundle: as ``bundle_tasks``.
    """
    bundles = {TASKS: bundle_tasks(config, names)}
    mirror = Store.default().folder
    if config.network == "mirror" and mirror.is_dir():
        bundles[CACHE] = bundled(files_below(mirror, f"{_MIRROR}/"))
    if config.media:
        bundles[MEDIA] = bundled(files_below(config.media))
    return bundles


def _without_labels(catalog: Catalog, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        try:
            task = catalog.task(name)
        except MalformedTask:
            continue  # which the plan tells
        yield f"{name}/{TEMPLATE}", read_inside(task.folder, TEMPLATE)
        for file in media_files(task.folder):
            yield f"{name}/{OWN_MEDIA}/{file.name}", read_inside(file.parent, file.name)
        if task.evaluable:
            yield f"{name}/{TABLE}", _table(task)


def _table(task: Task) -> bytes:
    header = (_NUMBER, *task.variables)
    rows = [
        (str(number), *(each.inputs[name] for name in task.variables)) for number, each in enumerate(task.instances)
    ]
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    data = stream.getvalue().encode()
    found = read_table(data)
    if (found.header, list(found.rows)) != (header, rows):
        raise CannotBundle(f"{task.name!r}: its table cannot be written so that it is read again as it is")
    return data

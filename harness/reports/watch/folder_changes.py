"""Which files of episodes an index does not know yet: folders that have not changed are not looked into."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_SETTLED = 2_000_000_000
"""Nanoseconds after which a folder's time tells of every change: within them two changes may bear the same time."""

_FARTHEST = 2**63 - 1
"""Nanoseconds from 1970 that a database holds: a file may bear any time."""

_FOLDERS = """
WITH RECURSIVE known (one) AS (
    SELECT min(folder) FROM file UNION ALL
    SELECT (SELECT min(file.folder) FROM file WHERE file.folder > known.one) FROM known WHERE known.one IS NOT NULL
) SELECT one FROM known WHERE one IS NOT NULL
"""
"""The folders of the known files, each looked up in the key: few folders hold many files."""


@dataclass(frozen=True)
class EpisodeFile:
    """A file in a folder of ``episodes/``.

    Attributes:
        folder: The name of its folder, which stands for a task.
        name: Its own name.
        changed: When it was written: nanoseconds since 1970.
        size: Bytes.
    """

    folder: str
    name: str
    changed: int
    size: int


@dataclass(frozen=True)
class FolderChanges:
    """What an index has to take in.

    Attributes:
        files: Files that are new, or others than they were.
        gone: Folder and name of files that are no more.
        settled: Folder -> its time, of those that are known whole once ``files`` are.
    """

    files: tuple[EpisodeFile, ...]
    gone: tuple[tuple[str, str], ...]
    settled: Mapping[str, int]

    def __bool__(self) -> bool:
        return bool(self.files or self.gone or self.settled)


def changes(run: Path, database: sqlite3.Connection, *, edited: bool = False) -> FolderChanges:
    """Compare the episodes of a run directory with its index.

    An episode is written under another name and renamed, which changes the time of its folder. One that was edited in
    place, as no run does, is noticed only if it is looked for.

    Args:
        run: The run directory.
        database: Of its index.
        edited: Look for episodes that were edited in place, too, which looks at every file.
    """
    now = time.time_ns()
    seen: dict[str, int] = dict(database.execute("SELECT folder, changed FROM seen"))
    files: list[EpisodeFile] = []
    gone: list[tuple[str, str]] = []
    settled = {}
    folders = dict(_folders(run / "episodes"))
    for folder, changed in folders.items():
        if seen.get(folder) == changed and not edited:
            continue
        known = _known(database, folder)
        found = list(_files(run / "episodes" / folder, folder))
        files += [file for file in found if known.get(file.name) != (file.changed, file.size)]
        gone += [(folder, name) for name in known.keys() - {file.name for file in found}]
        if now - changed > _SETTLED:
            settled[folder] = changed
    for folder in {folder for (folder,) in database.execute(_FOLDERS)} - folders.keys():
        gone += [(folder, name) for name in _known(database, folder)]
    return FolderChanges(tuple(files), tuple(gone), settled)


def _known(database: sqlite3.Connection, folder: str) -> dict[str, tuple[int, int]]:
    rows = database.execute("SELECT name, changed, size FROM file WHERE folder = ?", (folder,))
    return {name: (changed, size) for name, changed, size in rows}


def _folders(episodes: Path) -> Iterator[tuple[str, int]]:
    try:
        with os.scandir(episodes) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and entry.is_dir():
                    yield _text(entry.name), _time(entry.stat())
    except OSError:
        return


def _files(place: Path, folder: str) -> Iterator[EpisodeFile]:
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.name.endswith(".json"):
                    continue
                about = entry.stat(follow_symlinks=False)
                yield EpisodeFile(folder, _text(entry.name), _time(about), about.st_size)
    except OSError:
        return


def _time(about: os.stat_result) -> int:
    return max(-_FARTHEST, min(about.st_mtime_ns, _FARTHEST))


def _text(name: str) -> str:
    """A name as text that a database holds; of one that is no UTF-8, which no run has written, only a likeness."""
    return name.encode("utf-8", "backslashreplace").decode()

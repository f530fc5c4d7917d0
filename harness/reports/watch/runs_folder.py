"""The runs in a folder: each directory with a ``run.json``, and those that were one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError
from harness.records.directory import RUN_FILE

DEPTH = 3
"""Folders below the one that is looked at in which runs are found."""

_EPISODES = "episodes"


class UnknownRun(UserError):
    """A folder holds no run of a name."""


@dataclass(frozen=True)
class RunPlace:
    """Where a run is.

    Attributes:
        parts: The names of the folders that lead to it, from the one that is looked at; empty if it is that one.
        folder: The run directory.
    """

    parts: tuple[str, ...]
    folder: Path

    @property
    def name(self) -> str:
        """What people call it."""
        return "/".join(self.parts) or self.folder.resolve().name


@dataclass(frozen=True)
class RunsFolder:
    """A folder of run directories, or one of them.

    Attributes:
        folder: The folder.
    """

    folder: Path

    def places(self) -> list[RunPlace]:
        """All runs in it, by name. Nothing of them is read; nothing below a run is looked at."""
        return sorted(self._below((), self.folder), key=lambda place: place.parts)

    def place(self, parts: tuple[str, ...]) -> RunPlace:
        """The run at the end of a path.

        Raises:
            UnknownRun: there is none, or the path leads elsewhere.
        """
        place = RunPlace(parts, self.folder.joinpath(*parts))
        steps = all(part not in {"", ".", ".."} and "/" not in part and "\0" not in part for part in parts)
        # What lies below a run is the run's, and may be a link to anywhere.
        above = steps and any(_is_run(self.folder.joinpath(*parts[:count])) for count in range(len(parts)))
        if not steps or above or len(parts) > DEPTH or not _is_run(place.folder):
            raise UnknownRun(f"There is no run {'/'.join(parts)!r} in {self.folder}")
        return place

    def _below(self, parts: tuple[str, ...], folder: Path) -> Iterator[RunPlace]:
        if _is_run(folder):
            yield RunPlace(parts, folder)
        elif len(parts) < DEPTH:
            for name in _folders(folder):
                yield from self._below((*parts, name), folder / name)


def _is_run(folder: Path) -> bool:
    # One without run.json is shown as what it is: broken. ``Path.is_dir`` fails for names that are too long.
    return os.path.lexists(folder / RUN_FILE) or os.path.isdir(folder / _EPISODES)  # noqa: PTH112


def _folders(folder: Path) -> list[str]:
    """The names of the folders in a folder, none if it cannot be read; hidden ones are nobody's runs."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir()]
    except OSError:
        return []

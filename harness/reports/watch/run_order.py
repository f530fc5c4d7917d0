"""The episodes before and behind one in its run: by task, then by index. Nothing but names is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote


@dataclass(frozen=True)
class EpisodePlace:
    """Where an episode is in its run.

    Attributes:
        task: Its task's name as it stands in paths.
        index: Of the instance.
    """

    task: str
    index: int


def around(run: Path, here: EpisodePlace) -> tuple[EpisodePlace | None, EpisodePlace | None]:
    """The episodes before and behind one; None where there is none.

    Args:
        run: The run directory.
        here: The episode.
    """
    indices = _indices(run, here.task)
    before = max((index for index in indices if index < here.index), default=None)
    behind = min((index for index in indices if index > here.index), default=None)
    tasks = sorted(_names(run / "episodes"), key=_order) if before is None or behind is None else []
    at = _order(here.task)
    return (
        EpisodePlace(here.task, before)
        if before is not None
        else next(_ends(run, [task for task in reversed(tasks) if _order(task) < at], last=True), None),
        EpisodePlace(here.task, behind)
        if behind is not None
        else next(_ends(run, [task for task in tasks if _order(task) > at], last=False), None),
    )


def _ends(run: Path, tasks: list[str], *, last: bool) -> Iterator[EpisodePlace]:
    """The last or the first episode of each of these tasks that has any."""
    for task in tasks:
        if indices := _indices(run, task):
            yield EpisodePlace(task, max(indices) if last else min(indices))


def _order(task: str) -> tuple[str, str]:
    return unquote(task), task


def _indices(run: Path, task: str) -> list[int]:
    stems = (name.removesuffix(".json") for name in _names(run / "episodes" / task) if name.endswith(".json"))
    return [int(stem) for stem in stems if stem.isascii() and stem.isdecimal()]


def _names(folder: Path) -> list[str]:
    """The names in a folder but hidden ones; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if not entry.name.startswith(".")]
    except OSError:
        return []

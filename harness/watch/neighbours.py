"""The episodes before and behind one in its run: by task, then by index. Nothing but names is read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class EpisodePlace:
    """Where an episode is in its run.

    Attributes:
        task: Its task's name as it stands in paths.
        index: Of the instance.
    """

    task: str
    index: int


def neighbours(run: Path, here: EpisodePlace) -> tuple[EpisodePlace | None, EpisodePlace | None]:
    """The episodes before and behind one; None where there is none.

    Args:
        run: The run directory.
        here: The episode.
    """
    indices = _indices(run, here.task)
    before = max((index for index in indices if index < here.index), default=None)
    behind = min((index for index in indices if index > here.index), default=None)
    tasks = _tasks(run) if before is None or behind is None else []
    return (
        EpisodePlace(here.task, before)
        if before is not None
        else _at_an_end(run, [task for task in reversed(tasks) if task < here.task], last=True),
        EpisodePlace(here.task, behind)
        if behind is not None
        else _at_an_end(run, [task for task in tasks if task > here.task], last=False),
    )


def _at_an_end(run: Path, tasks: list[str], *, last: bool) -> EpisodePlace | None:
    """The last or the first episode of the first of these tasks that has any."""
    for task in tasks:
        if indices := _indices(run, task):
            return EpisodePlace(task, max(indices) if last else min(indices))
    return None


def _tasks(run: Path) -> list[str]:
    return sorted(name for name in _names(run / "episodes") if not name.startswith("."))


def _indices(run: Path, task: str) -> list[int]:
    stems = (name.removesuffix(".json") for name in _names(run / "episodes" / task) if name.endswith(".json"))
    return [int(stem) for stem in stems if stem.isascii() and stem.isdecimal()]


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []

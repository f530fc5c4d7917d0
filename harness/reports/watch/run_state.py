"""How far a run is, as its directory tells it: nothing is asked of the process that writes it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from harness.records.folder_lock import is_held
from harness.records.run_record import RunRecord

RunState = Literal["running", "complete", "incomplete", "interrupted", "failed", "broken"]


def state_of(folder: Path, record: RunRecord) -> RunState:
    """The state of a run.

    Args:
        folder: The run directory.
        record: Its ``run.json``.

    Returns:
        ``running`` while a process holds its lock; ``interrupted`` if it was told to end or ended without a word;
        ``incomplete`` if at least one instance has no score; ``failed`` if the solver could not do the work at all.
        Never ``broken``, which is said of one that cannot be read.
    """
    if is_held(folder):
        return "running"
    return "interrupted" if record.status == "running" else record.status


def count_episodes(folder: Path) -> int:
    """How many episodes lie in a run directory; nothing of them is read."""
    episodes = folder / "episodes"
    return sum(len(_names(episodes / task)) for task in _names(episodes))


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if not entry.name.startswith(".")]
    except OSError:
        return []

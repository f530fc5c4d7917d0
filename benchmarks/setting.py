"""What all benchmarks are told."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
"""The checkout."""


@dataclass(frozen=True)
class Setting:
    """What to measure on.

    Attributes:
        tasks_dir: The folder of task folders.
        pages: Pages to open, where a browser is involved.
        episodes: Episodes of the run that is scored again.
        long: Episodes of the run whose memory is watched.
    """

    tasks_dir: Path
    pages: int = 100
    episodes: int = 30_000
    long: int = 300


def default_tasks() -> Path:
    """``$TURKINGBENCH_DIR/tasks``, else ``../shared/turkingbench/tasks`` beside the project."""
    named = os.environ.get("TURKINGBENCH_DIR")
    return (Path(named) if named else PROJECT.parent / "shared" / "turkingbench") / "tasks"

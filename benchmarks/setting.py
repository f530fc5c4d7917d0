"""What all benchmarks are told."""

from __future__ import annotations

import os
from collections.abc import Sequence
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
        in_flight: Episodes at a time, where a model is waited for.
        replies: Seconds that its replies take there.
        pages_per_browser: How many of them share a browser.
        named_tasks: ``tasks_dir`` if the user named it; None where it is the default.
    """

    tasks_dir: Path
    pages: int = 100
    episodes: int = 30_000
    long: int = 300
    in_flight: Sequence[int] = (8, 32, 64)
    replies: Sequence[float] = (1, 2, 8)
    pages_per_browser: Sequence[int] = (1, 8)
    named_tasks: Path | None = None


def default_tasks() -> Path:
    """``$TURKINGBENCH_DIR/tasks``, else ``../shared/turkingbench/tasks`` beside the project."""
    named = os.environ.get("TURKINGBENCH_DIR")
    return (Path(named) if named else PROJECT.parent / "shared" / "turkingbench") / "tasks"

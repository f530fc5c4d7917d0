"""Runs on disk, as a report gathers them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.analysis.run_results import RunScores
from harness.kit.files.codec import plain
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.analysis.made import episodes, write
from tests.reports.made import record

TASKS = {
    "A": [{"ra": 1.0, "rb": 0.0, "rc": 0.0}, {"ra": 1.0}, {"ra": 0.0}],
    "B": [{"s": 0.52}, {"s": 0.04}],
    "C": [{"ra": 1.0}],
}


def run(folder: Path, tasks: Any = None, config: Any = None, splits: Any = None, **values: Any) -> Path:
    about = plain(record())
    played = episodes(tasks or TASKS, splits)
    results = RunScores.of(score_episode(each, PROFILES["standard"]) for each in played).results()
    settings = {**about.pop("config"), **(config or {})}
    return write(folder, played, settings, **{**about, "results": plain(results), **values})

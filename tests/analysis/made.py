"""Runs with the scores that a test wants, written without a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.analysis.scored_run import ScoredRun, read_scored
from harness.kit.files.codec import plain, typed
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, FieldRecord
from harness.records.run_record import RunRecord
from tests.samples import episode, record, run_record

Fields = Mapping[str, float]
"""Field -> its score. A name that begins with r is a radio button's, any other a slider's."""


def field(name: str, score: float) -> FieldRecord:
    if name.startswith("r"):
        sent = {1.0: "yes", 0.0: "no"}[score]
        return record(name, "radio", options=("yes", "no"), labels=("yes", "yes"), sent=(sent,))
    return record(name, "range", labels=("100", "100"), sent=(repr(100 * score),))


def instance_id(task: str, index: int) -> str:
    return f"{sum(map(ord, task)):06x}{index:06x}"


def episodes(tasks: Mapping[str, Sequence[Fields]], splits: Mapping[str, str] | None = None) -> list[Episode]:
    """One for each instance; none of whose fields is scored if there are none."""
    return [
        episode(
            *(field(name, score) for name, score in fields.items()),
            task=task,
            index=index,
            id=instance_id(task, index),
            split=(splits or {}).get(task, "train"),
            outcome="scored" if fields else "unscored",
        )
        for task, instances in tasks.items()
        for index, fields in enumerate(instances)
    ]


def write(folder: Path, played: Sequence[Episode], config: Mapping[str, Any] | None = None, **values: Any) -> Path:
    """A run directory; ``config`` and ``values`` go into its ``run.json``."""
    directory = RunDirectory(folder)
    base = plain(run_record(planned_episodes=len(played)))
    settings = {**base["config"], "solver": "a", **(config or {})}
    directory.write(typed({**base, **values, "config": settings}, RunRecord))
    for each in played:
        directory.add(each, {})
    return folder


def scored(
    folder: Path,
    tasks: Mapping[str, Sequence[Fields]],
    config: Mapping[str, Any] | None = None,
    splits: Mapping[str, str] | None = None,
    **values: Any,
) -> ScoredRun:
    return read_scored(write(folder, episodes(tasks, splits), config, **values))


ASKED = {"model": "m", "encoding": "text", "demos": 0, "screenshot": "none", "vision": False, "protocol": "field"}

"""Runs in which an agent and workers answer made questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.analysis.replacement.answers import Answers, read_answers
from harness.records.episode import Episode
from tests.analysis.made import instance_id, write
from tests.samples import episode, record

OPTIONS = ("yes", "no")


def asked(index: int, sent: str, labels: Sequence[str], fields: int = 1, task: str = "T", **values: Any) -> Episode:
    """An instance with the same answers in each of its radio buttons."""
    records = [
        record(f"q{place}", "radio", options=OPTIONS, labels=tuple(labels), sent=(sent,) if sent else ())
        for place in range(fields)
    ]
    outcome = "scored" if any(labels) else "unscored"
    return episode(
        *records, **{"task": task, "index": index, "id": instance_id(task, index), "outcome": outcome, **values}
    )


def answers_of(folder: Path, *runs: Sequence[Episode], **config: Any) -> Answers:
    folders = [write(folder / f"run{number}", played, config) for number, played in enumerate(runs)]
    return read_answers(folders)


def with_one_odd(index: int, workers: int = 3) -> list[str]:
    """Labels of workers of whom one, each time another, says no."""
    return ["no" if row == index % workers else "yes" for row in range(workers)]

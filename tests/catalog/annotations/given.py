"""Made-up answers of people, and the results files in which they stand."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.catalog.annotations.handed_in import HandedIn, PublishedBatch, results_csv
from harness.catalog.task import Task

AT = datetime.datetime(2026, 2, 3, 17, 20, 34, tzinfo=datetime.UTC)


def published(*rows: HandedIn, variables: Sequence[str] = ("text",), **more: Any) -> PublishedBatch:
    """What was handed in of a batch."""
    said: dict[str, Any] = {"project_id": "7", "title": "Two fields", "name": "Batch 1", "task": "T"}
    common = {"created": AT, "assignments": 2, "seconds": 3600, "variables": variables}
    return PublishedBatch(handed_in=rows, **{**said, **common, **more})


def handed_in(worker: str = "ann", answers: Mapping[str, Sequence[str]] | None = None, **more: Any) -> HandedIn:
    """One assignment, of instance 0 with the input text = one unless said otherwise."""
    said: dict[str, Any] = {
        "id": "41",
        "instance_id": "0123456789ab",
        "index": 0,
        "inputs": {"text": "one"},
        "worker_id": "3",
        "accepted": AT,
        "submitted": AT + datetime.timedelta(seconds=90),
    }
    return HandedIn(worker=worker, answers=answers or {}, **{**said, **more})


def write_results(file: Path, task: Task, *rows: tuple[str, int, Mapping[str, Sequence[str]]], **more: Any) -> Path:
    """Write the results of a task: worker, index of the instance, answers."""
    made = [
        handed_in(
            worker,
            answers,
            id=str(at),
            instance_id=task.instances[index].id,
            index=index,
            inputs=task.instances[index].inputs,
            **more,
        )
        for at, (worker, index, answers) in enumerate(rows)
    ]
    text = results_csv([published(*made, variables=task.variables, task=task.name)])
    file.write_text(text, encoding="utf-8", newline="")
    return file

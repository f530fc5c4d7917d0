"""Tasks, fields and episodes made in memory, for tests that need neither files nor a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.browser.form.fields import Field, Option
from harness.browser.form.submission import Submission
from harness.catalog.facts import Facts
from harness.catalog.kinds import CHOICES
from harness.catalog.task import Instance, Task
from harness.records.config import RunConfig
from harness.records.episode import Episode, FieldRecord
from harness.records.provenance import Provenance
from harness.records.run_record import MissedOutside, RunFingerprint, RunRecord
from harness.scoring.answers.columns import SCORED, Answer, AnswerColumns


def field(name: str, kind: str = "text", *values: str, visible: bool = True, initial: Sequence[str] = ()) -> Field:
    return Field(
        name=name,
        kind=kind,  # type: ignore[arg-type]
        type=kind,
        options=tuple(Option(value, value, True) for value in values) if kind in CHOICES else (),
        visible=visible and kind != "hidden",
        disabled=False,
        multiple=False,
        scale=None,
        initial=tuple(initial),
    )


def task(
    *labels: Mapping[str, Sequence[str]],
    inputs: Sequence[Mapping[str, str]] | None = None,
    name: str = "T",
    facts: Facts | None = None,
) -> Task:
    """A task with one instance for each map of answer column -> cells, one cell a worker."""
    shown = inputs or [{"text": f"text {index}"} for index in range(len(labels))]
    instances = []
    row = 0
    for index, (cells, values) in enumerate(zip(labels, shown, strict=True)):
        workers = len(next(iter(cells.values())))
        rows = tuple(range(row + 1, row + 1 + workers))
        row += workers
        made = {column: tuple(each) for column, each in cells.items()}
        instances.append(Instance(name, index, f"{index:012x}", values, made, rows, (index,)))
    return Task(
        name=name,
        folder=Path(name),
        template="",
        variables=tuple(shown[0]),
        columns=tuple(labels[0]),
        facts=facts or Facts(),
        split="train",
        instances=tuple(instances),
        evaluable=True,
    )


def answers(task: Task, *fields: Field, index: int = 0) -> dict[str, Answer]:
    found = AnswerColumns(task).answers(task.instances[index], fields)
    return {answer.name: answer for answer in found}


def record(name: str = "a", kind: str = "text", **values: Any) -> FieldRecord:
    given: dict[str, Any] = {
        "options": (),
        "labels": ("yes",),
        "status": SCORED,
        "told": True,
        "visible": True,
        "sent": (),
        "untouched": (),
        "constant": (),
    }
    return FieldRecord(name=name, kind=kind, **{**given, **values})


def submission(*, accepted: bool = True, **values: Sequence[str]) -> Submission:
    return Submission({name: tuple(each) for name, each in values.items()}, accepted, "press", "", ())


def run_record(**values: Any) -> RunRecord:
    """The content of a ``run.json`` of a complete run whose hashes are of nothing."""
    given: dict[str, Any] = {
        "status": "complete",
        "started": "2026-01-31T12:00:00+00:00",
        "config": RunConfig("random", Path("tasks")),
        "provenance": Provenance(None, "", "", "", {}),
        "foundations": RunFingerprint(overlay="", task_set="", page_code="", mirror=""),
        "outside": missed_outside(),
        "planned_episodes": None,
        "left_out": {},
        "identical_tasks": (),
    }
    hashes = dict.fromkeys(("task_set", "inventory", "protocol", "sample", "comparability_id"), "")
    return RunRecord(**{**given, **hashes, **values})


def missed_outside(**values: Any) -> MissedOutside:
    nothing: dict[str, Any] = {
        "network": "mirror",
        "instances_without_their_media": 0,
        "tasks_without_their_media": {},
        "missing_assets": {},
        "media_of_templates": {},
    }
    return MissedOutside(**{**nothing, **values})


def episode(*fields: FieldRecord, **values: Any) -> Episode:
    given: dict[str, Any] = {"task": "T", "index": 0, "id": "0" * 12, "split": "train", "outcome": "scored"}
    sent = None if values.get("outcome") == "harness_error" else submission()
    return Episode(**{**given, "fields": fields, "submission": sent, **values})

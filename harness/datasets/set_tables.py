"""A task set as tables that Hugging Face's ``datasets`` loads: the tasks, and their instances with what people said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from harness.catalog import Catalog
from harness.catalog.facts import parse_json
from harness.catalog.splits import DEFAULT as TRAIN
from harness.catalog.task import FACTS, Instance, Task
from harness.kit.files.inside import read_inside
from harness.kit.rows import Kind, datasets_folder

_PLACE: Mapping[str, Kind] = {"task": "text", "split": "text", "held_out": "truth"}
TABLES: Mapping[str, Mapping[str, Kind]] = {
    "tasks": {
        **_PLACE,
        "kind": "text",
        "title": "text",
        "description": "text",
        "licence": "text",
        "content_warning": "text",
        "template": "text",
        "variables": "texts",
        "columns": "texts",
        "instances": "whole",
        "website": "text",
    },
    "instances": {
        **_PLACE,
        "index": "whole",
        "id": "text",
        "inputs": "text",
        "labels": "text",
        "rows": "whole",
    },
}
"""Table -> its columns. ``website``, ``inputs`` and ``labels`` are JSON."""
_EVALUATORS = "evaluators"
"""What of a website's ``task.json`` says what has to come of it."""

_ABOUT = """# Tasks on forms and websites

`tasks` has a row for each task: its template, or for a website what its `task.json` says. `instances` has a row for
each page: `inputs` are the values that fill the template, `labels` what each worker wrote into each answer column, both
JSON, and `rows` is how many rows of the table it was made from. Load one with
`datasets.load_dataset(FOLDER, "instances")`.

`held_out` is true for all that is not of the tasks' own split `train`: a model that has learnt from it must not be
evaluated on it, and whoever publishes it lets others learn from it."""
_LABELLED = "**The instances hold labels, and the tasks on websites what has to come of them.**"
_UNLABELLED = "Labels were left out: `labels` is empty everywhere, and no website says what has to come of it."


def write_set(catalog: Catalog, folder: Path, *, labels: bool) -> Mapping[str, int]:
    """Write the tables of a task set.

    Args:
        catalog: The task set.
        folder: Where they come to stand, with their card.
        labels: Whether what people said is among it, and what has to come of a task on a website.

    Returns:
        Table -> how many rows it has.

    Raises:
        CannotExport: a file is there already or cannot be written, or pyarrow is not installed.
        CatalogError: a task cannot be read.
    """
    names = catalog.names()
    splits = {catalog.split_of(name) for name in names}
    with datasets_folder(folder, TABLES, splits, f"{_ABOUT}\n\n{_LABELLED if labels else _UNLABELLED}") as tables:
        counts: Counter[str] = Counter()
        for name in names:
            task = catalog.task(name)
            place = {"task": name, "split": task.split, "held_out": task.split != TRAIN}
            tables.write("tasks", task.split, place | _task(task, labels=labels))
            for instance in task.instances:
                tables.write("instances", task.split, place | _instance(instance, labels=labels))
            counts.update({"tasks": 1, "instances": len(task.instances)})
    return counts


def _task(task: Task, *, labels: bool) -> dict[str, Any]:
    facts = task.facts
    return {
        "kind": task.kind,
        "title": facts.title,
        "description": facts.description,
        "licence": facts.licence,
        "content_warning": facts.content_warning,
        "template": task.template,
        "variables": list(task.variables),
        "columns": list(task.columns),
        "instances": len(task.instances),
        "website": _website(task, labels=labels) if task.kind == "site" else "",
    }


def _website(task: Task, *, labels: bool) -> str:
    said = cast("dict[str, Any]", parse_json(read_inside(task.folder, FACTS)))
    return json.dumps({key: value for key, value in said.items() if labels or key != _EVALUATORS}, ensure_ascii=False)


def _instance(instance: Instance, *, labels: bool) -> dict[str, Any]:
    said = {column: list(cells) for column, cells in instance.labels.items()} if labels else {}
    return {
        "index": instance.index,
        "id": instance.id,
        "inputs": json.dumps(dict(instance.inputs), ensure_ascii=False),
        "labels": json.dumps(said, ensure_ascii=False),
        "rows": len(instance.rows),
    }

"""A task set as a folder that Hugging Face's ``datasets`` loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from tests.needs import extra
from tests.site_tasks import make_site_task
from tests.task_folders import csv_text, make_task

arrow = pytest.importorskip("pyarrow.parquet", reason=extra("export"))

NODE = {"target": "url", "match": "include", "reference": "SECRET"}


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks"
    table = csv_text(["text", "Answer.a"], ["é", "LABEL-1"], ["é", "LABEL-2"])
    make_task(folder, "Form", table=table, facts={"split": "train"})
    make_site_task(folder, "Site", evaluators={"key_nodes": [NODE]}, split="test")
    return folder


def export(tasks: Path, out: Path, *more: str) -> None:
    assert main(["export", "datasets", "--tasks-dir", str(tasks), "--out", str(out), *more]) == COMPLETE


def rows(out: Path, table: str, split: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = arrow.read_table(out / "data" / table / f"{split}.parquet").to_pylist()
    return found


def test_each_task_and_each_page_is_a_row_of_its_split(tasks, tmp_path, capsys):
    export(tasks, tmp_path / "out")
    assert "2 tasks, 2 instances" in capsys.readouterr().out
    (form,), (site,) = rows(tmp_path / "out", "tasks", "train"), rows(tmp_path / "out", "tasks", "test")
    assert (form["task"], form["kind"], form["variables"], form["columns"]) == ("Form", "form", ["text"], ["a"])
    assert (form["held_out"], site["held_out"]) == (False, True)
    assert json.loads(site["website"]) == json.loads((tasks / "Site" / "task.json").read_text(encoding="utf-8"))
    (page,) = rows(tmp_path / "out", "instances", "train")
    assert (page["index"], page["rows"], json.loads(page["inputs"])) == (0, 2, {"text": "é"})
    assert json.loads(page["labels"]) == {"a": ["LABEL-1", "LABEL-2"]}
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "path: data/instances/train.parquet" in card
    assert "hold labels" in card


def test_without_labels_no_answer_is_in_any_file(tasks, tmp_path):
    export(tasks, tmp_path / "out", "--without-labels")
    (page,) = rows(tmp_path / "out", "instances", "train")
    (site,) = rows(tmp_path / "out", "tasks", "test")
    assert json.loads(page["labels"]) == {}
    assert "evaluators" not in json.loads(site["website"])
    written = [file.read_bytes() for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert not [data for data in written if b"LABEL-" in data or b"SECRET" in data]


def test_what_is_there_is_not_replaced(tasks, tmp_path, capsys):
    export(tasks, tmp_path / "out")
    again = ["export", "datasets", "--tasks-dir", str(tasks), "--out", str(tmp_path / "out")]
    assert main(again) == WRONG_USE
    assert "README.md exists" in capsys.readouterr().err


def test_the_library_loads_it(tasks, tmp_path):
    datasets = pytest.importorskip("datasets", reason=extra("training"))
    export(tasks, tmp_path / "out")
    found = datasets.load_dataset(str(tmp_path / "out"), "tasks", cache_dir=str(tmp_path / "cache"))
    assert {name: part.num_rows for name, part in found.items()} == {"train": 1, "test": 1}

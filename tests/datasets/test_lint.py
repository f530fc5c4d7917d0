from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from harness.catalog import Catalog
from harness.datasets.lint import ConstantColumn, IdenticalTasks, TaskLint, UnlistedLabels, lint, lint_table
from tests.task_folders import csv_text, make_task

RADIO = "<p>${x}</p><input type=radio name=a value=1><input type=radio name=a value=2><input type=radio name=a value=3>"


def look(tmp_path: Path, *rows: Sequence[str], template: str = RADIO) -> TaskLint:
    make_task(tmp_path, "T", template=template, table=csv_text(*rows))
    (task,) = lint(Catalog(tmp_path)).tasks
    return task


def cells(instance: str, *labels: str) -> list[tuple[str, str]]:
    return [(instance, label) for label in labels]


def test_instances_and_their_labels_are_counted(tmp_path: Path) -> None:
    rows = [*cells("p", "1", "2", "2"), *cells("q", "", "{}"), *cells("r", "3")]
    task = look(tmp_path, ("x", "Answer.a"), *rows)
    assert (task.instances, task.unlabelled, dict(task.labels)) == (3, 1, {1: 1, 2: 1, 3: 1})


def test_columns_that_nobody_filled_in_are_named(tmp_path: Path) -> None:
    rows = [("p", "1", "", "0"), ("q", "2", "{}", "")]
    assert look(tmp_path, ("x", "Answer.a", "Answer.b", "Answer.c"), *rows).never_labelled == ["b"]


def test_a_column_that_never_varies_is_named(tmp_path: Path) -> None:
    rows = [("p", "1", "same "), ("q", "2", "same"), ("r", "", "")]
    task = look(tmp_path, ("x", "Answer.a", "Answer.b"), *rows)
    assert task.constant == [ConstantColumn("b", "same", 2)]


def test_a_blank_beside_one_value_is_a_second_value(tmp_path: Path) -> None:
    rows = [("p", "1", "on"), ("q", "2", ""), ("r", "1", "on")]
    assert look(tmp_path, ("x", "Answer.a", "Answer.b"), *rows).constant == []


def test_one_instance_alone_makes_nothing_constant(tmp_path: Path) -> None:
    assert look(tmp_path, ("x", "Answer.a"), *cells("p", "1", "1")).constant == []


def test_choices_with_several_labels_are_unanimous_have_a_majority_or_a_tie(tmp_path: Path) -> None:
    rows = [
        *cells("unanimous", "1", "1.0", ""),
        *cells("majority", "1", "1", "2"),
        *cells("tie", "1", "2"),
        *cells("one label", "1", ""),
    ]
    task = look(tmp_path, ("x", "Answer.a"), *rows)
    assert dict(task.agreement) == {"unanimous": 1, "majority": 1, "tie": 1}


def test_texts_that_differ_are_no_tie(tmp_path: Path) -> None:
    task = look(tmp_path, ("x", "Answer.a"), *cells("p", "one", "two"), template="${x}<input name=a>")
    assert not task.agreement


def test_labels_that_are_no_option_are_counted_with_the_most_frequent(tmp_path: Path) -> None:
    task = look(tmp_path, ("x", "Answer.a"), *cells("p", "2.0", "7", "9"), *cells("q", "9", ""))
    assert task.outside == [UnlistedLabels("a", 3, "9", ("1", "2", "3"))]


def test_boxes_are_compared_one_by_one(tmp_path: Path) -> None:
    template = "${x}" + "".join(f"<input type=checkbox name=a value={value}>" for value in "pq")
    task = look(tmp_path, ("x", "Answer.a"), *cells("1", "p|q", "q", "p|z"), template=template)
    assert task.outside == [UnlistedLabels("a", 1, "p|z", ("p", "q"))]
    assert not task.agreement


def test_options_that_the_template_does_not_show_are_not_judged(tmp_path: Path) -> None:
    template = "${x}<input type=radio name=a value='${x}'>"
    assert look(tmp_path, ("x", "Answer.a"), *cells("p", "1", "2"), template=template).outside == []


def test_identical_tasks_are_leakage_across_splits_only(tmp_path: Path) -> None:
    for name in ("A", "B"):
        make_task(tmp_path, name)
    for name in ("C", "D"):
        make_task(tmp_path, name, template="${text}<input name=a>")
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "test.txt").write_text("A\n")
    report = lint(Catalog(tmp_path))
    assert report.identical == (
        IdenticalTasks({"A": "test", "B": "train"}),
        IdenticalTasks({"C": "train", "D": "train"}),
    )
    text = lint_table(report)
    assert "Leakage: identical tasks across splits: 'A' (test) = 'B' (train)." in text
    assert "Identical tasks: 'C' (train) = 'D' (train)." in text


def test_tasks_without_a_table_or_folder_and_unreadable_ones_are_named(tmp_path: Path) -> None:
    make_task(tmp_path, "Good")
    make_task(tmp_path, "Bare", table=None)
    make_task(tmp_path, "Broken", template=None)
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "test.txt").write_text("Good\nGone\n")
    report = lint(Catalog(tmp_path))
    assert [task.task for task in report.tasks if not task.has_table] == ["Bare"]
    assert list(report.unreadable) == ["Broken"]
    text = lint_table(report)
    assert "Without a table: 'Bare'." in text
    assert "Cannot be read: 'Broken': " in text
    assert re.search(r"A split names a task without a folder: .*test\.txt, line 2: there is no task 'Gone'", text)


def test_the_table_has_a_line_for_every_task_and_one_for_all(tmp_path: Path) -> None:
    make_task(tmp_path, "A", template=RADIO, table=csv_text(("x", "Answer.a"), *cells("p", "1", "2")))
    rows = [*cells("p", "1", "1"), *cells("q", *"123123"), *cells("r", *"11231")]
    make_task(tmp_path, "B" * 50, template=RADIO, table=csv_text(("x", "Answer.a"), *rows))
    lines = [" ".join(line.split()) for line in lint_table(lint(Catalog(tmp_path))).splitlines()]
    assert "A train 1 0 2 1 0 0 100 % 0" in lines
    assert "B" * 43 + "… train 3 0 2–5–6 1 0 0 33 % 0" in lines
    assert "all 2 4 0 2–2–6 2 0 0 50 % 0" in lines


def test_a_task_set_without_findings_says_so(tmp_path: Path) -> None:
    make_task(tmp_path, "A")
    assert "No identical tasks" in lint_table(lint(Catalog(tmp_path)))


def test_the_json_holds_everything(tmp_path: Path) -> None:
    make_task(tmp_path, "A", template=RADIO, table=csv_text(("x", "Answer.a"), *cells("p", "1", "9"), ("q", "9")))
    make_task(tmp_path, "B", template=None)
    record = json.loads(json.dumps(lint(Catalog(tmp_path)).to_json()))
    (task,) = record.pop("tasks")
    assert task == {
        "task": "A",
        "split": "train",
        "has_table": True,
        "instances": 2,
        "unlabelled": 0,
        "labels": {"1": 1, "2": 1},
        "columns": 1,
        "never_labelled": [],
        "constant": [],
        "agreement": {"tie": 1},
        "outside": [{"column": "a", "labels": 2, "example": "9", "options": ["1", "2", "3"]}],
    }
    assert record["folder"] == str(tmp_path)
    assert (record["identical"], record["without_folder"], list(record["unreadable"])) == ([], [], ["B"])

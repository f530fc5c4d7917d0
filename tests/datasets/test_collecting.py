from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.annotations.results_file import BadResults, read_results
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from harness.datasets.collecting import CannotCollect, collect
from tests.catalog.annotations.given import write_results
from tests.task_folders import csv_text, make_task

TABLE = csv_text(
    ["Title", "text", "more", "Answer.a", "Answer.old"],
    ["A task", "one", "x", "1", "o"],
    ["A task", "one", "x", "2", "o"],
    ["A task", "two", "y", "3", "o"],
    ["A task", "three", "z", "4", "o"],
)
FACTS = {"split": "test", "renames": {"old": "new"}, "not_answers": {"started": "a time"}}


@pytest.fixture
def catalog(tmp_path) -> Catalog:
    make_task(tmp_path / "tasks", "T", template="${text}<input name=a><input name=b>", table=TABLE, facts=FACTS)
    return Catalog(tmp_path / "tasks")


@pytest.fixture
def results(tmp_path, catalog) -> Path:
    return write_results(
        tmp_path / "results.csv",
        catalog.task("T"),
        ("ann", 1, {"a": ["two, she said"]}),
        ("bob", 0, {"a": ["first"], "b": ["x", "y"]}),
        ("ann", 0, {"a": [""]}),
    )


def test_each_answer_is_a_row_of_labels_beside_the_tables_own_columns(tmp_path, catalog, results):
    (made,) = collect(read_results([results]), catalog, tmp_path / "new")
    assert (made.rows, made.workers, made.instances, made.unanswered) == (3, 2, 2, 1)
    table = (tmp_path / "new" / "T" / "batch.csv").read_bytes().decode()
    assert table == csv_text(
        ["Title", "text", "more", "Answer.a", "Answer.b"],
        ["A task", "one", "x", "first", "x|y"],
        ["A task", "one", "x", "", ""],
        ["A task", "two", "y", "two, she said", ""],
    )


def test_the_new_task_set_has_the_same_pages_under_the_same_ids_with_the_answers_as_labels(tmp_path, catalog, results):
    collect(read_results([results]), catalog, tmp_path / "new")
    old, new = catalog.task("T"), Catalog(tmp_path / "new").task("T")
    assert new.template == old.template
    assert [each.id for each in new.instances] == [each.id for each in old.instances[:2]]
    assert new.instances[0].labels == {"a": ("first", ""), "b": ("x|y", "")}
    # What the original code would call the instances, which counts all columns that are no answers.
    assert [each.aliases for each in new.instances] == [(0,), (1,)]
    assert Catalog(tmp_path / "new").check() == []


def test_facts_stay_but_for_those_of_columns_that_are_gone_and_the_origin_is_written_down(tmp_path, catalog, results):
    collect(read_results([results]), catalog, tmp_path / "new")
    facts = json.loads((tmp_path / "new" / "T" / "task.json").read_text(encoding="utf-8"))
    assert facts == {"split": "test", "not_answers": {"started": "a time"}}
    origin = json.loads((tmp_path / "new" / "collected.json").read_text(encoding="utf-8"))
    assert list(origin["results"]) == ["results.csv"]
    assert origin["tasks"] == {
        "T": {"rows": 3, "workers": 2, "instances": 2, "unanswered": 1, "adjudicated": 0, "replaced": 0}
    }


def test_a_person_can_be_left_out_to_be_scored_against_the_others(tmp_path, catalog, results):
    (made,) = collect(read_results([results]), catalog, tmp_path / "new", without=["ann"])
    assert (made.rows, made.instances) == (1, 1)
    with pytest.raises(BadResults, match="nobody called 'carl'"):
        collect(read_results([results]), catalog, tmp_path / "other", without=["carl"])
    with pytest.raises(CannotCollect, match="no answers are left"):
        collect(read_results([results]), catalog, tmp_path / "other", without=["ann", "bob"])


@pytest.mark.claim("results-file")
def test_answers_to_another_version_of_a_task_are_refused_and_nothing_is_written(tmp_path, results):
    make_task(tmp_path / "changed", "T", template="${text}<input name=a>", table=TABLE.replace("two", "2"))
    with pytest.raises(BadResults, match=r"row 2, column Input.text: no instance of 'T' .* here it is 'two'"):
        collect(read_results([results]), Catalog(tmp_path / "changed"), tmp_path / "new")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["changed", "results.csv", "tasks"]


def test_labels_that_would_stand_in_a_column_of_inputs_are_refused(tmp_path):
    table = csv_text(["Answer.a", "Answer.b"], ["shown", "1"])
    make_task(tmp_path / "tasks", "T", template="${Answer.a}<input name=a>", table=table)
    catalog = Catalog(tmp_path / "tasks")
    results = write_results(tmp_path / "results.csv", catalog.task("T"), ("ann", 0, {"a": ["1"]}))
    with pytest.raises(BadResults, match=r"shows the column Answer.a as an input"):
        collect(read_results([results]), catalog, tmp_path / "new")


def test_a_task_without_a_table_gets_one(tmp_path):
    make_task(tmp_path / "tasks", "T", template="${text}<input name=a>", table=None)
    catalog = Catalog(tmp_path / "tasks")
    file = tmp_path / "results.csv"
    file.write_text(csv_text(["WorkerId", "Input.text", "Answer.a"], ["w", "", "1"]), encoding="utf-8", newline="")
    collect(read_results([file], "T"), catalog, tmp_path / "new")
    table = (tmp_path / "new" / "T" / "batch.csv").read_bytes().decode()
    assert table == csv_text(["text", "Answer.a"], ["", "1"])


def test_the_command_says_what_it_made_and_left_out(tmp_path, catalog, results, capsys):
    command = ["collect", str(results), "--tasks-dir", str(catalog.tasks_dir), "--out", str(tmp_path / "new")]
    assert main(command) == COMPLETE
    said = capsys.readouterr().out
    assert "T: 3 answers of 2 people to 2 instances; 1 instance that nobody answered left out" in said
    assert main(command) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert "is not empty; give a new folder" in line

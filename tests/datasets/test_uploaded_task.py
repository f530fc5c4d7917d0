from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.datasets import uploaded_task
from harness.datasets.uploaded_task import NoNewTask, add_to, look_over, name_refusal
from tests.task_folders import csv_text, make_task

PAGE = b"<p>${text}</p><input name=a>"
TABLE = csv_text(["text"], ["one"], ["two"]).encode()


@pytest.fixture
def tasks_dir(tmp_path) -> Path:
    make_task(tmp_path / "tasks", "Films")
    return tmp_path / "tasks"


def test_a_good_task_is_added_whole_with_its_two_files_and_seen_at_once(tmp_path, tasks_dir):
    catalog = Catalog(tasks_dir)
    assert catalog.names() == ["Films"]
    looked = look_over(tmp_path / "upload" / "Books", PAGE, TABLE)
    assert looked.task is not None
    assert looked.problems == ()  # that nobody has answered yet is none
    (tmp_path / "upload" / "Books" / "task.json").write_text("{}")
    new = add_to(tasks_dir, tmp_path / "upload" / "Books")
    assert sorted(file.name for file in new.iterdir()) == ["batch.csv", "template.html"]
    assert (new / "template.html").read_bytes() == PAGE
    assert [each.inputs for each in catalog.task("Books").instances] == [{"text": "one"}, {"text": "two"}]
    assert sorted(each.name for each in tasks_dir.iterdir()) == ["Books", "Films"]


@pytest.mark.parametrize(
    ("template", "table", "where", "said"),
    [
        (b"${other}", TABLE, ("batch.csv", None, "other"), "the variable ${other} (line 1 of template.html) has no"),
        (PAGE, b'text\r\none\r\n"two', ("batch.csv", 3, None), "broken quoting"),
        (PAGE, b"text,more\r\none,x\r\ntwo\r\n", ("batch.csv", 3, None), "the row has 1 cell where the header has 2"),
        (PAGE, b"text,text\r\none,x\r\n", ("batch.csv", None, "text"), "the header has this name more than once"),
        (b"", TABLE, ("template.html", None, None), "the file is empty"),
        (b"a\n\xff", TABLE, ("template.html", 2, None), "is not UTF-8"),
        (PAGE, b"PK\x03\x04...", ("batch.csv", None, None), "the file is a spreadsheet"),
        (PAGE, b"", ("batch.csv", None, None), "the file is empty"),
    ],
)
def test_what_is_wrong_is_named_with_file_row_and_column(tmp_path, template, table, where, said):
    looked = look_over(tmp_path / "T", template, table)
    (problem,) = looked.problems
    assert looked.task is None
    assert (problem.file.name, problem.row, problem.column) == where
    assert said in problem.what


def test_a_page_without_fields_is_remarked_upon_since_a_script_may_build_them(tmp_path):
    looked = look_over(tmp_path / "T", b"<p>${text}</p><input type=submit>", TABLE)
    assert looked.task is not None
    assert [problem.what for problem in looked.problems] == ["no field stands in the template"]


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("MOST_TEMPLATE_BYTES", 10, "bytes, and at most 10 are taken"),
        ("MOST_TABLE_BYTES", 10, "bytes, and at most 10 are taken"),
        ("MOST_ROWS", 1, "the table has 2 rows, and at most 1 are taken"),
        ("MOST_COLUMNS", 0, "the table has 1 column, and at most 0 are taken"),
    ],
)
def test_what_is_larger_than_the_limits_is_refused_before_it_is_written(tmp_path, monkeypatch, limit, most, said):
    monkeypatch.setattr(uploaded_task, limit, most)
    looked = look_over(tmp_path / "T", PAGE, TABLE)
    assert looked.task is None
    assert said in looked.problems[0].what
    assert not (tmp_path / "T").exists()


@pytest.mark.parametrize(
    "name",
    ["", "  ", " x", "x ", "a/b", "../x", "..", ".", "a\\b", "a\nb", "a\0b", "_x", ".x", "splits", "x" * 101, "ü" * 101,
     "Films", "films", "FILMS"],
)  # fmt: skip
def test_names_that_cannot_be_those_of_a_new_task_are_refused(tasks_dir, name):
    assert name_refusal(name, tasks_dir)


@pytest.mark.parametrize("name", ["Books", "Größe 日本", 'it\'s "quoted" [1] (a) 50%', "-dash", "x" * 100])
def test_any_other_name_will_do(tasks_dir, name):
    assert name_refusal(name, tasks_dir) == ""


def test_a_task_of_a_name_that_was_taken_meanwhile_is_refused_and_what_is_there_stays(tmp_path, tasks_dir):
    look_over(tmp_path / "upload" / "films", PAGE, TABLE)
    with pytest.raises(NoNewTask, match="There is a task called 'Films' already"):
        add_to(tasks_dir, tmp_path / "upload" / "films")
    assert sorted(each.name for each in tasks_dir.iterdir()) == ["Films"]


def test_a_file_of_an_upload_that_leads_elsewhere_is_not_taken(tmp_path, tasks_dir):
    look_over(tmp_path / "upload" / "Books", PAGE, TABLE)
    (tmp_path / "secret").write_text("x")
    (tmp_path / "upload" / "Books" / "batch.csv").unlink()
    (tmp_path / "upload" / "Books" / "batch.csv").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="leads out of its folder"):
        add_to(tasks_dir, tmp_path / "upload" / "Books")
    assert sorted(each.name for each in tasks_dir.iterdir()) == ["Films"]

"""Folders that are given as a folder of tasks and are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog, CatalogError
from harness.kit.files.installation import to_type
from tests.task_folders import make_task


def refusal(folder: Path) -> str:
    with pytest.raises(CatalogError) as error:
        Catalog(folder).select(None, ())
    return str(error.value)


def test_a_file_and_what_is_not_there_are_no_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == (
        f"{tmp_path / 'none'} is not a folder. Give the folder that holds the task folders."
    )


def test_the_folder_of_one_task_is_said_to_be_one_with_the_options_to_give(tmp_path: Path) -> None:
    task = make_task(tmp_path, "My task")
    (task / "images").mkdir()
    assert refusal(task) == (
        f"{task} is a task, not a folder of tasks. Give the folder that it is in: "
        f"--tasks-dir {tmp_path} --task 'My task'."
    )


def test_a_folder_above_the_folder_of_tasks_leads_to_it(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "T")
    assert refusal(tmp_path) == (f"{tmp_path} holds no tasks, but its folder 'tasks' does. Give {tmp_path / 'tasks'}.")


def test_an_empty_folder_says_what_a_task_is_and_how_to_make_one(tmp_path: Path) -> None:
    assert refusal(tmp_path) == (
        f"{tmp_path} holds no tasks. A task is a folder with template.html and batch.csv; "
        f"an example to start from is made by: {to_type('tasks new', tmp_path / 'My task')}"
    )


def test_tasks_can_be_added_to_an_empty_folder(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    make_task(tmp_path, "T")
    assert catalog.select(None, ()) == ["T"]


def test_a_task_in_a_folder_beside_others_that_are_none_is_enough(tmp_path: Path) -> None:
    make_task(tmp_path, "T")
    (tmp_path / "notes").mkdir()
    assert Catalog(tmp_path).select(None, ()) == ["T", "notes"]

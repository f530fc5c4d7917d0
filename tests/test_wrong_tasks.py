"""Folders and tables that are not what a command takes them for: each is said once, with what to do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli.commands import evaluate
from harness.cli.commands.page import mcp, prompt
from harness.cli.commands.page import open as open_command
from harness.cli.commands.tasks.sets import main as datasets
from oracle.check.__main__ import main as check
from tests.task_folders import make_task

TASK = "Film reviews"


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["a command"])


def run(name: str, tasks: Path, folder: Path) -> int:
    common = ["--tasks-dir", str(tasks)]
    quiet = ["--workers", "1", "--progress", "quiet", "--out", str(folder / "out")]
    commands: dict[str, Callable[[], int]] = {
        "evaluate": lambda: evaluate.main([*common, *quiet, "--solver", "do-nothing"]),
        "check": lambda: check([*common, *quiet]),
        "lint": lambda: datasets(["lint", *common]),
        "prompt": lambda: prompt.main([*common, "--solver", "gpt-4o", "--task", TASK, "--row", "0"]),
        "open": lambda: open_command.main([*common, TASK]),
        "mcp": lambda: mcp.main([*common, *quiet[4:], "--task", TASK, "--at", str(folder / "socket")]),
    }
    return commands[name]()


def empty(tasks: Path) -> None:
    tasks.mkdir()


def own_folder(tasks: Path) -> None:
    shutil.copytree(make_task(tasks.parent / "elsewhere", TASK), tasks)


def folder_above(tasks: Path) -> None:
    make_task(tasks / "all", TASK)


@pytest.mark.parametrize("command", ["evaluate", "check", "lint", "prompt", "open", "mcp"])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            empty,
            "holds no tasks. A task is a folder with template.html and batch.csv; an example to start from is made by",
        ),
        (own_folder, "is a task, not a folder of tasks. Give the folder that it is in: --tasks-dir "),
        (folder_above, "holds no tasks, but its folder 'all' does. Give "),
    ],
)
def test_a_folder_that_holds_no_tasks_is_wrong_use_and_one_line(tmp_path, capsys, command, wrong, said):
    tasks = tmp_path / "tasks"
    wrong(tasks)
    assert run(command, tasks, tmp_path) == 2
    line, *more = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {tasks} ")
    assert (said in line, more) == (True, [])


TABLES = [
    ("text;Answer.a\none;yes\ntwo;no\n", "the cells are separated by semicolons, not by commas. Save the sheet as CSV"),
    ("text\tAnswer.a\none\tyes\n", "the cells are separated by tabs, not by commas. Save the sheet as CSV"),
    (b"PK\x03\x04\x14\x00\x06\x00", "the file is a spreadsheet (.xlsx, .ods) and no text. Save the sheet as CSV"),
    (
        "text,a\none,yes\ntwo,no\n",
        "no column holds labels: no name begins with 'Answer.'. Write Answer. before the name",
    ),
    (
        None,
        "there is no batch.csv: you can look at the task, not evaluate it. Add one row for each worker's answer",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "table", "said"),
    [*((command, *each) for command in ("evaluate", "check") for each in TABLES), ("mcp", *TABLES[3])],
)
def test_a_table_that_cannot_be_used_is_said_once_beside_the_end(tmp_path, capsys, command, table, said):
    make_task(tmp_path / "tasks", TASK, table=table)
    assert run(command, tmp_path / "tasks", tmp_path) == 2
    printed = capsys.readouterr().err
    assert printed.count(f"batch.csv: {said}") == 1
    assert printed.count("problem: ") == 1


@pytest.mark.parametrize(
    ("command", "table", "said"),
    [*((command, *each) for command in ("prompt", "open", "mcp") for each in TABLES[:3]), ("mcp", *TABLES[4])],
)
def test_whoever_wants_a_single_page_is_told_it_too(tmp_path, capsys, command, table, said):
    make_task(tmp_path / "tasks", TASK, table=table)
    assert run(command, tmp_path / "tasks", tmp_path) == 2
    assert capsys.readouterr().err.count(f"batch.csv: {said}") == 1


@pytest.mark.slow
def test_what_a_model_is_asked_can_be_looked_at_without_a_table(tmp_path, capsys):
    make_task(tmp_path / "tasks", TASK, table=None)
    assert run("prompt", tmp_path / "tasks", tmp_path) == 0
    assert "the form" in capsys.readouterr().out


@pytest.mark.parametrize(("table", "said"), TABLES[:4])
def test_lint_says_it_too(tmp_path, capsys, table, said):
    make_task(tmp_path / "tasks", TASK, table=table)
    assert run("lint", tmp_path / "tasks", tmp_path) == 0
    assert capsys.readouterr().out.count(f"batch.csv: {said}") == 1

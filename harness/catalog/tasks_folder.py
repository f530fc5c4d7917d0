"""What a folder of tasks is not: the mistakes of somebody who gives a folder that holds no tasks."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from harness.catalog.problems import Problem
from harness.catalog.splits import FOLDER
from harness.catalog.task import FACTS, TABLE, TEMPLATE
from harness.kit.files.command_hints import to_type
from harness.kit.text.numbers import counted
from harness.kit.text.shortening import few


def folder_refusal(tasks_dir: Path, names: Sequence[str]) -> str:
    """Say why a folder cannot be a folder of tasks.

    Args:
        tasks_dir: The folder.
        names: The folders in it that may be tasks.

    Returns:
        What it is and what to do, as sentences; "" if it may be one.
    """
    if not tasks_dir.is_dir():
        return f"{tasks_dir} is not a folder. Give the folder that holds the task folders."
    if any(_is_task(tasks_dir / name) for name in names):
        return ""
    if _is_task(tasks_dir):
        task = tasks_dir.resolve()
        wanted = f"--tasks-dir {shlex.quote(str(task.parent))} --task {shlex.quote(task.name)}"
        return f"{tasks_dir} is a task, not a folder of tasks. Give the folder that it is in: {wanted}."
    if deeper := next((name for name in names if _holds_tasks(tasks_dir / name)), None):
        return f"{tasks_dir} holds no tasks, but its folder {deeper!r} does. Give {tasks_dir / deeper}."
    return ""


def no_tasks(tasks_dir: Path) -> str:
    """Say what to do where a folder has no task in it, as sentences."""
    return (
        f"{tasks_dir} holds no tasks. A task is a folder with {TEMPLATE} and {TABLE}; "
        f"an example to start from is made by: {to_type('tasks new', tasks_dir / 'My task')}"
    )


def may_be_task(name: str) -> bool:
    """Whether a folder of this name is a task: not one that is hidden or private, nor the one of the splits."""
    return not name.startswith((".", "_")) and name != FOLDER


def without_table(tasks_dir: Path, names: Sequence[str]) -> list[Problem]:
    """Return one problem for all tasks of a folder that have no table, none if there are none.

    Args:
        tasks_dir: The folder of the tasks.
        names: The tasks without one.
    """
    if not names:
        return []
    remedy = "Add one row for each worker's answer (docs/adding-a-task.md), or leave the tasks out"
    if len(names) == 1:
        file = tasks_dir / names[0] / TABLE
        what = "there is no table, so that the task can be looked at and not evaluated"
        return [Problem("", file, None, None, what, remedy.replace("the tasks", "the task"))]
    tasks = counted(len(names), "task has", "tasks have")
    what = f"{tasks} no {TABLE} and can be looked at, not evaluated ({few(map(repr, names))})"
    return [Problem("", tasks_dir, None, None, what, remedy)]


def _is_task(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (TEMPLATE, TABLE, FACTS))


def _holds_tasks(folder: Path) -> bool:
    try:
        return any(_is_task(child) for child in folder.iterdir() if child.is_dir())
    except OSError:
        return False

"""Online-Mind2Web: the tasks of its public JSON as a task set of sites, which judges judge afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from harness.catalog.facts import parse_json
from harness.catalog.task import FACTS
from harness.catalog.tasks_folder import may_be_task
from harness.datasets.tasksets import DatasetError
from harness.kit.files.codec import Malformed, typed
from harness.kit.files.writing import is_free, new_folder, path_name, write_json
from harness.kit.text import shorten
from harness.scoring.judges.human_labels import AgentLabels

ONLINE_MIND2WEB = "online-mind2web"
Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)
_LICENCE = "Online-Mind2Web, OSU-NLP-Group; see the data's own licence"


@dataclass(frozen=True, kw_only=True)
class OnlineTask:
    """A task of the public file; keys beyond these are passed over.

    Attributes:
        task_id: Its id.
        confirmed_task: What is to be done, in words.
        website: The address that it begins at.
        reference_length: How many steps a person took.
        level: How hard it is, by these steps.
    """

    task_id: str
    confirmed_task: str
    website: str
    reference_length: int
    level: Level


@dataclass(frozen=True)
class OnlineTasks:
    """What was imported.

    Attributes:
        tasks: How many tasks.
        sites: How many websites they begin at.
    """

    tasks: int
    sites: int


def import_online_tasks(file: Path, out: Path) -> OnlineTasks:
    """Write the tasks of the public file as a task set.

    Args:
        file: The JSON: a list of tasks.
        out: The folder of the task set; it is made, and may be there if it is empty.

    Raises:
        DatasetError: the file holds something that is not understood, and where; or ``out`` is not empty.
        OSError: a file cannot be read or written.
    """
    if not is_free(out):
        raise DatasetError(f"{out} is not empty; give a new folder for the new task set")
    tasks = read_online_tasks(file)
    with new_folder(out) as part:
        for task in tasks:
            write_json(part / task.task_id / FACTS, _task_json(task))
    return OnlineTasks(len(tasks), len({_origin(task.website) for task in tasks}))


def read_online_tasks(file: Path) -> tuple[OnlineTask, ...]:
    """The tasks of the public file, in its order.

    Raises:
        DatasetError: it holds something that is not understood, and where.
        OSError: it cannot be read.
    """
    try:
        data = parse_json(file.read_bytes())
    except ValueError as error:
        raise DatasetError(f"{file}: {error}") from error
    if not isinstance(data, list) or not data:
        raise DatasetError(f"{file}: no list of tasks, as the file of Online-Mind2Web is")
    tasks = tuple(_task(entry, f"{file}, task {number}") for number, entry in enumerate(data, start=1))
    seen: set[str] = set()
    for number, task in enumerate(tasks, start=1):
        if task.task_id.casefold() in seen:
            raise DatasetError(f"{file}, task {number}: another task has the id {task.task_id!r}, too")
        seen.add(task.task_id.casefold())
    return tasks


def labels_by_level(people: Sequence[AgentLabels], file: Path) -> dict[Level, tuple[AgentLabels, ...]]:
    """What people say of each agent, by the level of the tasks.

    Args:
        people: Of all tasks.
        file: The tasks' public file.

    Raises:
        DatasetError: the file cannot be read, or tells none of these tasks' level.
    """
    level_of = {task.task_id: task.level for task in read_online_tasks(file)}
    found = {
        level: tuple(
            replace(agent, labels={task: label for task, label in agent.labels.items() if level_of.get(task) == level})
            for agent in people
        )
        for level in LEVELS
    }
    shown = {level: agents for level, agents in found.items() if any(agent.labels for agent in agents)}
    if not shown:
        raise DatasetError(f"{file} holds none of the tasks that people labelled")
    return shown


def _task(entry: Any, where: str) -> OnlineTask:
    try:
        task = typed(entry, OnlineTask)
    except Malformed as error:
        raise DatasetError(f"{where}: {error}") from error
    if path_name(task.task_id or "-") != task.task_id or not may_be_task(task.task_id):
        raise DatasetError(f"{where}: {shorten(repr(task.task_id), 60)} as its id cannot name a folder")
    if not task.confirmed_task.strip():
        raise DatasetError(f"{where}: it has no task in words")
    if task.reference_length < 1:
        raise DatasetError(f"{where}: reference_length is no number of steps")
    if "${" in task.confirmed_task or "${" in task.website:
        raise DatasetError(f"{where}: it holds ${{, which a task's table fills in; write it otherwise")
    if not _origin(task.website):
        raise DatasetError(f"{where}: {shorten(repr(task.website), 60)} is no address of a website")
    return task


def _origin(address: str) -> str:
    """The origin of an address; empty if it is none."""
    try:
        split = urlsplit(address)
    except ValueError:
        return ""
    is_web = split.scheme in ("http", "https") and split.hostname and "@" not in split.netloc
    return f"{split.scheme}://{split.netloc.lower()}" if is_web else ""


def _task_json(task: OnlineTask) -> Mapping[str, Any]:
    return {
        "kind": "site",
        "title": shorten(task.confirmed_task, 80),
        "licence": _LICENCE,
        "goal": task.confirmed_task,
        "start": task.website,
        "origins": [_origin(task.website)],
        "level": task.level,
        "reference_length": task.reference_length,
        "evaluators": {"judged": True},
    }

"""Folders of tasks: hashes, ids of tasks in other frameworks, own warnings, and folders that hold no tasks."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.catalog.kinds import KindName
from harness.catalog.problems import Problem
from harness.catalog.splits import FOLDER
from harness.catalog.task import FACTS, FILES, MEDIA, TABLE, TEMPLATE, media_files
from harness.catalog.trace import TRACE
from harness.kit.files.inside import ForeignFile, open_inside, read_inside
from harness.kit.files.installation import add_file, to_type
from harness.kit.text import counted, few

NAMESPACE = "turkbench"
"""What ids begin with, and what stands before the slash where they have one."""
_PLAIN = re.compile(r"[A-Za-z0-9]")
_CODED = re.compile(r"_|((?:\.[0-9a-f]{2})+)")


def id_of(task: str) -> str:
    """A task's name as an id: of letters, digits, ``_`` for a space, and ``.xx`` for each byte of anything else.

    Args:
        task: The name. Different names have different ids.
    """
    return "".join(
        "_" if sign == " " else sign if _PLAIN.fullmatch(sign) else "".join(f".{byte:02x}" for byte in sign.encode())
        for sign in task
    )


def task_of(id_: str) -> str:
    """The name of the task that has an id of ``id_of``."""

    def sign(found: re.Match[str]) -> str:
        return bytes.fromhex(found[1].replace(".", "")).decode() if found[1] else " "

    return _CODED.sub(sign, id_)


def instance_id(kind: KindName, task: str, row: int) -> str:
    """The id of an instance, in frameworks where each is a task of its own.

    Args:
        kind: Of the task.
        task: Its name.
        row: The instance's place in its table, from 0.
    """
    return f"{NAMESPACE}.{kind}.{id_of(task)}.{row}"


_WARNS = re.compile(
    r"\b(?:(?:adult|offensive|explicit|graphic|disturbing|toxic)\s+(?:content|material|language)"
    r"|(?:worker|viewer|reader)\s+discretion|(?:content|trigger)\s+warning|nsfw)\b"
)


def own_warning(template: Path) -> str:
    """Return what a page says of its own content, as a sentence for readers.

    Args:
        template: The file template.html; one that cannot be read is reported where tasks are read.

    Returns:
        The sentence; "" if the page warns of nothing.
    """
    try:
        text = read_inside(template.parent, template.name).decode(errors="replace").lower()
    except OSError:
        return ""
    found = _WARNS.search(text)
    return f"The page itself warns its readers: {' '.join(found[0].split())!r}." if found else ""


def set_hash(tasks: Mapping[str, tuple[str, str]]) -> str:
    """Return the hash of a set of tasks: name -> split and fingerprint."""
    return hashlib.sha256(canonical(tasks)).hexdigest()


def canonical(value: object) -> bytes:
    """Return a JSON value as bytes, the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def files_hash(folder: Path) -> str:
    """Hash the files of a task, with their lengths, so that no byte can move from one to the next."""
    digest = hashlib.sha256()
    for name in (*FILES, TRACE):
        file = folder / name
        with contextlib.suppress(ForeignFile):  # what keeps the task from being used is told where it is read
            if file.exists():
                with open_inside(folder, name) as stream:
                    digest.update(f"{name}:{os.fstat(stream.fileno()).st_size}\n".encode())
                    add_file(digest, stream.fileno())
                continue
        if name != TRACE:  # which forms never have: their hashes are as they were
            digest.update(f"{name}:none\n".encode())
    for file in media_files(folder):
        with open_inside(folder / MEDIA, file.name) as stream:
            digest.update(f"{MEDIA}/{file.name}:{os.fstat(stream.fileno()).st_size}\n".encode())
            add_file(digest, stream.fileno())
    return digest.hexdigest()


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
    remedy = "Add one row for each worker's answer (docs/reference/task-folder.md), or leave the tasks out"
    if len(names) == 1:
        file = tasks_dir / names[0] / TABLE
        what = "there is no batch.csv: you can look at the task, not evaluate it"
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

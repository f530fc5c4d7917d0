"""Uploaded tasks: those that nobody has added yet, kept in the user's cache for a day, and those added at once."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from harness.catalog import Facts, Task
from harness.catalog.problems import Problem
from harness.datasets.uploaded_task import (
    LONGEST_NAME,
    NO_FACTS,
    LookedOver,
    add_to,
    look_over,
    name_refusal,
    read_upload,
)
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.files.writing import cache_folder
from turkle_app.tasks import catalog

_MOST_TOLD = 5
_KEPT_SECONDS = 24 * 3600
_BESIDE = ".beside"
"""The file, beside the folder of an uploaded task, with the name of the task whose facts and media it is to have."""
_TOKEN = re.compile(r"[0-9a-f]{32}")


class UnusableUpload(UserError):
    """A template and a table are no task that can be used, or none can be added here."""

    def __init__(self, problems: Sequence[Problem] = (), refusal: str = "") -> None:
        told = [_told(problem) for problem in problems[:_MOST_TOLD]]
        more = len(problems) - len(told)
        super().__init__(" ".join([refusal, *told, f"There are {more} more problems." if more else ""]).strip())


@dataclass(frozen=True)
class KeptUpload:
    """An uploaded task that can be used.

    Attributes:
        token: Its name in addresses.
        task: The task, as it would be in the served folder.
        problems: What its maker should know all the same.
        beside: The served task whose facts and media it is to have; "" without one.
    """

    token: str
    task: Task
    problems: tuple[Problem, ...]
    beside: str = ""


def keep(name: str, template: bytes, table: bytes, beside: str = "") -> tuple[str, LookedOver]:
    """Look an uploaded task over, and keep it if it can be used.

    Args:
        name: What it is called.
        template: The page.
        table: The inputs, as CSV.
        beside: The served task whose facts and media it is to have; "" without one.

    Returns:
        The name under which it is kept, "" if it is not; and what was found in it.

    Raises:
        OSError: If it cannot be written.
    """
    _sweep()
    token = secrets.token_hex(16)
    looked = look_over(_folder() / token / name, template, table, _facts(beside))
    if looked.task is None:
        forget(token)
        return "", looked
    (_folder() / token / _BESIDE).write_text(beside, encoding="utf-8")
    return token, looked


def kept(token: str) -> KeptUpload | None:
    """Return an uploaded task, None if there is none under this name any more."""
    folder = _task_folder(token)
    if folder is None:
        return None
    beside = (folder.parent / _BESIDE).read_text(encoding="utf-8")
    looked = read_upload(folder, _facts(beside))
    return None if looked.task is None else KeptUpload(token, looked.task, looked.problems, beside)


def add(upload: KeptUpload, tasks_dir: Path, name: str = "") -> None:
    """Add an uploaded task to a folder of tasks, and keep it no longer.

    Args:
        upload: The task.
        tasks_dir: The folder.
        name: Under which name; left empty, the one that it has.

    Raises:
        harness.datasets.uploaded_task.NoNewTask: If there is a task of its name by now.
        OSError: If it cannot be written.
    """
    add_to(tasks_dir, upload.task.folder, name, tasks_dir / upload.beside if upload.beside else None)
    forget(upload.token)


def checked(name: str, template: bytes, table: bytes, scratch: Path) -> Task:
    """Return the task of a template and a table, written into a folder of its name in ``scratch``.

    Raises:
        UnusableUpload: If they are none that can be used.
        OSError: If it cannot be written.
    """
    looked = look_over(scratch / name, template, table)
    if looked.task is None:
        raise UnusableUpload(looked.problems)
    return looked.task


def add_at_once(wanted: str, template: bytes, table: bytes) -> Task:
    """Add the task of a template and a table to the served folder, whole or not at all.

    Args:
        wanted: Its name, which is changed where it cannot be that of a folder, or there is one like it.
        template: The page.
        table: The inputs, as CSV.

    Returns:
        The task; its name is that of its new folder.

    Raises:
        UnusableUpload: If they are no task that can be used, or none can be added to the folder.
        OSError: If it cannot be written.
    """
    if refusal := folder_refusal():
        raise UnusableUpload(refusal=refusal)
    with tempfile.TemporaryDirectory() as scratch:
        task = checked(free_task_name(wanted), template, table, Path(scratch))
        add_to(settings.TURKLE_TASKS_DIR, task.folder)
    return task


def free_task_name(wanted: str) -> str:
    """Return a name that a new task of the served folder can have, as like the one that is wanted as can be."""
    folder = settings.TURKLE_TASKS_DIR
    plain = "".join(letter if letter.isprintable() and letter not in "/\\" else " " for letter in wanted)
    plain = " ".join(plain.split()).lstrip("._").encode()[: LONGEST_NAME - 10].decode("utf-8", "ignore").strip()
    taken = [each.name for each in folder.iterdir()]
    name = free_name(plain or "batch", taken, LONGEST_NAME)
    return free_name("batch", taken, LONGEST_NAME) if name_refusal(name, folder) else name


def free_name(wanted: str, taken: Iterable[str], longest: int) -> str:
    """Return the name that is wanted, with a number behind it if there is one like it, in whatever case."""
    known = {name.casefold() for name in taken}
    name, number = wanted, 2
    while name.casefold() in known:
        end = f" ({number})"
        name, number = wanted[: longest - len(end)] + end, number + 1
    return name


def folder_refusal() -> str:
    """Say why no task can be added to the served folder; "" if one can."""
    folder = settings.TURKLE_TASKS_DIR
    if folder.resolve() == BUNDLED_TASKS.resolve():
        return (
            "This server shows the tasks that come with the project, and nothing is added to those. "
            "Start it with --tasks-dir and a folder of your own."
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"The folder of the tasks, {folder}, cannot be written by this server. Change its permissions."
    return ""


def forget(token: str) -> None:
    """Keep an uploaded task no longer."""
    if _TOKEN.fullmatch(token):
        shutil.rmtree(_folder() / token, ignore_errors=True)


def _facts(name: str) -> Facts:
    """What is known of a served task; nothing if there is none of this name."""
    try:
        return catalog().facts(name)
    except KeyError:
        return NO_FACTS


def _folder() -> Path:
    return cache_folder() / "uploads"


def _task_folder(token: str) -> Path | None:
    """Where an upload's task is."""
    if not _TOKEN.fullmatch(token) or not (_folder() / token).is_dir():
        return None
    return next((child for child in (_folder() / token).iterdir() if child.is_dir()), None)


def _told(problem: Problem) -> str:
    """A problem for who handed the files over, and knows of no folder of this machine."""
    row = [] if problem.row is None else [f"row {problem.row}"]
    column = [] if problem.column is None else [f"column {problem.column}"]
    return f"{', '.join([problem.file.name, *row, *column])}: {problem.what}. {problem.remedy}."


def _sweep() -> None:
    """Forget what nobody has added for a day."""
    folder = _folder()
    oldest = time.time() - _KEPT_SECONDS
    for child in folder.iterdir() if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):  # another request has forgotten it just now
            if child.stat().st_mtime < oldest:
                forget(child.name)

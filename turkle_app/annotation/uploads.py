"""Uploaded tasks that nobody has added yet: kept in the user's cache for a day, under a name that cannot be guessed."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from harness.catalog import Task
from harness.catalog.problems import Problem
from harness.datasets.uploaded_task import LookedOver, add_to, look_over, read_upload
from harness.kit.files.writing import cache_folder

_KEPT_SECONDS = 24 * 3600
_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class KeptUpload:
    """An uploaded task that can be used.

    Attributes:
        token: Its name in addresses.
        task: The task, as it would be in the served folder.
        problems: What its maker should know all the same.
    """

    token: str
    task: Task
    problems: tuple[Problem, ...]


def keep(name: str, template: bytes, table: bytes) -> tuple[str, LookedOver]:
    """Look an uploaded task over, and keep it if it can be used.

    Returns:
        The name under which it is kept, "" if it is not; and what was found in it.

    Raises:
        OSError: If it cannot be written.
    """
    _sweep()
    token = secrets.token_hex(16)
    looked = look_over(_folder() / token / name, template, table)
    if looked.task is None:
        forget(token)
        return "", looked
    return token, looked


def kept(token: str) -> KeptUpload | None:
    """Return an uploaded task, None if there is none under this name any more."""
    folder = _task_folder(token)
    if folder is None:
        return None
    looked = read_upload(folder)
    return None if looked.task is None else KeptUpload(token, looked.task, looked.problems)


def add(upload: KeptUpload, tasks_dir: Path) -> None:
    """Add an uploaded task to a folder of tasks, and keep it no longer.

    Raises:
        harness.datasets.uploaded_task.NoNewTask: If there is a task of its name by now.
        OSError: If it cannot be written.
    """
    add_to(tasks_dir, upload.task.folder)
    forget(upload.token)


def forget(token: str) -> None:
    """Keep an uploaded task no longer."""
    if _TOKEN.fullmatch(token):
        shutil.rmtree(_folder() / token, ignore_errors=True)


def _folder() -> Path:
    return cache_folder() / "uploads"


def _task_folder(token: str) -> Path | None:
    """Where an upload's task is."""
    if not _TOKEN.fullmatch(token) or not (_folder() / token).is_dir():
        return None
    return next((child for child in (_folder() / token).iterdir() if child.is_dir()), None)


def _sweep() -> None:
    """Forget what nobody has added for a day."""
    folder = _folder()
    oldest = time.time() - _KEPT_SECONDS
    for child in folder.iterdir() if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):  # another request has forgotten it just now
            if child.stat().st_mtime < oldest:
                forget(child.name)

"""A recorded task as a task folder: ``task.json``, ``trace.json``, and a picture of the page before each step."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.browser.browser_choice import SUFFIXES
from harness.catalog.site_facts import SiteFacts
from harness.catalog.trace import TRACE
from harness.kit.files.codec import plain
from harness.kit.files.writing import write_bytes, write_json
from harness.sites.recording.draft import CannotDo, TaskDraft

TASK = "task.json"
_KEPT = frozenset({"seed"})
"""Keys that are written whatever they hold."""
_NO_NAME = frozenset('/\\\0:*?"<>|')


def task_folder(folder: Path, title: str) -> Path:
    """The folder of a task of that title.

    Args:
        folder: The folder of task folders.
        title: The title.

    Raises:
        CannotDo: it cannot be the name of a folder.
    """
    is_name = title and title[0] not in "._" and not any(each in _NO_NAME or ord(each) < ord(" ") for each in title)
    if not is_name or len(title.encode()) > 200:
        raise CannotDo(f"{title!r} cannot be the name of a folder: use letters, digits, spaces and dashes")
    return folder / title


def write_task(
    draft: TaskDraft, folder: Path, picture_of: Callable[[str], bytes | None], *, mine: Path | None = None
) -> Path:
    """Write a recorded task; what was recorded before in the same folder goes.

    Args:
        draft: The task.
        folder: The folder of task folders; made if it is not there.
        picture_of: Gives a picture by its name; None if there is none.
        mine: The folder that this recording has written already, which alone may be written again.

    Returns:
        The task's folder.

    Raises:
        CannotDo: the task is not complete, or another task has its name.
        OSError: it cannot be written.
    """
    facts = draft.facts()
    place = task_folder(folder, draft.title)
    if place.exists() and place != mine:
        raise CannotDo(f"There is a task {draft.title!r} in {folder} already: choose another title")
    pictures, files = _picture_files(draft, picture_of)
    for name, data in files.items():
        write_bytes(place / name, data)
    write_json(place / TRACE, _brief(plain(draft.trace(pictures))))
    write_json(place / TASK, _task(draft, facts))
    for old in place.glob(f"step-*.{SUFFIXES['jpeg']}"):
        if old.name not in files:
            old.unlink()
    if mine and mine != place:
        shutil.rmtree(mine, ignore_errors=True)
    return place


def _picture_files(
    draft: TaskDraft, picture_of: Callable[[str], bytes | None]
) -> tuple[dict[str, str], dict[str, bytes]]:
    """The file names of steps' pictures by the pictures' names, and the files."""
    names: dict[str, str] = {}
    files: dict[str, bytes] = {}
    for place, step in enumerate(draft.steps, start=1):
        data = picture_of(step.picture) if step.picture and step.picture not in names else None
        if data:
            names[step.picture] = f"step-{place:02}.{SUFFIXES['jpeg']}"
            files[names[step.picture]] = data
    return names, files


def _task(draft: TaskDraft, facts: SiteFacts) -> dict[str, Any]:
    said = {name: value for name, value in _brief(plain(facts)).items() if name != "evaluators"}
    evaluators = _brief(plain(facts.evaluators))
    return {"kind": "site", "title": draft.title, "split": "test", **said, "evaluators": evaluators}


def _brief(value: Any) -> Any:
    """A plain record without what says nothing: empty texts, lists and records, and what is not known or not so."""
    if isinstance(value, dict):
        brief = {key: _brief(item) for key, item in value.items()}
        return {key: item for key, item in brief.items() if key in _KEPT or not _is_nothing(item)}
    return [_brief(item) for item in value] if isinstance(value, (list, tuple)) else value


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or value in ("", [], {}, ())

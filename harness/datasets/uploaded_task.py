"""A task to start from, with every kind of field; and a task that somebody uploads, checked before it is kept."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import unicodedata
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from harness.catalog.csv_table import UnreadableTable, read_table
from harness.catalog.facts import Facts
from harness.catalog.problems import Problem
from harness.catalog.splits import DEFAULT, FOLDER
from harness.catalog.task import FACTS, FILES, MEDIA, TABLE, TEMPLATE, Task, media_files, read_task
from harness.catalog.tasks_folder import may_be_task
from harness.catalog.template.wrapping import IDS
from harness.datasets.controls import declared_fields
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.files.writing import write_bytes
from harness.kit.text import counted

_SOURCE = Path(__file__).parent / "example"


class NoNewTask(UserError):
    """A new task cannot be made in a folder; the message says why and what to do."""


def make_example(folder: Path) -> None:
    """Write the example's files into a new folder, whose name is the task's.

    Args:
        folder: The folder, which is made, with those above it; it may be there if it is empty.

    Raises:
        NoNewTask: it holds something, is a file, or has a name that no task can have.
        OSError: it cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NoNewTask(f"{folder} is not empty; give a new folder, whose name is to be that of the task")
    if not may_be_task(folder.absolute().name):
        raise NoNewTask(
            f"{folder}: no task is called {FOLDER}, or begins with a dot or an underscore; give another name"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        write_bytes(folder / name, (_SOURCE / name).read_bytes())


MOST_TEMPLATE_BYTES = 4 * 2**20
MOST_TABLE_BYTES = 24 * 2**20
MOST_ROWS, MOST_COLUMNS = 20_000, 500
LONGEST_NAME = 100
"""Characters of a task's name."""
_LONGEST_FILE_NAME = 200
"""Bytes: file systems take 255, and names of runs and temporary files are made of it."""
_IN_NO_NAME = frozenset("/\\")
NO_FACTS = Facts()
"""What is known of a task that is two files."""


@dataclass(frozen=True)
class LookedOver:
    """What was found in an uploaded task.

    Attributes:
        task: The task; None if it cannot be used.
        problems: Everything that is wrong with its files; with a task, what its maker should know all the same.
    """

    task: Task | None
    problems: tuple[Problem, ...]


def name_refusal(name: str, tasks_dir: Path) -> str:
    """Say why a new task of a folder cannot have a name.

    Args:
        name: As it was given.
        tasks_dir: The folder of the tasks.

    Returns:
        The reason and what to do, as sentences; "" if it can.
    """
    if not name.strip():
        return "The task needs a name. It becomes the name of its folder."
    if name != name.strip() or not name.isprintable() or _IN_NO_NAME & set(name):
        return "The name has blanks at its ends, a slash, a backslash or a control character. Leave them out."
    if len(name) > LONGEST_NAME or len(name.encode()) > _LONGEST_FILE_NAME:
        return f"The name is too long. Give one of at most {LONGEST_NAME} characters."
    if not may_be_task(name):
        return f"No task is called {FOLDER!r}, or begins with a dot or an underscore. Give another name."
    alike = next((there.name for there in tasks_dir.iterdir() if _folded(there.name) == _folded(name)), None)
    return f"There is a task called {alike!r} already. Give another name." if alike else ""


def look_over(folder: Path, template: bytes, table: bytes, facts: Facts = NO_FACTS) -> LookedOver:
    """Write the two files of a task into a folder of their own, and read the task from it.

    Args:
        folder: Where; its name is the task's. It is made.
        template: The page.
        table: The inputs, as CSV.
        facts: What is known of the task besides.

    Raises:
        OSError: they cannot be written.
    """
    if problems := _too_large(folder, template, table):
        return LookedOver(None, tuple(problems))
    write_bytes(folder / TEMPLATE, template)
    write_bytes(folder / TABLE, table)
    return read_upload(folder, facts)


def read_upload(folder: Path, facts: Facts = NO_FACTS) -> LookedOver:
    """Read a task that ``look_over`` has written."""
    task, problems = read_task(folder, facts, DEFAULT)
    if task is None:
        return LookedOver(None, tuple(problems))
    # That nobody has answered yet is no mistake of a task that people are to answer.
    others = [problem for problem in problems if not problem.is_remark]
    return LookedOver(task, (*others, *_without_fields(task)))


def add_to(tasks_dir: Path, folder: Path, name: str = "", beside: Path | None = None) -> Path:
    """Add a task that was looked over to a folder of tasks, whole or not at all: its two files.

    Args:
        tasks_dir: The folder of the tasks.
        folder: Where ``look_over`` wrote it.
        name: Under which name; left empty, that of the folder.
        beside: The folder of a task whose facts, pictures, sounds and films it gets, too.

    Returns:
        Its new folder.

    Raises:
        NoNewTask: its name cannot be that of a new task.
        OSError: it cannot be read or written.
    """
    name = name or folder.name
    if refusal := name_refusal(name, tasks_dir):
        raise NoNewTask(refusal)
    new = tasks_dir / name
    part = tasks_dir / f".{secrets.token_hex(8)}.part"
    try:
        for file in (TEMPLATE, TABLE):
            write_bytes(part / file, read_inside(folder, file))
        if beside is not None:
            with contextlib.suppress(FileNotFoundError):
                write_bytes(part / FACTS, read_inside(beside, FACTS))
            for medium in media_files(beside):
                write_bytes(part / MEDIA / medium.name, medium.read_bytes())
        part.rename(new)  # fails if somebody has made a task of that name just now
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return new


def free_task_name(wanted: str, tasks_dir: Path) -> str:
    """Return the name of a new task of a folder that is as a wanted one, with a number behind it.

    Args:
        wanted: A name, or any text.
        tasks_dir: The folder of the tasks.
    """
    kept = "".join(each for each in wanted if each.isprintable() and each not in _IN_NO_NAME).strip().lstrip("._")
    stem = kept.encode()[: _LONGEST_FILE_NAME // 2].decode(errors="ignore")[: LONGEST_NAME // 2].strip() or "task"
    return next(name for number in count(2) if not name_refusal(name := f"{stem} {number}", tasks_dir))


def _too_large(folder: Path, template: bytes, table: bytes) -> list[Problem]:
    """What goes beyond the limits of an upload."""

    def wrong(file: str, row: int | None, what: str, remedy: str) -> Problem:
        return Problem(folder.name, folder / file, row, None, what, remedy)

    problems = [
        wrong(file, None, f"the file has {len(data):,} bytes, and at most {most:,} are taken", remedy)
        for file, data, most, remedy in (
            (TEMPLATE, template, MOST_TEMPLATE_BYTES, "Take pictures out of the page and into columns of the table"),
            (TABLE, table, MOST_TABLE_BYTES, "Make several tasks of it, or put the folder there by hand"),
        )
        if len(data) > most
    ]
    if problems:
        return problems
    try:
        cells = read_table(table)
    except UnreadableTable:
        return []  # what is wrong with it is said where the task is read
    if len(cells.rows) > MOST_ROWS:
        what = f"the table has {counted(len(cells.rows), 'row')}, and at most {MOST_ROWS:,} are taken"
        problems.append(wrong(TABLE, MOST_ROWS + 1, what, "Make several tasks of it"))
    if len(cells.header) > MOST_COLUMNS:
        what = f"the table has {counted(len(cells.header), 'column')}, and at most {MOST_COLUMNS:,} are taken"
        problems.append(wrong(TABLE, None, what, "Leave out the columns that the page does not show"))
    return problems


def _without_fields(task: Task) -> list[Problem]:
    """That there is nothing on the page to answer, as far as its template says."""
    if any(field.name not in IDS for field in declared_fields(task.template)):
        return []
    what = "no field stands in the template"
    remedy = "Give each control a name, unless a script of the page builds them"
    return [Problem(task.name, task.folder / TEMPLATE, None, None, what, remedy)]


def _folded(name: str) -> str:
    """A name as file systems may compare it that know no case."""
    return unicodedata.normalize("NFC", name).casefold()

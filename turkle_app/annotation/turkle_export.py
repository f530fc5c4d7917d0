"""What a server of Turkle holds, read from its database (a file of SQLite) or from what its ``dumpdata`` wrote."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from harness.kit.errors import UserError

_SQLITE = b"SQLite format 3\0"
_MODELS = {
    "auth_user": "auth.user",
    "auth_group": "auth.group",
    "auth_permission": "auth.permission",
    "turkle_project": "turkle.project",
    "turkle_batch": "turkle.batch",
    "turkle_task": "turkle.task",
    "turkle_taskassignment": "turkle.taskassignment",
    "guardian_groupobjectpermission": "guardian.groupobjectpermission",
    "guardian_userobjectpermission": "guardian.userobjectpermission",
}
"""Table of the database -> name of the model in an export."""
_MEMBERS = "auth_user_groups"
_WORKS_ON = {"can_work_on": "project", "can_work_on_batch": "batch"}

_Row = dict[str, Any]
_Value = TypeVar("_Value")


class UnusableExport(UserError):
    """A file is no database and no export of Turkle, or lacks a part that is needed."""


@dataclass(frozen=True)
class TurkleUser:
    """An account.

    Attributes:
        password: As Django keeps it: what stands for it, not it.
        groups: The numbers of its groups.
    """

    id: int
    username: str
    password: str
    email: str
    first_name: str
    last_name: str
    is_active: bool
    is_staff: bool
    groups: frozenset[int]


@dataclass(frozen=True)
class Offered:
    """To whom a project or a batch is offered.

    Attributes:
        to_all: Whether to all accounts; then the others say nothing.
        groups: The numbers of the groups.
        users: The numbers of single accounts.
    """

    to_all: bool
    groups: frozenset[int]
    users: frozenset[int]


@dataclass(frozen=True)
class TurkleProject:
    """A project: a template and how its batches begin."""

    id: int
    name: str
    template: str
    active: bool
    login_required: bool
    offered: Offered
    created: datetime
    created_by: int | None


@dataclass(frozen=True)
class TurkleAnswer:
    """A completed assignment.

    Attributes:
        task: The number of its task.
        worker: The number of the account; None if it was answered without one.
        answers: Field -> values.
    """

    task: int
    worker: int | None
    answers: Mapping[str, Sequence[str]]
    accepted: datetime
    submitted: datetime


@dataclass(frozen=True)
class TurkleBatch:
    """A batch: rows, and what was answered.

    Attributes:
        hours: For how long an assignment is kept.
        tasks: The inputs of each task by its number.
        answers: The completed assignments.
        unfinished: How many were accepted and not completed.
    """

    id: int
    project: int
    name: str
    active: bool
    published: bool
    assignments: int
    hours: int
    offered: Offered
    created: datetime
    created_by: int | None
    tasks: Mapping[int, Mapping[str, str]]
    answers: Sequence[TurkleAnswer]
    unfinished: int


@dataclass(frozen=True)
class TurkleExport:
    """All of it; groups are number -> name."""

    users: Sequence[TurkleUser]
    groups: Mapping[int, str]
    projects: Sequence[TurkleProject]
    batches: Sequence[TurkleBatch]


def read_turkle(file: Path) -> TurkleExport:
    """Read a database of Turkle, which is not changed, or an export.

    Args:
        file: A file of SQLite, or JSON as ``manage.py dumpdata auth turkle guardian`` writes it.

    Raises:
        UnusableExport: If it is neither, or something that is needed is missing in it.
        OSError: If it cannot be read.
    """
    with file.open("rb") as stream:
        is_database = stream.read(len(_SQLITE)) == _SQLITE
    tables = _of_database(file) if is_database else _of_json(file)
    try:
        return _read(tables)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise UnusableExport(f"{file} is not what Turkle 2 or 3 keeps: a row of it cannot be read ({what}).") from error


def _of_database(file: Path) -> dict[str, list[_Row]]:
    tables: dict[str, list[_Row]] = {}
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file.resolve()))}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "turkle_batch" not in there:
                raise UnusableExport(f"{file} is a database, but not of Turkle 2 or 3: it has no table turkle_batch.")
            for name in [*_MODELS, _MEMBERS]:
                rows = connection.execute(f'SELECT * FROM "{name}"') if name in there else ()  # noqa: S608 - our names
                tables[name] = [dict(row) for row in rows]
    except sqlite3.Error as error:
        raise UnusableExport(f"{file} cannot be read as a database: {error}.") from error
    return tables


def _of_json(file: Path) -> dict[str, list[_Row]]:
    remedy = "Give Turkle's db.sqlite3, or what `python manage.py dumpdata auth turkle guardian` wrote."
    try:
        rows = json.loads(file.read_bytes())
        by_model: dict[str, list[_Row]] = {name: [] for name in _MODELS.values()}
        for row in rows:
            if row["model"] in by_model:
                by_model[row["model"]].append({"id": row["pk"], **row["fields"]})
    except (ValueError, TypeError, KeyError):
        raise UnusableExport(f"{file} is neither a database of SQLite nor an export of Turkle. {remedy}") from None
    tables = {table: [_with_numbers(row) for row in by_model[model]] for table, model in _MODELS.items()}
    if not tables["turkle_batch"]:
        raise UnusableExport(f"{file} holds no batch of Turkle. {remedy}")
    memberships = [(row["id"], group) for row in tables["auth_user"] for group in row.get("groups", ())]
    tables[_MEMBERS] = [{"user_id": user, "group_id": group} for user, group in memberships]
    return tables


def _with_numbers(row: _Row) -> dict[str, Any]:
    """A row of an export under the names that the columns have."""
    references = ("created_by", "project", "batch", "task", "assigned_to", "permission", "group", "user")
    return {f"{name}_id" if name in references else name: value for name, value in row.items()}


def _read(tables: Mapping[str, Sequence[_Row]]) -> TurkleExport:
    offers = _offers(tables)
    groups_of = _by(tables[_MEMBERS], "user_id", lambda row: int(row["group_id"]))
    tasks = _by(tables["turkle_task"], "batch_id", lambda row: (int(row["id"]), _inputs(row["input_csv_fields"])))
    batch_of = {int(row["id"]): int(row["batch_id"]) for row in tables["turkle_task"]}
    answers: dict[int, list[TurkleAnswer]] = {}
    unfinished: dict[int, int] = {}
    for row in tables["turkle_taskassignment"]:
        batch = batch_of[int(row["task_id"])]
        if row["completed"]:
            answers.setdefault(batch, []).append(_answer(row))
        else:
            unfinished[batch] = unfinished.get(batch, 0) + 1
    return TurkleExport(
        users=[_user(row, groups_of.get(int(row["id"]), ())) for row in tables["auth_user"]],
        groups={int(row["id"]): str(row["name"]) for row in tables["auth_group"]},
        projects=[
            TurkleProject(
                id=int(row["id"]),
                name=str(row["name"]),
                template=str(row["html_template"]),
                active=bool(row["active"]),
                login_required=bool(row["login_required"]),
                offered=_offered(row, "project", offers),
                created=_time(row["created_at"]),
                created_by=_number(row["created_by_id"]),
            )
            for row in tables["turkle_project"]
        ],
        batches=[
            TurkleBatch(
                id=int(row["id"]),
                project=int(row["project_id"]),
                name=str(row["name"]),
                active=bool(row["active"]),
                published=bool(row.get("published", True)),
                assignments=int(row["assignments_per_task"]),
                hours=int(row["allotted_assignment_time"]),
                offered=_offered(row, "batch", offers),
                created=_time(row["created_at"]),
                created_by=_number(row["created_by_id"]),
                tasks=dict(sorted(tasks.get(int(row["id"]), ()))),
                answers=answers.get(int(row["id"]), []),
                unfinished=unfinished.get(int(row["id"]), 0),
            )
            for row in tables["turkle_batch"]
        ],
    )


def _user(row: _Row, groups: Sequence[int]) -> TurkleUser:
    texts = {name: str(row[name] or "") for name in ("username", "password", "email", "first_name", "last_name")}
    rights = {name: bool(row[name]) for name in ("is_active", "is_staff")}
    return TurkleUser(id=int(row["id"]), groups=frozenset(groups), **texts, **rights)  # type: ignore[arg-type]


def _answer(row: _Row) -> TurkleAnswer:
    sent = row["answers"]
    sent = json.loads(sent) if isinstance(sent, str) and sent else sent or {}
    return TurkleAnswer(
        task=int(row["task_id"]),
        worker=_number(row["assigned_to_id"]),
        answers={
            str(name): [str(value) for value in (values if isinstance(values, list) else [values])]
            for name, values in sent.items()
        },
        accepted=_time(row["created_at"]),
        submitted=_time(row["updated_at"]),
    )


def _offers(tables: Mapping[str, Sequence[_Row]]) -> dict[tuple[str, int], tuple[set[int], set[int]]]:
    """Groups and single accounts that projects and batches are offered to."""
    names = {int(row["id"]): str(row["codename"]) for row in tables["auth_permission"]}
    found: dict[tuple[str, int], tuple[set[int], set[int]]] = {}
    for place, table, column in (
        (0, "guardian_groupobjectpermission", "group_id"),
        (1, "guardian_userobjectpermission", "user_id"),
    ):
        for row in tables[table]:
            if kind := _WORKS_ON.get(names.get(int(row["permission_id"]), "")):
                found.setdefault((kind, int(row["object_pk"])), (set(), set()))[place].add(int(row[column]))
    return found


def _offered(row: _Row, kind: str, offers: Mapping[tuple[str, int], tuple[set[int], set[int]]]) -> Offered:
    groups, users = offers.get((kind, int(row["id"])), (set(), set()))
    return Offered(not row["custom_permissions"], frozenset(groups), frozenset(users))


def _inputs(text: str | Mapping[str, object]) -> dict[str, str]:
    values = json.loads(text) if isinstance(text, str) else text
    return {str(name): str(value) for name, value in values.items()}


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    # A file of SQLite holds times of UTC without saying so.
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _number(value: object) -> int | None:
    return None if value is None else int(str(value))


def _by(rows: Sequence[_Row], column: str, value: Callable[[_Row], _Value]) -> dict[int, list[_Value]]:
    found: dict[int, list[_Value]] = {}
    for row in rows:
        found.setdefault(int(row[column]), []).append(value(row))
    return found

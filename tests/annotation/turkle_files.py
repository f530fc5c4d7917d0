"""What a server of Turkle keeps, as files: a small database, and the same as an export."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password

TEMPLATE = "<p>${text}</p><input name=a><textarea name=b></textarea>"
PASSWORD = "a password of Turkle"  # noqa: S105
_TIMES = {"created_at": "2024-05-01 10:00:00", "updated_at": "2024-05-01 10:00:30"}
_REFERENCES = (
    "created_by_id",
    "project_id",
    "batch_id",
    "task_id",
    "assigned_to_id",
    "permission_id",
    "group_id",
    "user_id",
)

Rows = dict[str, list[dict[str, Any]]]


def user(number: int, name: str, **values: object) -> dict[str, Any]:
    rights = {"is_active": 1, "is_staff": 0, "is_superuser": 0}
    texts = {"email": f"{name}@example.org", "first_name": "", "last_name": ""}
    return {"id": number, "username": name, "password": make_password(PASSWORD), **texts, **rights, **values}


def batch(number: int, project: int, name: str, **values: object) -> dict[str, Any]:
    flags = {"active": 1, "published": 1, "completed": 0, "custom_permissions": 1, "login_required": 1}
    numbers = {"assignments_per_task": 2, "allotted_assignment_time": 24, "created_by_id": 2}
    return {"id": number, "project_id": project, "name": name, **flags, **numbers, **_TIMES, **values}


def task(number: int, of: int, text: str) -> dict[str, Any]:
    return {"id": number, "batch_id": of, "input_csv_fields": json.dumps({"text": text})}


def assignment(number: int, task: int, by: int | None, answers: object, completed: int = 1) -> dict[str, Any]:
    return {
        "id": number,
        "task_id": task,
        "assigned_to_id": by,
        "answers": json.dumps(answers),
        "completed": completed,
        **_TIMES,
    }


def rows() -> Rows:
    """Two projects: one for a group, with answers, and one for all, open to people without an account."""
    project = {"active": 1, "html_template": TEMPLATE, "created_by_id": 2, "custom_permissions": 1, "login_required": 1}
    texts = ["good, very", "bad", "good, very"]
    return {
        "auth_user": [user(1, "AnonymousUser"), user(2, "admin", is_staff=1), user(3, "anna"), user(4, "ben")],
        "auth_group": [{"id": 7, "name": "spanish"}],
        "auth_user_groups": [{"id": 1, "user_id": 3, "group_id": 7}],
        "auth_permission": [{"id": 5, "codename": "can_work_on"}, {"id": 6, "codename": "can_work_on_batch"}],
        "guardian_groupobjectpermission": [
            {"id": 1, "permission_id": 5, "object_pk": "1", "group_id": 7},
            {"id": 2, "permission_id": 6, "object_pk": "1", "group_id": 7},
        ],
        "guardian_userobjectpermission": [],
        "turkle_project": [
            {"id": 1, "name": "Film reviews", **project, **_TIMES},
            {"id": 2, "name": "Open/one", **project, **_TIMES, "custom_permissions": 0, "login_required": 0},
        ],
        "turkle_batch": [
            batch(1, 1, "First"),
            batch(2, 2, "First", active=0, custom_permissions=0, login_required=0),
            batch(3, 2, "Empty", custom_permissions=0, login_required=0),
        ],
        "turkle_task": [
            *(task(10 + at, 1, text) for at, text in enumerate(texts)),
            task(20, 2, "one"),
        ],
        "turkle_taskassignment": [
            assignment(1, 10, 3, {"a": "1", "b": ["x", "y"]}),
            assignment(2, 10, 4, {"a": "2"}),
            assignment(3, 12, 4, {"a": "3"}),  # of a row that is equal to the first
            assignment(4, 11, 4, {}, completed=0),
            assignment(5, 20, None, {"a": "4"}),
        ],
    }  # fmt: skip


def as_database(file: Path, kept: Rows) -> Path:
    with closing(sqlite3.connect(file)) as connection:
        for table, entries in kept.items():
            names = list(entries[0]) if entries else ["id", "permission_id", "object_pk", "user_id"]
            connection.execute(f"CREATE TABLE {table} ({', '.join(names)})")
            marks = ", ".join("?" for _ in names)
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", [list(each.values()) for each in entries])  # noqa: S608
        connection.commit()
    return file


def as_export(file: Path, kept: Rows) -> Path:
    found = []
    groups: dict[int, list[int]] = {}
    for each in kept["auth_user_groups"]:
        groups.setdefault(each["user_id"], []).append(each["group_id"])
    for table, entries in kept.items():
        for entry in entries if table != "auth_user_groups" else ():
            fields = {name.removesuffix("_id") if name in _REFERENCES else name: value for name, value in entry.items()}
            number = fields.pop("id")
            if table == "auth_user":
                fields["groups"] = groups.get(number, [])
            fields |= {name: f"{fields[name].replace(' ', 'T')}Z" for name in _TIMES if name in fields}
            found.append({"model": table.replace("_", ".", 1), "pk": number, "fields": fields})
    file.write_text(json.dumps(found))
    return file

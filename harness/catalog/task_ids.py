"""Names of tasks as ids of other frameworks, which allow letters, digits and few signs; and back."""

from __future__ import annotations

import re

from harness.catalog.task_kinds import KindName

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

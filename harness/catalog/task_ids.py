"""Names of tasks as ids of other frameworks, which allow letters, digits and few signs; and back."""

from __future__ import annotations

import re

NAMESPACE = "turkbench"
"""What stands before the slash in ids."""
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

"""The database as the code expects it: made at the first start, brought up to date at later ones; and who serves it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from harness.kit.errors import UserError
from harness.kit.files.writing import data_folder, write_bytes


class DatabaseUnusable(UserError):
    """The database cannot be reached, or not be made."""


def bring_up_to_date() -> str:
    """Make the tables that are missing and change those that are out of date.

    Returns:
        What was done in a sentence, "" if nothing was.

    Raises:
        DatabaseUnusable: If the database cannot be reached or written.
    """
    name = connection.settings_dict["NAME"]
    try:
        make_private()
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not plan:
            return ""
        call_command("migrate", interactive=False, verbosity=0)
    except (DatabaseError, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise DatabaseUnusable(
            f"The database {name} cannot be used: {reason}. Mend --database or DATABASE_URL."
        ) from None
    return f"Brought the database {name} up to date: {len(plan)} steps."


def make_private() -> None:
    """Make a file that its owner alone can read, unless there is one: it holds names and what stands for passwords.

    Raises:
        OSError: If it cannot be made.
    """
    if connection.vendor == "sqlite" and not (file := Path(connection.settings_dict["NAME"])).exists():
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))


def note_server(origin: str) -> None:
    """Note where a server shows this database to people; commands on this machine find it there."""
    with contextlib.suppress(OSError):  # a command then asks for --origin
        write_bytes(_note(), origin.encode())


def running_server() -> str | None:
    """Return the origin of the server on this machine that shows this database; None if none answers."""
    try:
        origin = _note().read_text(encoding="utf-8")
        parts = urlsplit(origin)
        with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=2):
            return origin
    except (OSError, ValueError):
        return None


def _note() -> Path:
    known = connection.settings_dict
    name = "\n".join(str(known[part]) for part in ("HOST", "PORT", "NAME"))
    return data_folder() / f"served-{hashlib.sha256(name.encode()).hexdigest()[:12]}"

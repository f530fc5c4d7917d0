"""The database as the code expects it: made at the first start, and brought up to date at later ones."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from harness.kit.errors import UserError


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

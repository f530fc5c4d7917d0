"""``python manage.py migrate``: Django's, with a database that its owner alone can read."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate
from django.db import connection

from turkle_app.annotation.prepared import make_private


class Command(migrate.Command):
    """Make the tables that are missing, and change those that are out of date."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Do it, and say where the database is."""
        make_private()  # before Django looks into it, which makes a file, too
        if options["verbosity"]:
            self.stdout.write(f"Database: {connection.settings_dict['NAME']}")
        return super().execute(*args, **options)

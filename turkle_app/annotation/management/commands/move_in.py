"""``python manage.py move_in FILE``: what a server of Turkle holds, here."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError

from harness.kit.errors import UserError
from harness.kit.text import counted
from turkle_app.annotation.found_project import WRONG_USE
from turkle_app.annotation.moved_in import move_in
from turkle_app.annotation.turkle_export import read_turkle
from turkle_app.annotation.uploads import folder_refusal


class Command(BaseCommand):
    """Take over accounts, projects, batches and answers of Turkle."""

    help = "Takes over accounts, groups, projects, batches and answers of a server of Turkle: all of it or nothing."
    requires_system_checks = []  # noqa: RUF012 - declared so by Django

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "file",
            type=Path,
            metavar="FILE",
            help="Turkle's database (SQLite), or what `manage.py dumpdata auth turkle guardian` wrote; it is only read",
        )
        parser.add_argument("--tasks-dir", type=Path, metavar="DIR", help="folder to which the tasks are added")
        parser.add_argument("--database", metavar="URL", help="the database for accounts and answers, as for serve")

    def handle(self, *_args: object, **options: Any) -> None:
        """Move.

        Raises:
            CommandError: With exit status 2, if the file, the folder or the database cannot be used.
        """
        if options["tasks_dir"]:
            settings.TURKLE_TASKS_DIR = options["tasks_dir"]
        try:
            if refusal := folder_refusal():
                raise CommandError(refusal, returncode=WRONG_USE)
            moved = move_in(read_turkle(options["file"]))
        except UserError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        except OSError as error:
            raise CommandError(
                f"{error.filename or options['file']}: {error.strerror}", returncode=WRONG_USE
            ) from error
        except (OperationalError, ProgrammingError) as error:
            reason = str(error).partition("\n")[0]
            remedy = "Start the server once with --annotate, which makes its tables."
            raise CommandError(f"The database cannot be used: {reason}. {remedy}", returncode=WRONG_USE) from None
        numbers = (
            counted(moved.opened, "account"),
            counted(moved.projects, "project"),
            f"{moved.batches} {'batch' if moved.batches == 1 else 'batches'}",
            counted(moved.answers, "answer"),
        )
        self.stdout.write(f"Moved in: {', '.join(numbers)}.")
        if moved.known:
            self.stdout.write(f"Taken for the accounts that were here before: {', '.join(moved.known)}.")
        for note in moved.notes:
            self.stdout.write(note)

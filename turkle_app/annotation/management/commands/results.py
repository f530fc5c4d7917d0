"""``python manage.py results PROJECT``: what people answered, as CSV in the columns of AMT and Turkle."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from harness.kit.files.writing import write_bytes
from harness.kit.text import counted
from turkle_app.annotation.found_project import WRONG_USE, found_batch, found_project
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.project_results import results_of


class Command(BaseCommand):
    """Write the results of a project."""

    help = "Writes what people answered in a project as CSV, in the columns of Amazon Mechanical Turk and Turkle."
    requires_system_checks = []  # noqa: RUF012 - declared so by Django

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "project", metavar="PROJECT", help="the project: its number, its title, or the name of one of its tasks"
        )
        parser.add_argument(
            "--batch", metavar="BATCH", help="only this batch: its number, its name or its task (default: all)"
        )
        parser.add_argument("--out", type=Path, metavar="FILE", help="write to this file (default: standard output)")
        parser.add_argument("--tasks-dir", type=Path, metavar="DIR", help="the folder that holds the task folders")
        parser.add_argument("--database", metavar="URL", help="the database of the answers, as for serve")

    def handle(self, *_args: object, **options: Any) -> None:
        """Write.

        Raises:
            CommandError: With exit status 2, if there is no such project, or its task or the file cannot be used.
        """
        if options["tasks_dir"]:
            settings.TURKLE_TASKS_DIR = options["tasks_dir"]
        try:
            project = found_project(options["project"])
            batches = [found_batch(project, options["batch"])] if options["batch"] else project.batches.all()
            found = results_of(batches)
            if options["out"]:
                write_bytes(options["out"], found.csv.encode("utf-8", "backslashreplace"))
        except TaskGone as error:
            raise CommandError(f"{error} Or give its folder with --tasks-dir.", returncode=WRONG_USE) from error
        except OSError as error:
            message = f"{options['out']} cannot be written: {error.strerror}"
            raise CommandError(message, returncode=WRONG_USE) from error
        if not options["out"]:
            self.stdout.write(found.csv, ending="")
        self.stderr.write(f"{counted(found.count, 'answer')} in {project.title!r}")
        if found.strays:
            strays = counted(found.strays, "answer")
            self.stderr.write(f"left out: {strays} to instances that are no longer in the table of their task")

"""``python manage.py copilot PROJECT``: help from a run for the workers of a batch, and what it does."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.catalog.annotations.help_drawing import WAYS
from harness.kit.arguments import whole
from harness.kit.errors import UserError
from harness.kit.text import counted
from turkle_app.annotation.found_project import WRONG_USE, found_batch, found_project
from turkle_app.annotation.models import Batch, Copilot
from turkle_app.annotation.suggested_answers import HelpPlan, effect_of, sent_in, set_up_help


class Command(BaseCommand):
    """Set up help, or say what it does."""

    help = (
        "Gives workers of a batch help: what a run sent on the same instances, filled in beforehand or marked where "
        "they answer otherwise. Without options it says what the help does to time and agreement."
    )
    requires_system_checks = []  # noqa: RUF012 - declared so by Django

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "project", metavar="PROJECT", help="the project: its number, its title, or the name of one of its tasks"
        )
        parser.add_argument(
            "--batch", metavar="BATCH", help="the batch, if there are several: its number, its name or its task"
        )
        parser.add_argument("--from", dest="run", type=Path, metavar="RUN", help="the run whose answers are shown")
        parser.add_argument("--way", choices=WAYS, default=WAYS[0], help="fill in beforehand, or mark differences")
        parser.add_argument(
            "--share", type=float, default=0.5, metavar="SHARE", help="share of assignments with help (default: 0.5)"
        )
        parser.add_argument(
            "--seed",
            type=whole,
            default=0,
            metavar="N",
            help="seed that decides which assignments get help (default: 0)",
        )
        parser.add_argument("--off", action="store_true", help="stop giving help; what was drawn is kept")
        parser.add_argument("--database", metavar="URL", help="the database of the projects, as for serve")

    def handle(self, *_args: object, **options: Any) -> None:
        """Set up, switch off, or tell.

        Raises:
            CommandError: With exit status 2, if there is no such project or run, or it cannot help.
        """
        batch = found_batch(found_project(options["project"]), options["batch"])
        if options["run"]:
            self._set_up(batch, options)
        elif options["off"]:
            changed = Copilot.objects.filter(batch=batch).update(active=False)
            self.stdout.write("switched off" if changed else "there was no help")
        else:
            self._tell(batch)

    def _set_up(self, batch: Batch, options: dict[str, Any]) -> None:
        # Only here: the server does without what reads runs.
        from harness.records.directory import RunDirectory  # noqa: PLC0415

        if not 0 <= options["share"] <= 1:
            raise CommandError(f"--share {options['share']} is not from 0 to 1", returncode=WRONG_USE)
        try:
            run = RunDirectory.open(options["run"])
            sent = sent_in(run, batch.task)
            plan = HelpPlan(options["way"], options["share"], options["seed"])
            set_up_help(batch, run.folder.resolve().name, sent, plan)
        except UserError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        helped = counted(sum(map(bool, sent.values())), "instance")
        self.stdout.write(f"{str(batch)!r}: help on {helped}, for {plan.share:.0%} of the assignments")

    def _tell(self, batch: Batch) -> None:
        from harness.catalog.annotations.help_text import help_text  # noqa: PLC0415 - brings scipy along

        copilot = Copilot.objects.filter(batch=batch).first()
        if copilot is None:
            raise CommandError(f"{str(batch)!r} gives no help; set it up with --from RUN", returncode=WRONG_USE)
        effect = effect_of(batch)
        state = "" if copilot.active else "; switched off"
        self.stdout.write(f"{str(batch)!r}: {copilot.run}, {copilot.way}, share {copilot.share:g}{state}")
        self.stdout.write(
            f"{counted(effect.helped, 'assignment')} with help, {effect.alone} without; "
            f"{counted(effect.one_sided, 'worker')} on one side only, who count in no comparison\n\n{help_text(effect)}"
        )

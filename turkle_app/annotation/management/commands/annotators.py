"""``python manage.py annotators``: open an account, or make a new link for one."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError, transaction

from turkle_app.annotation.password_links import password_path

_WRONG_USE = 2


class Command(BaseCommand):
    """Open accounts of people who do tasks by hand, and of staff."""

    help = "Opens accounts. Their owners choose the password by the link that is printed, once."
    requires_system_checks = []  # noqa: RUF012 - declared so by Django

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be done."""
        parser.add_argument("--database", metavar="URL", help="the database, as with serve")
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        add = actions.add_parser("add", help="open an account")
        add.add_argument("name")
        add.add_argument("--staff", action="store_true", help="with the rights of staff")
        add.add_argument("--group", action="append", default=[], metavar="G", help="make it a member; several times")
        add.add_argument("--password", action="store_true", help="ask for a password now instead of printing a link")
        link = actions.add_parser("link", help="print a new link for an account")
        link.add_argument("name")
        for action in (add, link):
            action.add_argument(
                "--origin", metavar="URL", help="where people find the server (default: http://127.0.0.1:8000)"
            )

    def handle(self, *_args: object, **options: Any) -> None:
        """Do it.

        Raises:
            CommandError: With exit status 2, if the name or the password cannot be used, or the database is not there.
        """
        try:
            user = self._add(options) if options["action"] == "add" else User.objects.get(username=options["name"])
        except User.DoesNotExist:
            raise CommandError(f"There is no account {options['name']}.", returncode=_WRONG_USE) from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=_WRONG_USE) from None
        except (OperationalError, ProgrammingError) as error:
            reason = str(error).partition("\n")[0]
            remedy = "Start the server once with --annotate, which makes its tables."
            raise CommandError(f"The database cannot be used: {reason}. {remedy}", returncode=_WRONG_USE) from None
        if not user.has_usable_password() or options["action"] == "link":
            origin = options["origin"] or (settings.TURKLE_ORIGINS or ["http://127.0.0.1:8000"])[0]
            self.stdout.write(f"{user.username} chooses a password at {origin.rstrip('/')}{password_path(user)}")
            self.stdout.write("The link works once, and for three days. It is not shown again.")

    def _add(self, options: dict[str, Any]) -> User:
        user = User(username=options["name"], is_staff=options["staff"])
        user.set_unusable_password()
        user.full_clean()
        if options["password"]:
            user.set_password(self._ask(user))
        with transaction.atomic():
            user.save()
            user.groups.set([Group.objects.get_or_create(name=name)[0] for name in options["group"]])
        self.stdout.write(f"{user.username} has an account{' with the rights of staff' if user.is_staff else ''}.")
        return user

    def _ask(self, user: User) -> str:
        """Ask for a password, twice.

        Raises:
            ValidationError: If it is too easy to guess.
            CommandError: If there is nobody to ask, or the two differ.
        """
        if not sys.stdin.isatty():
            raise CommandError("--password asks, and there is no terminal to ask at.", returncode=_WRONG_USE)
        password = getpass("Password: ")
        if password != getpass("Once more: "):
            raise CommandError("The two differ. Nothing was done.", returncode=_WRONG_USE)
        validate_password(password, user)
        return password

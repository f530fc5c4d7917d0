"""``python manage.py annotators``: open accounts, make a new link for one, or a token."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError, transaction

from harness.kit.text import counted
from turkle_app.annotation.account_table import COLUMNS, UnusableAccounts, read_accounts
from turkle_app.annotation.password_links import password_path
from turkle_app.annotation.people import let_make_projects
from turkle_app.annotation.prepared import running_server
from turkle_app.annotation.tokens import make_token

_WRONG_USE = 2
_USUAL = "http://127.0.0.1:8000"


class Command(BaseCommand):
    """Open accounts of people who do tasks by hand, and of staff."""

    help = "Opens accounts. Their owners choose the password by the link that is printed, once."
    requires_system_checks = []  # noqa: RUF012 - declared so by Django

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be done."""
        parser.add_argument("--database", metavar="URL", help="the database, as for serve")
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        add = actions.add_parser("add", help="open an account")
        add.add_argument("name")
        add.add_argument("--staff", action="store_true", help="give the account the rights of staff")
        add.add_argument("--requester", action="store_true", help="let the account make projects and manage them")
        add.add_argument(
            "--email", default="", metavar="ADDRESS", help="mail address, to which links for a new password are sent"
        )
        add.add_argument(
            "--group", action="append", default=[], metavar="G", help="group that the account joins; may be repeated"
        )
        add.add_argument("--password", action="store_true", help="ask for a password now instead of printing a link")
        link = actions.add_parser("link", help="print a new link for an account")
        link.add_argument("name")
        table = actions.add_parser(
            "table", help="open all accounts of a CSV file, and print a link for each; after an error none is opened"
        )
        table.add_argument("file", type=Path, metavar="FILE", help=f"with columns out of {', '.join(COLUMNS)}")
        token = actions.add_parser("token", help="print a new API token, with which a program acts for an account")
        token.add_argument("name")
        token.add_argument(
            "--for", dest="purpose", default="made at a terminal", metavar="TEXT", help=" what the token is for"
        )
        for action in (add, link, table):
            action.add_argument(
                "--origin", metavar="URL", help="where people find the server (default: where the one here listens)"
            )

    def handle(self, *_args: object, **options: Any) -> None:
        """Do it.

        Raises:
            CommandError: With exit status 2, if the name or the password cannot be used, or the database is not there.
        """
        try:
            if options["action"] == "table":
                return self._open_all(options)
            user = self._add(options) if options["action"] == "add" else User.objects.get(username=options["name"])
            if options["action"] == "token":
                self.stderr.write(f"A token of {user.username}. It is not shown again.")
                self.stdout.write(make_token(user, options["purpose"][:100]))
                return None
        except User.DoesNotExist:
            raise CommandError(f"There is no account {options['name']}.", returncode=_WRONG_USE) from None
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=_WRONG_USE) from None
        except (OperationalError, ProgrammingError) as error:
            reason = str(error).partition("\n")[0]
            remedy = "Start the server once with --annotate, which makes its tables."
            raise CommandError(f"The database cannot be used: {reason}. {remedy}", returncode=_WRONG_USE) from None
        if not user.has_usable_password() or options["action"] == "link":
            self.stdout.write(f"{user.username} chooses a password at {self._origin(options)}{password_path(user)}")
            self.stdout.write("The link works once, and for three days. It is not shown again.")
        return None

    def _open_all(self, options: dict[str, Any]) -> None:
        """Open the accounts of a table, and print the links of those without a password as a table.

        Raises:
            CommandError: With exit status 2, if the file cannot be read or an account of it not be opened.
        """
        try:
            users = read_accounts(options["file"].read_bytes()).open()
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}", returncode=_WRONG_USE) from error
        except UnusableAccounts as error:
            message = "No account was opened.\n" + "\n".join(error.problems)
            raise CommandError(message, returncode=_WRONG_USE) from error
        without = [user for user in users if not user.has_usable_password()]
        self.stderr.write(f"{counted(len(users), 'account')} opened")
        if without:
            origin = self._origin(options)
            lines = [f"{user.username},{origin}{password_path(user)}" for user in without]
            self.stdout.write("\n".join(["username,link", *lines]))
            self.stderr.write("Each link works once, and for three days. They are not shown again.")

    def _origin(self, options: dict[str, Any]) -> str:
        """Where people find the server: as told, as configured, or where the one on this machine listens."""
        if origin := options["origin"] or (settings.TURKLE_ORIGINS or [""])[0]:
            return str(origin).rstrip("/")
        if (running := running_server()) is None:
            self.stderr.write(
                "No server of this database runs here: start one with serve --annotate, or give --origin."
            )
        return running or _USUAL

    def _add(self, options: dict[str, Any]) -> User:
        user = User(username=options["name"], is_staff=options["staff"], email=options["email"])
        user.set_unusable_password()
        user.full_clean()
        if options["password"]:
            user.set_password(self._ask(user))
        with transaction.atomic():
            user.save()
            user.groups.set([Group.objects.get_or_create(name=name)[0] for name in options["group"]])
            let_make_projects(user, options["requester"])
        rights = " with the rights of staff" if user.is_staff else " as a requester" if options["requester"] else ""
        self.stdout.write(f"{user.username} has an account{rights}.")
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

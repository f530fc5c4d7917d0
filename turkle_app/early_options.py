"""What a command line says of the apps that Django starts: it has to be known before Django is set up."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence

from harness.kit.files.writing import data_folder

DATABASE_FILE = "annotation.sqlite3"
"""In the user's data folder: where accounts and answers are kept unless ``DATABASE_URL`` says otherwise."""
_OF_ANNOTATION = frozenset({"annotators", "copilot", "move_in", "results"})
"""Commands of ours that are there only where annotation is on."""
_OF_DATABASE = frozenset(
    {"changepassword", "clearsessions", "createsuperuser", "dbshell", "dumpdata", "flush", "loaddata", "makemigrations",
     "migrate", "showmigrations", "sqlmigrate"}
)  # fmt: skip
"""Commands of Django's that are about a database."""
_THAT_SERVE = frozenset({"serve", "runserver"})
_OF_EITHER = frozenset({"runserver", "shell"})
"""Commands of Django's that have accounts where a database for them was made, and else do without."""


def take_early_options(command: str, arguments: Sequence[str]) -> None:
    """Put what a command line says of the apps that it needs into the environment, where the settings look for it.

    What is wrong with the arguments is said later, when all of them are read.

    Args:
        command: The name of the command.
        arguments: Those behind it.
    """
    if command in _OF_ANNOTATION | _OF_DATABASE or (command in _OF_EITHER and _are_accounts_kept()):
        os.environ.setdefault("TURKLE_ANNOTATION", "1")
    if command in _THAT_SERVE:
        os.environ.setdefault("TURKLE_CARDS", "1")
    if command in _OF_DATABASE | _OF_EITHER:  # of the same names, their options mean something else
        return
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--runs")
    parser.add_argument("--record")
    parser.add_argument("--agent", action="store_true")
    parser.add_argument("--annotate", action="store_true")
    parser.add_argument("--database")
    with contextlib.suppress(argparse.ArgumentError):
        options, _ = parser.parse_known_args(list(arguments))
        if options.runs:
            os.environ["TURKLE_RUNS_DIR"] = options.runs
        if options.record:
            os.environ["TURKLE_RECORD_DIR"] = options.record
        if options.agent:
            os.environ["TURKLE_AGENT_MODE"] = "1"
        if options.annotate:
            os.environ["TURKLE_ANNOTATION"] = "1"
        if options.database:
            os.environ["DATABASE_URL"] = options.database


def _are_accounts_kept() -> bool:
    """Whether a database was made or named, and nobody asks for a server that keeps nothing."""
    keeps_nothing = os.environ.get("TURKLE_AGENT_MODE", "").strip().lower() not in {"", "0", "false", "no", "off"}
    return not keeps_nothing and bool(os.environ.get("DATABASE_URL") or (data_folder() / DATABASE_FILE).is_file())

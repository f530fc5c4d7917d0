"""The task server: ``python -m turkle_app``, with the options of ``python manage.py serve``.

Unlike the latter it needs no file of a checkout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import django
from django.core.exceptions import ImproperlyConfigured

from harness.cli.boundary import WRONG_USE, program
from turkle_app.early_options import take_early_options


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the process is told to end; returns the exit code.

    Raises:
        SystemExit: With exit status 2, if the arguments, the folder, the host or the port cannot be used.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    take_early_options("serve", arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
    try:
        django.setup()
    except ImproperlyConfigured as error:
        print(f"CommandError: {error}", file=sys.stderr)
        return WRONG_USE
    from turkle_app.management.commands.serve import Command  # noqa: PLC0415 - it reads the settings

    # Django puts program and subcommand together again.
    words = program("serve").rpartition(" ")[::2]
    Command().run_from_argv([*words, *arguments])
    return 0


if __name__ == "__main__":
    sys.exit(main())

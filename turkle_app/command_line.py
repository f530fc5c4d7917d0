"""Django's command line: ``turkbench manage results``, which is ``python manage.py results`` in a checkout."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.kit.files.installation import check_system
from turkle_app.early_options import take_early_options


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of Django's commands, or of ours; returns the exit code.

    Args:
        argv: Its name and its arguments; by default those of this process.

    Raises:
        SystemExit: By a command whose arguments are wrong, or that could not do what it was told.
    """
    check_system()
    words = list(sys.argv[1:] if argv is None else argv) or ["help"]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
    take_early_options(words[0], words[1:])
    try:
        execute_from_command_line([sys.argv[0], *words])
    except ImproperlyConfigured as error:
        print(f"CommandError: {error}", file=sys.stderr)
        return WRONG_USE
    return COMPLETE

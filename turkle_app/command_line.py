"""Django's command line: ``turkbench manage results``, which is ``python manage.py results`` in a checkout."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from harness.cli.boundary import COMPLETE, WRONG_USE, print_out
from harness.kit.files.installation import check_system
from turkle_app.early_options import take_early_options

_USAGE = """\
usage: {0} [-h] COMMAND [OPTION ...]

The server's own commands: annotators (accounts), results, copilot, move_in, and Django's.

  annotators  Open accounts, make a new link or token for one
  results     Write what people answered, as CSV
  copilot     Help the workers of a batch by what a run sent
  move_in     Take over projects and answers of a server of Turkle

{0} help lists Django's commands, too; {0} COMMAND --help tells more of one."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of Django's commands, or of ours; returns the exit code.

    Args:
        argv: Its name and its arguments; by default those of this process.

    Raises:
        SystemExit: By a command whose arguments are wrong, or that could not do what it was told.
    """
    check_system()
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    if words[0] in {"-h", "--help"}:
        print_out(_USAGE.format(Path(sys.argv[0]).name))
        return COMPLETE
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turkle_app.settings")
    take_early_options(words[0], words[1:])
    try:
        execute_from_command_line([sys.argv[0], *words])
    except ImproperlyConfigured as error:
        print(f"CommandError: {error}", file=sys.stderr)
        return WRONG_USE
    return COMPLETE

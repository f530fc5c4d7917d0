"""Write a generated page of the documentation: ``python -m harness.document actions > docs/action-library.md``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from harness.cli.boundary import error_boundary
from harness.cli.command_line import CommandLine
from harness.cli.exit_codes import COMPLETE
from harness.cli.program import program

PAGES = {
    "actions": "harness.episode.library_page",
    "api": "harness.api.api_page",
    "options": "harness.commands.options_page",
}
"""What is slow to import is imported for work, not for help."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("harness.document"), description=__doc__)
    parse.add_argument(
        "page", choices=PAGES, help="the action library, what `import harness` offers, or the options of evaluate"
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    page = PAGES[parser().parse_args(argv).page]
    sys.stdout.write(import_module(page).document())
    return COMPLETE


if __name__ == "__main__":
    sys.exit(main())

"""Write a reference: ``python -m harness.document actions > docs/action-library.md``, ``options > docs/options.md``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from harness.cli.boundary import error_boundary
from harness.cli.command_line import CommandLine
from harness.cli.exit_codes import COMPLETE
from harness.cli.program import program


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("harness.document"), description=__doc__)
    parse.add_argument("what", nargs="?", choices=("actions", "options"), default="actions", help="of what")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.cli.options_page import options_page  # noqa: PLC0415
    from harness.episode.library_page import document  # noqa: PLC0415
    from harness.evaluate import named_options  # noqa: PLC0415

    sys.stdout.write(document() if arguments.what == "actions" else options_page(named_options()))
    return COMPLETE


if __name__ == "__main__":
    sys.exit(main())

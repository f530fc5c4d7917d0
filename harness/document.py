"""Write the reference of the action library: ``python -m harness.document > docs/action-library.md``."""

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
    return CommandLine(prog=program("harness.document"), description=__doc__)


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.episode.library_page import document  # noqa: PLC0415

    sys.stdout.write(document())
    return COMPLETE


if __name__ == "__main__":
    sys.exit(main())

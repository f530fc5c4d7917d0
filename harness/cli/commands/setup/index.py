"""Make the indices by which the server shows runs, in advance: ``turkbench setup index RUN [RUN ...]``.

The server makes them itself when a run is first looked at; for a large run that takes a while.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.kit.errors import UserError
from harness.kit.text import counted

_EVERY = 2_500
"""Episodes after which it is told how far an index is."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("setup index"), description=(__doc__ or "").partition(":")[0])
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directory")
    return parse


def _tell(done: int, of: int) -> None:
    if done % _EVERY == 0 and done < of:
        print(f"{done:,} of {of:,} episodes", file=sys.stderr)


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.reports.watch.index_making import bring_up  # noqa: PLC0415
    from harness.reports.watch.run_index import IndexGone  # noqa: PLC0415

    for run in arguments.runs:
        try:
            new = bring_up(run, _tell)
        except (IndexGone, OSError) as error:
            raise UserError(f"the index of {run} cannot be written: {error}") from error
        print(f"{run}: {counted(new, 'new episode')}")
    return COMPLETE

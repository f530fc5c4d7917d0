"""Make one run of the shards of a run: ``turkbench merge SHARD... --out RUN``, after ``evaluate --shard``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import OF_A_RUN, error_boundary, naming_the_file, program
from harness.cli.command_line import CommandLine


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("merge"), description=__doc__, epilog=OF_A_RUN)
    parse.add_argument(
        "shards", type=Path, nargs="+", metavar="SHARD", help="run directory of a shard, in any order; not changed"
    )
    parse.add_argument("--out", type=Path, metavar="RUN", required=True, help="run directory of the merged run")
    parse.add_argument(
        "--without-missing",
        action="store_true",
        help="merge what is there, though shards are missing: their instances count as not played, and the run can be "
        "gone on with (default: refuse)",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.cli.commands.evaluate import say  # noqa: PLC0415
    from harness.run.merging import merged_run  # noqa: PLC0415

    with naming_the_file(otherwise=arguments.out):
        merged = merged_run(arguments.shards, arguments.out, without_missing=arguments.without_missing)
    for note in merged.notes:
        print(f"note: {note}", file=sys.stderr)
    return say(merged.result)

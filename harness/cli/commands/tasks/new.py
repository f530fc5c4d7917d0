"""Make an example task to start from: ``turkbench tasks new DIR``.

The folder gets a page with every kind of field, a table of inputs and labels, and a file of facts, with comments. Its
name is the name of the task.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from harness.catalog.task import FILES
from harness.cli.boundary import COMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.datasets.uploaded_task import make_example
from harness.kit.files.installation import to_type


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, rest = (__doc__ or "").partition("\n\n")
    parse = CommandLine(
        prog=program("tasks new"),
        description=f"{about}\n{rest}",
        epilog="exit codes: 0 the task is there; 2 wrong use, or the folder cannot be written",
    )
    parse.add_argument("folder", type=Path, metavar="DIR", help="folder of the new task, e.g. my-tasks/Film-reviews")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    folder: Path = parser().parse_args(argv).folder
    with naming_the_file(otherwise=folder):
        make_example(folder)
    tasks, name = folder.absolute().parent, folder.absolute().name
    print_out(f"The task {name!r} is in {folder}: {', '.join(FILES)}.")
    print_out(f"Look for mistakes: {to_type('tasks check', '--tasks-dir', tasks, '--task', name)}")
    print_out(f"Look at its pages: {to_type('serve', '--tasks-dir', tasks)}")
    return COMPLETE

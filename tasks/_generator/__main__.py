"""Write the batch.csv of the bundled tasks, or check that they are what the generator makes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tasks._generator.model import Batch, batches

TASKS = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the arguments, or None for those of the process.

    Returns:
        The exit status: 0 done, 1 if a checked file differs, 2 if no task has the name asked for.
    """
    parser = argparse.ArgumentParser(prog="python -m tasks._generator", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    parser.add_argument("--only", metavar="NAME", help="this task only")
    options = parser.parse_args(arguments)
    made = batches(options.only)
    if not made:
        sys.stderr.write(f"no generator for {options.only!r}\n")
        return 2
    return check(made, TASKS) if options.check else write(made, TASKS)


def write(made: Sequence[Batch], tasks: Path) -> int:
    """Write every batch to its place.

    Args:
        made: the batches.
        tasks: the folder of all tasks.

    Returns:
        The exit status, 0.
    """
    for batch in made:
        path = batch.path(tasks)
        path.parent.mkdir(exist_ok=True)
        path.write_text(batch.text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{path.relative_to(tasks)}\n")
    return 0


def check(made: Sequence[Batch], tasks: Path) -> int:
    """Name every file that is not what the generator makes.

    Args:
        made: the batches.
        tasks: the folder of all tasks.

    Returns:
        The exit status: 1 if there is such a file, else 0.
    """
    stale = [path for batch in made if not _holds(path := batch.path(tasks), batch.text)]
    for path in stale:
        sys.stderr.write(f"{path.relative_to(tasks)} is not what the generator makes; write it again\n")
    return 1 if stale else 0


def _holds(path: Path, text: str) -> bool:
    # Bytes, not text: reading as text would hide a difference in line ends.
    return path.is_file() and path.read_bytes() == text.encode()


if __name__ == "__main__":
    sys.exit(main())

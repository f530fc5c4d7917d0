"""Write what is made of the bundled tasks, or check that it is what the generator makes and that it is right."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

from tasks._generator.agreement import out_of_range
from tasks._generator.checks import faults
from tasks._generator.model import Batch, batches

TASKS = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the arguments, or None for those of the process.

    Returns:
        The exit status: 0 done, 1 if a checked file differs or labels are not as they should be, 2 if no task has the
        name asked for.
    """
    parser = argparse.ArgumentParser(prog="python -m tasks._generator", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a file differs or labels are wrong"
    )
    parser.add_argument("--only", metavar="NAME", help="this task only")
    options = parser.parse_args(arguments)
    made = batches(options.only)
    if not made:
        sys.stderr.write(f"no generator for {options.only!r}\n")
        return 2
    return check(made, TASKS) if options.check else write(made, TASKS)


def write(made: Sequence[Batch], tasks: Path) -> int:
    """Write every file to its place, and remove pictures and sounds that are not made any more.

    Args:
        made: what was made for each task.
        tasks: the folder of all tasks.

    Returns:
        The exit status, 0.
    """
    for batch in made:
        contents = batch.contents()
        for path, content in contents.items():
            file = tasks / batch.name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        for stray in _media(tasks / batch.name) - {*contents, *batch.kept}:
            (tasks / batch.name / stray).unlink()
        sys.stdout.write(f"{batch.name}: {len(contents)} {'file' if len(contents) == 1 else 'files'}\n")
    return 0


def check(made: Sequence[Batch], tasks: Path) -> int:
    """Name every file that is not what the generator makes, and every label that is not as it should be.

    Args:
        made: what was made for each task.
        tasks: the folder of all tasks.

    Returns:
        The exit status: 1 if there is anything to name, else 0.
    """
    found = []
    for batch in made:
        contents = batch.contents()
        stale = [path for path, content in contents.items() if not _holds(tasks / batch.name / path, content)]
        stale += sorted(_media(tasks / batch.name) - {*contents, *batch.kept})
        found += [f"{batch.name}/{path} is not what the generator makes; write it again" for path in stale]
        lost = [path for path, digest in batch.kept.items() if not _is(tasks / batch.name / path, digest)]
        found += [
            f"{batch.name}/{path} is not the file that belongs there; take it from version control" for path in lost
        ]
        found += faults(batch)
    if len(made) > 1:
        found += out_of_range(made, tasks)
    sys.stderr.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


def _media(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.glob("media/*")}


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    sys.exit(main())

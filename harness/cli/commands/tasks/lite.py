"""Choose a small split of a task set, pinned by instance ids: ``turkbench tasks lite --tasks-dir DIR``.

``harness.datasets.lite.choosing`` says how.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.overlay import overlay_file
from harness.cli.boundary import COMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.datasets.lite.choosing import SIZE, as_json, candidates, choose
from harness.kit.text import counted


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("tasks lite"), description=(__doc__ or "").split("\n")[0])
    parse.add_argument("--tasks-dir", type=Path, required=True, metavar="DIR", help="folder of task folders")
    parse.add_argument(
        "--overlay",
        type=overlay_file,
        metavar="FILE",
        help="facts about the tasks: a file, or the name of a known task set",
    )
    parse.add_argument("--size", type=int, default=SIZE, metavar="N", help="number of instances (default: %(default)s)")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Print the split, and how it is made up on standard error; returns the exit code."""
    arguments = parser().parse_args(argv)
    chosen = choose(candidates(Catalog(arguments.tasks_dir, arguments.overlay)), arguments.size)
    print(as_json(chosen, "A first look: chosen by turkbench tasks lite, which says how."), end="")
    for of in ("split", "kind", "difficulty", "fields"):
        counts = Counter(getattr(candidate, of) for candidate in chosen)
        print(f"{of}: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}", file=sys.stderr)
    tasks = len({candidate.task for candidate in chosen})
    print(f"{counted(len(chosen), 'instance')} of {counted(tasks, 'task')}", file=sys.stderr)
    return COMPLETE

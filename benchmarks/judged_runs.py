"""Trajectories of known worth for judges: ``python -m benchmarks.judged_runs OUT``.

Five agents (``benchmarks.judged_agents``) work on the same tasks of the bundled sites, filmed: a run each below OUT.
Judge them with ``python -m harness judge run``, and hold that against the truth with ``python -m harness judge
agreement --truth final_state``; docs/notes/judges.md has the table.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.judged_agents import AGENTS, choice_place, value_place
from benchmarks.setting import PROJECT
from harness.catalog import Catalog
from harness.kit.arguments import positive

TASKS = PROJECT / "tasks" / "_sites"
NUMBER = 20


def tasks_with_a_trap(number: int, folder: Path = TASKS) -> list[str]:
    """The tasks with the shortest references in which both a value and a choice can be wrong, by name.

    Args:
        number: How many at most.
        folder: Of the tasks.
    """
    catalog = Catalog(folder)
    found = sorted(
        (len(task.trace.steps), task.name)
        for task in map(catalog.task, catalog.names())
        if task.trace and value_place(task.trace) is not None and choice_place(task.trace) is not None
    )
    return [name for _, name in found[:number]]


def main(argv: Sequence[str] | None = None) -> int:
    """Make the runs; those that are there stay. Returns the first exit code that is not 0."""
    parse = argparse.ArgumentParser(
        prog="python -m benchmarks.judged_runs", description=(__doc__ or "").partition(":")[0]
    )
    parse.add_argument("out", type=Path, metavar="OUT", help="folder of the runs")
    parse.add_argument("--tasks", type=positive, default=NUMBER, metavar="N", help="(default: %(default)s)")
    parse.add_argument("--workers", type=positive, default=1, metavar="N", help="browsers (default: %(default)s)")
    arguments = parse.parse_args(argv)
    names = [part for name in tasks_with_a_trap(arguments.tasks) for part in ("--task", name)]
    for agent in AGENTS:
        if (arguments.out / agent).exists():
            continue
        solver = ["--solver", f"benchmarks.judged_agents:{agent}", "--film", "steps", "--out", arguments.out / agent]
        solver += ["--max-instances", 1]  # one trajectory a task, also of one with a table
        command = [sys.executable, "-m", "harness.evaluate", "--tasks-dir", TASKS, *solver, *names]
        done = subprocess.run([*map(str, command), "--workers", str(arguments.workers)], check=False, cwd=PROJECT)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())

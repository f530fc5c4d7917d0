"""Whole runs, started as a user starts them, watched from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import harness_memory, machine_seconds
from benchmarks.setting import PROJECT

_SAMPLE_SECONDS = 1.0


@dataclass(frozen=True)
class Ran:
    """What was seen of a run.

    Attributes:
        written: Seconds from the command to each episode's file, in order.
        seconds: Seconds from the command to its end.
        busy: Seconds that the machine's processors were busy meanwhile.
        memory: (episodes written, megabytes of the harness without browsers), as time went on.
    """

    written: list[float]
    seconds: float
    busy: float
    memory: list[tuple[int, float]]

    @property
    def rate(self) -> float:
        """Episodes a second, from the first to the last that was written."""
        return rate(self.written)

    @property
    def use(self) -> float:
        """The share of all processors' time that was used."""
        return self.busy / self.seconds / (os.cpu_count() or 1)


def rate(written: list[float]) -> float:
    """Episodes a second, from the first to the last of some."""
    return (len(written) - 1) / (written[-1] - written[0]) if len(written) > 1 else 0.0


def watch(tasks_dir: Path, solver: str, *, each: int, workers: int = 1, tasks: int | None = None) -> Ran:
    """Run ``harness.evaluate`` and watch it.

    Args:
        tasks_dir: The folder of task folders.
        solver: The solver.
        each: Instances of a task, at most.
        workers: Browsers at a time.
        tasks: The first so many tasks; None for all.

    Raises:
        AssertionError: the run was wrong use.
    """
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "run"
        names = sorted(path.name for path in tasks_dir.iterdir() if (path / "batch.csv").is_file())[:tasks]
        options = ["--max-instances", str(each), "--workers", str(workers)]
        options += [part for name in names for part in ("--task", name)] if tasks else []
        memory: list[tuple[int, float]] = []
        start, busy = time.time(), machine_seconds()
        with started(tasks_dir, solver, out, *options) as process:
            while process.poll() is None:
                memory.append((len(list(out.glob("episodes/*/*.json"))), harness_memory(process.pid)))
                time.sleep(_SAMPLE_SECONDS)  # a sample of memory at fixed times: no event is waited for
        seconds = time.time() - start
        written = [moment - start for moment in moments_written(out)]
    return Ran(written, seconds, machine_seconds() - busy, memory)


@contextmanager
def started(tasks_dir: Path, solver: str, out: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A context: ``harness.evaluate`` as a process, whose end is waited for.

    Args:
        tasks_dir: The folder of task folders.
        solver: The solver.
        out: The run directory.
        *options: Further ones.

    Raises:
        AssertionError: the run was wrong use.
    """
    command = [sys.executable, "-m", "harness.evaluate", "--solver", solver, "--tasks-dir", str(tasks_dir)]
    command += [*options, "--progress", "quiet", "--out", str(out)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        yield process
    assert process.returncode in {0, 1}, f"{' '.join(command)} exited with {process.returncode}"


def moments_written(out: Path) -> list[float]:
    """When the episodes of a run were written, in order, by ``time.time``."""
    return sorted(file.stat().st_mtime for file in out.glob("episodes/*/*.json"))

"""A long run with many episodes in flight: whether rate, memory, open files and processes stay what they were."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from benchmarks.processes import children, memory, open_files
from benchmarks.runs import moments_written, rate, started
from benchmarks.setting import Setting
from benchmarks.waiting import REPLIES, SOLVER, TASK, make_task
from benchmarks.waiting_model import WaitingModel
from harness.kit.text import aligned

_SHARED = 8
_REPLY_SECONDS = 2.0
_SAMPLE_SECONDS = 15.0
_PARTS = 10


@dataclass(frozen=True)
class Sample:
    """What a run held at one moment.

    Attributes:
        done: Episodes that were written.
        processes: How many it had.
        files: That they had open.
        megabytes: Of memory; None if some may not be looked at.
    """

    done: int
    processes: int
    files: int
    megabytes: float | None


def measure(setting: Setting) -> str:
    """The figures as a table, a row for each tenth of ``--long`` episodes of four turns."""
    in_flight, episodes = setting.in_flight[-1], max(setting.long, 2 * setting.in_flight[-1])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_task(folder / "tasks" / TASK, episodes)
        options = ["--workers", str(in_flight), "--pages-per-browser", str(_SHARED)]
        with WaitingModel(REPLIES, _REPLY_SECONDS) as model:
            options += ["--base-url", model.url, "--temperature", "0"]
            with started(folder / "tasks", SOLVER, folder / "run", *options) as process:
                samples, family = _watched(process, folder / "run")
        written = moments_written(folder / "run")
    rows = [["soak: up to turn", "turns/s", "processes", "open files", "MB"]]
    for part in range(_PARTS):
        first, last = len(written) * part // _PARTS, len(written) * (part + 1) // _PARTS
        during = [each for each in samples if first <= each.done < last]
        if not during:
            continue
        held = [each.megabytes for each in during if each.megabytes is not None]
        rows.append(
            [
                str(last * len(REPLIES)),
                f"{rate(written[first:last]) * len(REPLIES):.1f}",
                str(max(each.processes for each in during)),
                str(max(each.files for each in during)),
                f"{max(held):.0f}" if held else "?",
            ]
        )
    left = [each for each in family if Path(f"/proc/{each}").exists()]
    return f"{aligned(rows)}\n{len(written)} of {episodes} episodes, {in_flight} in flight; processes left: {len(left)}"


def _watched(process: Popen[bytes], out: Path) -> tuple[list[Sample], set[int]]:
    """Watch a run to its end: samples of it, and all processes that it ever had at one of them."""
    samples: list[Sample] = []
    family: set[int] = set()
    while process.poll() is None:
        found = children(process.pid)
        family.update(found)
        samples.append(Sample(len(moments_written(out)), len(found), open_files(found), memory(found)))
        time.sleep(_SAMPLE_SECONDS)  # a sample at fixed times: no event is waited for
    return samples, family

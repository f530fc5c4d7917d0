"""Many episodes in flight that wait for a model: how much of the waiting is overlapped, and what that takes.

A scripted model answers after a fixed time, whoever asks. An episode is four turns on the bundled page
"Sentiment of reviews": two answers chosen, one written, and the end. Ideal would be that all episodes in flight
wait for the model all the time; the share of it is measured while all places are taken, from the first call of as
many episodes as there are places to that of the last episode of all.
"""

from __future__ import annotations

import csv
import itertools
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from benchmarks.processes import KINDS, children, harness_processes, kind_seconds, memory
from benchmarks.runs import moments_written, started
from benchmarks.setting import PROJECT, Setting
from benchmarks.waiting_model import WaitingModel
from harness.kit.text import aligned

EACH = 3
"""Episodes for every place: one begins with a start, one ends with an end, and of one all is steady."""
REPLIES = (
    "modify_radio('sentiment', 'positive')",
    "modify_checkbox('mentions_price', True)",
    "modify_text('reason', 'It says what the writer liked.')",
    "finish()",
)
SOLVER = "llama-3.3"
"""A preset whose server can be any; it sees the page as text."""
TASK = "Sentiment of reviews"
_SAMPLE_SECONDS = 0.5
_HEADING = (
    "in flight",
    "a browser",
    "replies, s",
    "of the ideal",
    "turns/s",
    "ms of the processor a turn",
    "MB an episode",
    "of them browser",
    "first score after s",
    "waits left out",
)
_SPENT_HEADING = ("in flight", "a browser", "replies, s", *(f"ms a turn, {kind}" for kind in KINDS))

Spent = tuple[float, Mapping[str, float]]
"""A moment, and the processors' seconds until then by kind of process."""


@dataclass(frozen=True)
class Flight:
    """What was seen of a run.

    Attributes:
        share: Of the ideal, while all places were taken.
        rate: Turns a second meanwhile.
        spent: Seconds of the processors a turn meanwhile, the model's left out, by kind of process.
        megabytes: Of all its processes, half-way; None if some may not be looked at.
        of_harness: Of those that are no browsers.
        first: Seconds from the command to the first episode's record.
    """

    share: float
    rate: float
    spent: Mapping[str, float]
    megabytes: float | None
    of_harness: float | None
    first: float


def measure(setting: Setting) -> str:
    """The figures as two tables, a row for each number of episodes at a time and each time of a reply."""
    rows: list[tuple[str, ...]] = [_HEADING]
    spent_rows: list[tuple[str, ...]] = [_SPENT_HEADING]
    for in_flight, shared, seconds in itertools.product(setting.in_flight, setting.pages_per_browser, setting.replies):
        flight = fly(in_flight, shared, seconds)
        browsers = flight.megabytes and flight.of_harness and flight.megabytes - flight.of_harness
        held = ("?" if each is None else f"{each / in_flight:.0f}" for each in (flight.megabytes, browsers))
        rest = (f"{flight.first:.1f}", f"{flight.first - seconds * len(REPLIES):.1f}")
        asked = (str(in_flight), str(shared), f"{seconds:g}")
        spent = f"{1000 * sum(flight.spent.values()):.0f}"
        spent_rows.append((*asked, *(f"{1000 * flight.spent[kind]:.0f}" for kind in KINDS)))
        rows.append((*asked, f"{flight.share:.0%}", f"{flight.rate:.1f}", spent, *held, *rest))
    return f"{aligned(rows)}\n\n{aligned(spent_rows)}"


def fly(in_flight: int, shared: int, seconds: float) -> Flight:
    """Play a run on a scripted model and watch it.

    Args:
        in_flight: Episodes at a time.
        shared: How many of them share a browser.
        seconds: What a reply takes.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_task(folder / "tasks" / TASK, EACH * in_flight)
        options = ["--workers", str(in_flight), "--pages-per-browser", str(shared)]
        with WaitingModel(REPLIES, seconds) as model:
            begun = time.time()
            options += ["--base-url", model.url, "--temperature", "0"]
            with started(folder / "tasks", SOLVER, folder / "run", *options) as process:
                spent, held = _watched(process, folder / "run", EACH * in_flight // 2)
        waits, written = model.waits, moments_written(folder / "run")
    first, last = waits.steady(in_flight)
    turns = waits.turns(first, last)
    before, after = _at(spent, first), _at(spent, last)
    return Flight(
        waits.share(in_flight),
        turns / (last - first),
        {kind: (after[kind] - before[kind]) / turns for kind in KINDS},
        *held,
        written[0] - begun,
    )


def _watched(process: Popen[bytes], out: Path, half: int) -> tuple[list[Spent], tuple[float | None, float | None]]:
    """Watch a run to its end.

    Args:
        process: Its first process.
        out: Its directory.
        half: After how many episodes its memory is looked at, once: that takes a while for hundreds of processes.

    Returns:
        Moments with the processors' seconds until then, by kind of process; megabytes of all, and of the harness.
    """
    spent: list[Spent] = []
    held: tuple[float | None, float | None] | None = None
    while process.poll() is None:
        spent.append((time.time(), kind_seconds(process.pid)))
        if held is None and len(moments_written(out)) >= half:
            held = memory(children(process.pid)), memory(harness_processes(process.pid))
        time.sleep(_SAMPLE_SECONDS)  # a sample at fixed times: no event is waited for
    assert held is not None, "the run ended before it was half-way"
    return spent, held


def _at(spent: list[Spent], moment: float) -> Mapping[str, float]:
    """The processors' seconds until a moment, of those until the sample after it."""
    return next((seconds for taken, seconds in spent if taken >= moment), spent[-1][1])


def make_task(folder: Path, instances: int) -> None:
    """Make the bundled task with so many instances, each another product."""
    folder.mkdir(parents=True)
    source = PROJECT / "tasks" / TASK
    for name in ("template.html", "task.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    with (source / "batch.csv").open(newline="") as file, (folder / "batch.csv").open("w", newline="") as made:
        heading, *rows = csv.reader(file)
        writer = csv.writer(made)
        writer.writerow(heading)
        writer.writerows(_numbered(itertools.islice(itertools.cycle(rows), instances)))


def _numbered(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    return ([f"{product} {number}", *rest] for number, (product, *rest) in enumerate(rows))

"""A race of this harness against others on the same pages: opened, filled in with the same values, and read back alike.

Each contestant is a process of its own, with the packages of its own environment in ``.clients``. Pages are raced in
blocks of ten, so that drift of the machine meets all alike: in each block every contestant starts anew, another one
first each time, and no two run at once. Its start, with the block's first page opened once, is not counted. Processor
time is that of its process and of all that descend from it, browsers included, the task server's not. Memory is what
they hold with the last page of the last block open.

What is filled in is found once, by this harness: of each page the first ``MOST_FILLS`` fields for answers whose
controls can be seen when the page has loaded, of kinds for which all contestants have a word. This harness submits the
form and tells what was sent; the others read what the form would submit.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Timer
from typing import Any

from benchmarks.episodes import sample
from benchmarks.peers.turns import Fill, Job, RacePage, Turn
from benchmarks.processes import children, family_seconds, memory
from benchmarks.setting import PROJECT, Setting
from harness.browser.browser import Browser
from harness.browser.form.fields import Field
from harness.browser.form.inventory import inspect_page
from harness.browser.launch import INSTALL_HINT, BrowserSettings, find_browser
from harness.browser.webdriver.driver_process import DRIVER_HINT, find_driver
from harness.episode.assignment import TaskAssignments
from harness.kit.errors import WrongSetUp
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.text import aligned, counted
from harness.run.server import own_server, page_url
from harness.scoring.metrics import PROFILES

BLOCK = 10
"""Pages that a contestant does in a row."""
MOST_FILLS = 10
CLIENTS = PROJECT / ".clients"
"""The contestants' environments, as ``.ci/over-venv`` makes them."""
PATIENCE = 60.0
"""Seconds a page, and for a start, after which a contestant is ended."""
TEXT, NUMBER = "An answer of some words", "3"
TYPES = ("text", "textarea", "search", "number")
"""Of inputs into which one of these is written."""


@dataclass(frozen=True)
class Contestant:
    """Who takes part.

    Attributes:
        name: What the table calls it.
        module: Its script in ``benchmarks.peers``.
        fills: Whether it fills in what is to be filled in, or only opens and reads back.
        environment: The folder of ``.clients`` with its packages, where it needs any of its own.
        install: What makes that folder.
        code: Whether it works by TurkingBench's own code.
    """

    name: str
    module: str
    fills: bool = False
    environment: str = ""
    install: str = ""
    code: bool = False

    @property
    def python(self) -> str:
        """The interpreter that has its packages, if any has."""
        own = CLIENTS / self.environment / "bin/python"
        return str(own) if self.environment and own.exists() else sys.executable


IDLE = Contestant("turkbench, do nothing", "harness_episodes")
NOOP = Contestant("BrowserGym, noop", "browsergym_env", False, "browsergym", ".ci/over-venv browsergym")
CONTESTANTS = (
    Contestant("bare loop", "bare_loop"),
    IDLE,
    replace(IDLE, name="turkbench, fill", fills=True),
    Contestant("Playwright by hand", "playwright_script", True, "playwright", ".ci/over-venv playwright"),
    Contestant("Selenium by hand", "selenium_script", True),
    NOOP,
    replace(NOOP, name="BrowserGym, fill", fills=True),
    Contestant(
        "TurkingBench's own actions",
        "selenium_script",
        True,
        "turkingbench",
        "python -m venv .clients/turkingbench && "
        ".clients/turkingbench/bin/pip install -r $TURKINGBENCH_DIR/requirements.txt",
        code=True,
    ),
)


class NotHere(Exception):
    """A contestant cannot take part, or not any more; the message says why, and what to do."""


@dataclass
class Result:
    """What a contestant has done so far.

    Attributes:
        turns: A page each.
        right: Pages on which what was read back is what was filled in.
        processor: Seconds, in all.
        held: Megabytes at the end; None where that may not be looked at.
        versions: Of its packages.
        absent: Why it has no turns, or no more of them.
    """

    turns: list[Turn] = field(default_factory=list)
    right: int = 0
    processor: float = 0.0
    held: float | None = None
    versions: dict[str, str] = field(default_factory=dict)
    absent: str = ""


def fills_of(fields: Iterable[Field]) -> list[Fill]:
    """What is filled in on a page with these fields: a fixed text, the last option, a box that was not checked."""
    found: list[Fill] = []
    for each in fields:
        if not each.visible or each.disabled or each.multiple or each.open or each.submits:
            continue
        options = [option.value for option in each.options if option.visible]
        name = f"[name={json.dumps(each.name, ensure_ascii=False)}]"
        kind, value, control = each.kind, "", ""
        match each.kind:
            case "text" | "textarea" if len(each.initial) == 1 and each.type in TYPES:
                kind, value = "text", NUMBER if each.type == "number" else TEXT
                control = f":is(input:not([type=hidden]), textarea){name}"
            case "select" if options:
                value, control = options[-1], f"select{name}"
            case "radio" | "checkbox" if free := [one for one in options if one not in each.initial]:
                value = free[-1]
                has = (
                    ":is([value=on], :not([value]))"
                    if value == "on"
                    else f"[value={json.dumps(value, ensure_ascii=False)}]"
                )
                control = f"input[type={kind}]{name}{has}"
        if value:
            found.append({"name": each.name, "kind": kind, "value": value, "selector": control})
    return found[:MOST_FILLS]


def pages_of(setting: Setting, tasks_dir: Path, origin: str) -> tuple[list[RacePage], int]:
    """The pages of a race, and how many of their fields nobody fills in."""
    pages: list[RacePage] = []
    left = 0
    with Browser(BrowserSettings(origin=origin)) as browser:
        for job in sample(tasks_dir, setting.pages):
            url = page_url(origin, job.instance)
            made = TaskAssignments(job.task, PROFILES["standard"]).make(job.instance, url, inspect_page(browser, url))
            fills = fills_of(made.page.fields)
            left += len(made.page.fields) - len(fills)
            pages.append({"url": url, "task": job.task.name, "row": job.instance.index, "fills": fills})
    return pages, left


def is_right(fills: Iterable[Fill], turn: Turn) -> bool:
    """Whether what was read back of a page is what was filled in."""
    held = {name: list(values) for name, values in turn["held"].items()}
    return not turn["error"] and all(
        fill["value"] in held.get(fill["name"], ())
        if fill["kind"] == "checkbox"
        else held.get(fill["name"]) == [fill["value"]]
        for fill in fills
    )


def race(contestants: Sequence[Contestant], job: Job) -> dict[str, Result]:
    """Let all contestants do all pages, in blocks; gives the results by name."""
    results = {each.name: Result() for each in contestants}
    for number, first in enumerate(range(0, len(job["pages"]), BLOCK)):
        shift = number % len(contestants)
        for contestant in (*contestants[shift:], *contestants[:shift]):
            pages = job["pages"][first : first + BLOCK]
            if not contestant.fills:
                pages = [{**page, "fills": []} for page in pages]
            result = results[contestant.name]
            if not result.absent:
                try:
                    _race_block(contestant, {**job, "pages": pages}, result)
                except NotHere as why:
                    result.absent = str(why)
    return results


def _race_block(contestant: Contestant, job: Job, result: Result) -> None:
    if contestant.code and not job["code"]:
        raise NotHere("TURKINGBENCH_DIR names no checkout of TurkingBench that has src/evaluation/actions.py")
    if contestant.module == "selenium_script" and not job["driver"]:
        raise NotHere(DRIVER_HINT)
    if not contestant.code:
        job = {**job, "code": ""}
    with _started(contestant, PATIENCE * (2 + len(job["pages"]))) as (process, ask):
        result.versions = ask(json.dumps(job))
        before = family_seconds(process)
        turns: list[Turn] = ask("")
        result.processor += family_seconds(process) - before
        result.held = memory(children(process))
    result.turns += turns
    result.right += sum(is_right(page["fills"], turn) for page, turn in zip(job["pages"], turns, strict=True))


@contextmanager
def _started(contestant: Contestant, seconds: float) -> Iterator[tuple[int, Callable[[str], Any]]]:
    """Start a contestant; gives its process, and what tells it a line and waits for its answer."""
    with (
        tempfile.TemporaryFile("w+", errors="replace") as complaints,
        subprocess.Popen(
            [contestant.python, "-m", f"benchmarks.peers.{contestant.module}"],
            cwd=PROJECT,
            env=os.environ | {"PYTHONPATH": str(PROJECT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        to, of = process.stdin, process.stdout

        def end() -> None:
            for each in children(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)

        def ask(line: str) -> Any:
            with suppress(BrokenPipeError):
                to.write(f"{line}\n")
                to.flush()
            if answer := of.readline():
                return json.loads(answer)
            process.wait()
            if process.returncode == -signal.SIGKILL:
                raise NotHere(f"it was ended after {seconds:.0f} seconds")
            complaints.seek(0)
            why = ([each.strip() for each in complaints if each.strip()] or [f"status {process.returncode}"])[-1]
            how = f"; {contestant.install}" if why.startswith("ModuleNotFoundError") and contestant.install else ""
            raise NotHere(f"{why}{how}")

        timer = Timer(seconds, end)
        timer.start()
        try:
            yield process.pid, ask
        finally:
            # With its input closed, a contestant ends its browser and itself.
            with suppress(BrokenPipeError):
                process.communicate()
            timer.cancel()


def report(results: dict[str, Result], contestants: Sequence[Contestant]) -> str:
    """The figures as a table, and beneath it versions, errors and who was not here."""
    rows = [["", "pages", "pages/s", "median ms", "ms of the processor", "MB", "right"]]
    notes = []
    for contestant in contestants:
        result = results[contestant.name]
        seconds = [turn["seconds"] for turn in result.turns]
        row = ["–"] * 5
        if seconds:
            row = [
                f"{len(seconds) / sum(seconds):.2f}",
                f"{1000 * statistics.median(seconds):.0f}",
                f"{1000 * result.processor / len(seconds):.0f}",
                "–" if result.held is None else f"{result.held:.0f}",
                f"{result.right} of {len(seconds)}" if contestant.fills else "–",
            ]
        rows.append([contestant.name, str(len(seconds)), *row])
        errors = [turn["error"] for turn in result.turns if turn["error"]]
        told = [", ".join(map(" ".join, result.versions.items()))]
        told += [f"not here: {result.absent}"] if result.absent else []
        told += [f"{counted(len(errors), 'error')}, the first: {errors[0]}"] if errors else []
        notes += [f"{contestant.name}: {each}" for each in told if each]
    return "\n".join([aligned(rows), *notes])


def measure(setting: Setting, contestants: Sequence[Contestant] = CONTESTANTS) -> str:
    """The figures as a table; of the bundled tasks unless others are named."""
    tasks_dir = setting.named_tasks or BUNDLED_TASKS
    browser = find_browser()
    if not browser:
        raise WrongSetUp(INSTALL_HINT)
    checkout = Path(os.environ.get("TURKINGBENCH_DIR", ""))
    with own_server(tasks_dir, None) as origin:
        pages, left = pages_of(setting, tasks_dir, origin)
        job: Job = {
            "tasks_dir": str(tasks_dir.resolve()),
            "origin": origin,
            "browser": browser,
            "driver": find_driver() or "",
            "code": str(checkout.resolve()) if (checkout / "src/evaluation/actions.py").is_file() else "",
            "pages": pages,
        }
        results = race(contestants, job)
    version = subprocess.run([browser, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    fills = sum(len(page["fills"]) for page in pages)
    told = (
        f"{version}; {counted(len(pages), 'page')}, {counted(fills, 'field')} filled in. Nobody fills in "
        f"{counted(left, 'field')}: hidden at first, of another kind, or beyond {MOST_FILLS} a page."
    )
    return f"{report(results, contestants)}\n{told}"

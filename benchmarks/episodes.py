"""How fast episodes are, against a loop that only opens the same pages, and where their time goes.

On one instance each of up to 100 tasks, with one browser, three things take turns on every page: opening it, a
do-nothing episode and an oracle episode. Their order rotates from page to page, so that drift of the machine meets all
three alike. An episode is the whole of it: open, solve, submit, read back, score, write to disk. The ratios are what
counts; the absolute rates depend on the machine. Beside each stand the milliseconds of its phases
(``harness.episode.clock.PHASES``).
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.setting import Setting
from harness.browser.browser import Browser
from harness.browser.form.inventory import inspect_page
from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.episode.assignment import Assignment, TaskAssignments
from harness.episode.clock import PHASES, Clock
from harness.episode.play import run_episode
from harness.episode.registry import find_solver
from harness.kit.text import aligned
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import EpisodeRecord
from harness.run.selection import Job, select_instances
from harness.run.server import own_server, page_url
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode

SOLVERS = ("do-nothing", "oracle")
BARE = "open only"
SLOWEST = 5


@dataclass
class Measured:
    """What one contestant took.

    Attributes:
        seconds: Per page.
        messages: Awaited browser messages, in all.
        waits: Stand-stills for an answer (round trips), in all.
        fields: Scored fields, in all.
        timing: Phase -> milliseconds, in all.
    """

    seconds: list[float] = field(default_factory=list)
    messages: int = 0
    waits: int = 0
    fields: int = 0
    timing: Counter[str] = field(default_factory=Counter)


def sample(tasks_dir: Path, pages: int) -> list[Job]:
    """One labelled instance each of the first ``pages`` tasks in a seeded order, then second instances, and so on."""
    config = RunConfig(solver="oracle", tasks_dir=tasks_dir, max_instances=max(1, pages))
    by_task: dict[str, list[Job]] = defaultdict(list)
    for job in select_instances(Catalog(tasks_dir), config).jobs:
        by_task[job.instance.task].append(job)
    rounds = (jobs[turn] for turn in range(pages) for jobs in by_task.values() if turn < len(jobs))
    return [job for job, _ in zip(rounds, range(pages), strict=False)]


class Contest:
    """All contestants on one page after another."""

    def __init__(self, browser: Browser, origin: str, folder: Path) -> None:
        self.measured = {name: Measured() for name in (BARE, *SOLVERS)}
        self._browser = browser
        self._session = BrowserSession(browser, DevtoolsInput(browser))
        self._origin = origin
        self._run = RunDirectory(folder)
        self._solvers = {name: find_solver(name).make() for name in SOLVERS}
        self._profile = PROFILES["standard"]
        self._assignments: dict[str, TaskAssignments] = {}

    def page(self, job: Job, turn: int) -> None:
        """Let every contestant have the page, starting with another one each turn."""
        url = page_url(self._origin, job.instance)
        task = job.task.name
        if task not in self._assignments:
            self._assignments[task] = TaskAssignments(job.task, self._profile)
        assignment = self._assignments[task].make(job.instance, url, inspect_page(self._browser, url))
        # What is made once a task, for all of its episodes, is made before the clock starts.
        for answer in assignment.answers:
            assignment.constants.answer(job.instance, answer)
        contestants: list[tuple[str, Callable[[], None]]] = [(BARE, lambda: self._browser.open(url))]
        contestants += [(name, lambda name=name: self._episode(name, assignment)) for name in SOLVERS]  # type: ignore[misc]
        shift = turn % len(contestants)
        for name, act in contestants[shift:] + contestants[:shift]:
            before = (self._browser.channel.messages, self._browser.channel.waits)
            start = time.perf_counter()
            act()
            measured = self.measured[name]
            measured.seconds.append(time.perf_counter() - start)
            measured.messages += self._browser.channel.messages - before[0]
            measured.waits += self._browser.channel.waits - before[1]

    def _episode(self, name: str, assignment: Assignment) -> None:
        record = run_episode(self._session, self._solvers[name], assignment, Limits())
        self._keep(name, record)

    def _keep(self, name: str, record: EpisodeRecord) -> None:
        clock = Clock()
        episode = record.episode
        measured = self.measured[name]
        measured.fields += len(score_episode(episode, self._profile).fields)
        self._run.add(replace(episode, index=len(measured.seconds)), record.images)
        clock.lap("record")
        measured.timing.update({**episode.timing, **clock.timing})


def report(measured: dict[str, Measured]) -> str:
    """The figures as a table."""
    bare = measured[BARE]
    rows = [
        [
            "",
            "pages",
            "pages/s",
            "median ms",
            "of open only",
            "median, of open only",
            "messages/page",
            "messages/field",
            "waits/page",
            "waits/field",
        ]
    ]
    for name, each in measured.items():
        pages = len(each.seconds)
        per_field = [f"{count / each.fields:.1f}" if each.fields else "–" for count in (each.messages, each.waits)]
        rows.append(
            [
                name,
                str(pages),
                f"{pages / sum(each.seconds):.1f}",
                f"{1000 * statistics.median(each.seconds):.0f}",
                f"{sum(bare.seconds) / sum(each.seconds):.0%}",
                f"{statistics.median(bare.seconds) / statistics.median(each.seconds):.0%}",
                f"{each.messages / pages:.1f}",
                per_field[0],
                f"{each.waits / pages:.1f}",
                per_field[1],
            ]
        )
    return aligned(rows)


def phases(measured: dict[str, Measured]) -> str:
    """The milliseconds of each phase as a table."""
    rows = [["milliseconds a page", *PHASES]]
    for name in SOLVERS:
        each = measured[name]
        rows.append([name, *(f"{each.timing[phase] / len(each.seconds):.1f}" for phase in PHASES)])
    return aligned(rows)


def slowest(measured: dict[str, Measured], tasks: list[str]) -> str:
    """The oracle's slowest pages as a table: a few of them decide its rate."""
    seconds = measured["oracle"].seconds
    total = sum(seconds)
    rows = [["the oracle's slowest pages", "seconds", "share of the sum"]]
    for time_of_page, task in sorted(zip(seconds, tasks, strict=True), reverse=True)[:SLOWEST]:
        rows.append([task, f"{time_of_page:.1f}", f"{time_of_page / total:.0%}"])
    return aligned(rows)


def measure(setting: Setting) -> str:
    """The figures as three tables."""
    jobs = sample(setting.tasks_dir, setting.pages)
    with (
        tempfile.TemporaryDirectory() as folder,
        own_server(setting.tasks_dir, None) as origin,
        Browser(BrowserSettings(origin=origin)) as browser,
    ):
        contest = Contest(browser, origin, Path(folder))
        for turn, job in enumerate(jobs):
            contest.page(job, turn)
    tasks = [job.instance.task for job in jobs]
    tables = (report(contest.measured), phases(contest.measured), slowest(contest.measured, tasks))
    return "\n\n".join(tables)

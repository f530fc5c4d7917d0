"""What became of the pages of a run of recorded outputs, beside what was read when they were recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from harness.browser.form.submission import submit
from harness.browser.input_back_end import BrowserSession
from harness.catalog.task import Instance
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from harness.kit.text import counted, noun
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.run.browsers import sessions
from harness.run.interrupts import Interrupts
from harness.run.page_source import PageSource
from harness.run.pool import Pool, PoolListener
from harness.run.progress import Mode, progress
from harness.run.server import page_url
from harness.run.worker import JobReport
from harness.scoring.answers.columns import is_answered
from harness.solvers.recorded.offline import play
from harness.solvers.recorded.predictions import Prediction, placed_in
from harness.solvers.recorded.verdicts import (
    AGREEMENTS,
    CLASSES,
    NO_EPISODE,
    NO_INSTANCE,
    NOT_COMPARED,
    UNLABELLED,
    ComparedRecord,
    Ending,
    compared,
    not_compared,
)

PATIENCE_SECONDS = 600.0
"""How long a page may take, which is twice what an episode may by default."""


@dataclass(frozen=True)
class PageOfRecords:
    """An instance, and what is recorded of it."""

    instance: Instance
    predictions: tuple[Prediction, ...]


class RecordedWork:
    """Plays recorded outputs, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def do(self, session: BrowserSession, job: PageOfRecords, _report: JobReport) -> Ending:
        """What becomes of a page."""
        session.browser.open(page_url(session.browser.settings.origin, job.instance))
        trajectory = Trajectory()
        play(job.predictions, Actions(session.browser, session.input, trajectory))
        return Ending(submit(session.browser).values, tuple(trajectory.steps), tuple(trajectory.turns))


def endings_of(run: RunDirectory) -> dict[tuple[str, int], Ending]:
    """What became of the pages of a run, by task and place of the instance.

    Raises:
        NotARun: an episode cannot be read.
    """
    return {
        (each.task, each.index): Ending(each.submission.values, each.steps, each.turns)
        for each in run.episodes()
        if each.submission
    }


def as_recorded(predictions: Sequence[Prediction]) -> tuple[Prediction, ...]:
    """Predictions without the outputs that the code that recorded them could not execute."""
    return tuple(replace(each, output=None) if each.record.get("action_error") else each for each in predictions)


class RecordedComparison:
    """What became of pages beside the records of them.

    Attributes:
        findings: What is compared so far.
        missing: Pages of which there is no ending.
    """

    def __init__(
        self,
        config: RunConfig,
        endings: Mapping[tuple[str, int], Ending],
        predictions: Sequence[Prediction],
        pages: PageSource,
    ) -> None:
        """Compare what there is.

        Args:
            config: The run's configuration.
            endings: Task and place of an instance -> what became of it; see ``endings_of``.
            predictions: With the value that was read, as ``value_read``.
            pages: Where pages come from, and what they reach.

        Raises:
            PagesNotGiven, CatalogError: as their messages say.
        """
        self._config = config
        self._pages = pages
        self._catalog = pages.catalog(config)
        self.findings: list[ComparedRecord] = []
        self.missing: list[PageOfRecords] = []
        by_task: dict[str, list[Prediction]] = {}
        for each in predictions:
            by_task.setdefault(each.task, []).append(each)
        for task, found in by_task.items():
            placed = placed_in(self._catalog, task, found)
            for unplaced in placed.unplaced:
                self._leave_out(unplaced.predictions, None, NO_INSTANCE, unplaced.reason)
            for index, of_page in placed.by_index.items():
                page = PageOfRecords(self._catalog.task(task).instances[index], of_page)
                if (task, index) in endings:
                    self._compare(page, endings[task, index])
                else:
                    self.missing.append(page)

    def play_missing(self, workers: int, mode: Mode | None) -> None:
        """Open the pages that are missing, and do what was recorded of them.

        Args:
            workers: Browsers at a time.
            mode: How to tell how it gets on.

        Raises:
            ServerRefused, NoBrowser: as their messages say.
        """
        shown = progress(mode)
        if note := self._pages.differences(self._config):
            shown.note(note)

        def done(page: PageOfRecords, ending: Ending) -> None:
            self._compare(page, ending)
            shown.advance(None, None)

        def failed(page: PageOfRecords, reason: str) -> None:
            self._leave_out(page.predictions, page.instance.index, NO_EPISODE, reason)
            shown.advance(None, None)

        with (
            Interrupts() as interrupts,
            sessions(self._pages.input) as (make_session, adapt),
            Pool(
                RecordedWork,
                PoolListener(done, failed, shown.note, shown.interrupted),
                workers=workers,
                patience=PATIENCE_SECONDS,
                interrupts=interrupts,
                make_session=make_session,
            ) as pool,
            self._pages.server(self._catalog) as origin,
        ):
            pool.open(adapt(self._pages.settings(origin, self._config)))
            shown.start("agreement", len(self.missing))
            try:
                for page in self.missing:
                    pool.put(page.instance.task, [page])
                pool.finish()
            finally:
                shown.finish()
        self.missing = []

    def conclude(self) -> list[ComparedRecord]:
        """All findings in the order of the file; pages that are still missing are said to be."""
        for page in self.missing:
            verdict = NO_EPISODE if is_answered(page.instance) else UNLABELLED
            self._leave_out(page.predictions, page.instance.index, verdict)
        self.missing = []
        return sorted(self.findings, key=lambda each: each.line)

    def _compare(self, page: PageOfRecords, ending: Ending) -> None:
        self.findings += [compared(each, page.predictions, page.instance.index, ending) for each in page.predictions]

    def _leave_out(self, predictions: Sequence[Prediction], index: int | None, verdict: str, reason: str = "") -> None:
        self.findings += [not_compared(each, index, verdict, reason) for each in predictions]


def table(findings: Sequence[ComparedRecord]) -> str:
    """The classes with their counts, as text."""
    counts = Counter(each.verdict for each in findings)
    compared = sum(count for verdict, count in counts.items() if verdict not in NOT_COMPARED)
    agree = sum(counts[verdict] for verdict in AGREEMENTS)
    width = max(map(len, CLASSES))
    lines = [f"{'class':{width}}  records"]
    lines += [f"{verdict:{width}}  {counts[verdict]:7,}" for verdict in CLASSES if counts[verdict]]
    lines += [f"{'all':{width}}  {len(findings):7,}", ""]
    share = f" ({agree / compared:.1%})" if compared else ""
    lines.append(
        f"{agree:,} of {counted(compared, 'record')} that can be compared {noun(agree, 'agrees', 'agree')}{share}."
    )
    return "\n".join(lines)


def record_of(findings: Sequence[ComparedRecord]) -> dict[str, Any]:
    """All findings, and how many are of each class, as JSON holds them."""
    counts = Counter(each.verdict for each in findings)
    return {
        "classes": {verdict: {"records": counts[verdict], "means": CLASSES[verdict]} for verdict in CLASSES},
        "findings": [asdict(each) for each in findings],
    }

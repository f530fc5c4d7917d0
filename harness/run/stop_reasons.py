"""Why a run stops, as its record has it; and when it is hopeless: page after page the solver fails alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

from harness.analysis.endings import Endings
from harness.browser.box.program_options import BoxOptions
from harness.episode.play import PlayedPage
from harness.kit.options import view
from harness.kit.text import counted
from harness.models.call_options import ModelChoice
from harness.records.episode import now
from harness.records.fatal import FatalError, HopelessRun, Stop
from harness.records.run_record import RunRecord
from harness.run.label_store import PlayedEpisode
from harness.run.page_job import PageJob

STOPPED = "stopped: "
"""Begins messages of errors that end a run."""


def stop_of(error: BaseException) -> Stop:
    """Why a run stopped that an error has ended."""
    if isinstance(error, HopelessRun):
        return error.stop
    if isinstance(error, KeyboardInterrupt):
        return Stop(kind="interrupt", words="it was asked to end, by Ctrl-C or SIGTERM", at=now("seconds"))
    words = str(error).removeprefix(STOPPED) or type(error).__name__
    if isinstance(error, FatalError):
        return Stop(kind=error.kind, words=words, advice=error.advice, at=now("seconds"))
    return Stop(kind="error", words=words, at=now("seconds"))


def no_reply(record: RunRecord, endings: Endings) -> Stop:
    """Why a run failed that came to its end without any reply of use.

    Args:
        record: Its record.
        endings: Why its episodes ended otherwise than by themselves.
    """
    work = record.results.work if record.results else None
    words = f"the solver gave no reply of use on any of {counted(work.played if work else 0, 'page')}"
    if reason := next((each.reasons[0] for each in endings.found().values()), None):
        words = f"{words}; {reason.count} × {reason.words}"
    advice = "read in its episodes what it said, and mend the solver"
    if view(ModelChoice, record.config.options).model:
        advice = "read its replies, and try a new run with another --model, --output or --prompts"
    return Stop(kind="no_reply", words=words, advice=advice, at=now("seconds"))


ENOUGH = 3
"""Pages, one after the other, that are no bad luck any more."""


class FailingPages:
    """The pages of a run on which the solver failed before it did anything, since it last did otherwise.

    It lives where all pages of a run are asked for and handed in (``harness.run.label_process``), so that it knows of
    those on which the solver is still at work: what began before the first failure may do better, and is waited for.
    """

    def __init__(self, options: Mapping[str, Any], clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing has failed yet.

        Args:
            options: Of the solver, for what to try.
            clock: Seconds, from any beginning.
        """
        self._options = options
        self._clock = clock
        self._under_way: dict[tuple[str, int], float] = {}
        self._kind: Literal["refused", "program"] | None = None
        self._pages: set[tuple[str, int]] = set()
        self._since = 0.0
        self._has_replied = self._has_acted = False

    def begin(self, job: PageJob) -> None:
        """A page is handed to the solver."""
        self._under_way[job.task, job.index] = self._clock()

    def end(self, job: PageJob, played: PlayedPage, told: PlayedEpisode) -> Stop | None:
        """A page was handed in.

        Args:
            job: The page.
            played: What became of it.
            told: What its episode tells of that.

        Returns:
            Why the run is to stop; None if it need not.
        """
        self._under_way.pop((job.task, job.index), None)
        if told.outcome == "harness_error":
            return None
        self._has_replied |= told.replied
        self._has_acted |= told.acted
        kind = None if told.replied else _how_it_failed(played)
        if kind is None or kind != self._kind:
            self._kind, self._since = kind, self._clock()
            self._pages.clear()
        if kind is None:
            return None
        self._pages.add((job.task, job.index))
        is_over = self._has_replied if kind == "refused" else self._has_acted
        is_awaited = any(began < self._since for began in self._under_way.values())
        if len(self._pages) < ENOUGH or is_over or is_awaited:
            return None
        return self._stop(kind, played)

    def _stop(self, kind: Literal["refused", "program"], played: PlayedPage) -> Stop:
        pages = f"on {len(self._pages)} pages, one after the other"
        if kind == "refused":
            words = f"the model's provider refused what it was asked {pages}, before any reply of use"
        else:
            words = f"the solver failed {pages}, before it had done anything"
        return Stop(kind=kind, words=f"{words}: {played.end.detail}", advice=self._advice(played), at=now("seconds"))

    def _advice(self, played: PlayedPage) -> str:
        if refused := played.end.refused:
            return f"a new run with {refused.advice(self._options)}"
        tries = ["mend what it says, and try one page by a new run with --task NAME --max-instances 1"]
        if view(BoxOptions, self._options).isolate not in (None, "none"):
            tries.append("--isolate none tells whether its box is why")
        return "; ".join(tries)


def _how_it_failed(played: PlayedPage) -> Literal["refused", "program"] | None:
    """How a solver failed that gave no reply; None if a model did reply, or the page died under it."""
    if played.end.outcome != "agent_error" or played.attempts != 1:
        return None
    if played.end.refused:
        return "refused"
    return None if any(turn.usage for turn in played.turns) else "program"

"""Why a run stops, as its record has it."""

from __future__ import annotations

from harness.analysis.endings import Endings
from harness.kit.options import view
from harness.kit.text import counted
from harness.models.call_options import ModelChoice
from harness.records.episode import now
from harness.records.fatal import FatalError, HopelessRun, Stop
from harness.records.run_record import RunRecord

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

"""Episodes on websites, evaluated again by a judge in their place: what no judge had looked at has a score then."""

from __future__ import annotations

from pathlib import Path

from harness.models.ledger import LEDGER, Ledger, Totals
from harness.records.directory import RunDirectory
from harness.scoring.evaluators.judge import MeaningJudge
from harness.scoring.scored_kind import kind_of

JUDGE_FOLDER = "judge"
"""Of the run directory: the account of the judge's calls, apart from the solver's."""


def judge_episodes(run: RunDirectory, judge: MeaningJudge) -> tuple[int, int]:
    """Evaluate again, in their place, a run's episodes that have no score for want of a judge.

    Args:
        run: The run directory, which nobody else writes.
        judge: Compares by meaning.

    Returns:
        How many episodes are known now, and of how many the judge could not tell all.

    Raises:
        harness.records.directory.NotARun: a file of it cannot be read.
        harness.records.fatal.CannotWrite: one cannot be written.
    """
    judged = unknown = 0
    for episode in run.episodes():
        kind = kind_of(episode)
        if kind.is_unknown(episode):
            again = kind.judged(episode, run.text, judge)
            run.add(again, {})
            unknown += kind.is_unknown(again)
            judged += not kind.is_unknown(again)
    return judged, unknown


def judge_spent(run: Path) -> Totals | None:
    """What a run's judge has taken so far, by its own ledger; None if nothing."""
    totals = Ledger(run / JUDGE_FOLDER / LEDGER).totals()
    return None if totals == Totals() else totals

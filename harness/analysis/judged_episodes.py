"""Episodes on websites, evaluated again by a judge in their place: what no judge had looked at has a score then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.models.ledger import LEDGER, Ledger, Totals
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, Outcome
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.judge import MeaningJudge

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
        if is_unknown(episode):
            again = _evaluated(episode, run, judge)
            run.add(again, {})
            unknown += is_unknown(again)
            judged += not is_unknown(again)
    return judged, unknown


def judge_spent(run: Path) -> Totals | None:
    """What a run's judge has taken so far, by its own ledger; None if nothing."""
    totals = Ledger(run / JUDGE_FOLDER / LEDGER).totals()
    return None if totals == Totals() else totals


def is_unknown(episode: Episode) -> bool:
    """Whether something that an episode on a website is judged by is not known."""
    site = episode.site
    return site is not None and any(each.score is None for each in site.evaluations)


def _evaluated(episode: Episode, run: RunDirectory, judge: MeaningJudge) -> Episode:
    if episode.site is None:
        return episode
    site = replace(episode.site, evaluations=evaluate(episode.site, run.text, judge))
    is_scored = site.main is not None and site.main.score is not None
    return replace(episode, site=site, outcome=_end(episode) if is_scored else episode.outcome)


def _end(episode: Episode) -> Outcome:
    """How an episode ended that was ``unscored`` for want of a score."""
    if episode.outcome != "unscored":
        return episode.outcome
    return "limit" if episode.limit else "agent_error" if episode.detail else "scored"

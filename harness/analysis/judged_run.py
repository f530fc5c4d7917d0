"""A run on websites evaluated again by a judge: a copy of it, in which what no judge had looked at has a score."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from harness.analysis.rescoring import score_run
from harness.kit.errors import UserError
from harness.models.ledger import LEDGER, Ledger, Totals
from harness.records.directory import RunDirectory
from harness.records.run_record import RunRecord, comparability_id
from harness.scoring.evaluators.text_match import MeaningJudge
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


class CannotJudge(UserError):
    """A run cannot be evaluated again, or not there; the message says why."""


@dataclass(frozen=True)
class JudgedCopy:
    """What became of it.

    Attributes:
        record: The content of the copy's ``run.json``.
        judged: Episodes whose evaluations were not known and now are.
        unknown: Episodes of which the judge could not tell all either.
    """

    record: RunRecord
    judged: int
    unknown: int


def judged_run(run: RunDirectory, out: Path, name: str, open_judge: Callable[[Path], MeaningJudge]) -> JudgedCopy:
    """Copy a run, and evaluate again what has no score for want of a judge; all else stays as it is.

    Args:
        run: The run directory; it is not changed.
        out: The folder of the copy; it may be there if it is empty.
        name: Of the judge; the copy's ``run.json`` has it as ``config.judge``, and its comparability id is that of runs
            with this judge.
        open_judge: Makes the judge; given a folder for its accounts.

    Raises:
        CannotJudge: ``out`` is not empty, or the run has nothing that a judge could tell.
        harness.records.directory.NotARun: a file of it cannot be read.
        OSError: the copy cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CannotJudge(f"{out} is not empty; give a new folder for the judged run")
    record = run.read()
    if not any(kind_of(episode).is_unknown(episode) for episode in run.episodes()):
        raise CannotJudge(f"{run.folder} has nothing to be judged: every evaluation of its episodes has a score")
    part = out.with_name(f".{secrets.token_hex(8)}.part")
    try:
        run.copy_into(part)
        copy = RunDirectory(part)
        judged, unknown = judge_episodes(copy, open_judge(part / JUDGE_FOLDER))
        spent = judge_spent(part)
        record = replace(record, config=replace(record.config, judge=name), judge_spent=spent)
        copy.write(record)
        results = score_run(copy).record.results
        ident = comparability_id(record.compared, record.config.rules)
        digest = copy.check_records().digest
        record = replace(record, results=results, comparability_id=ident, episodes_digest=digest)
        copy.write(record)
        if out.exists():
            out.rmdir()
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return JudgedCopy(record, judged, unknown)

"""A run with the scores of its episodes under one profile: what reports and comparisons start from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from harness.analysis.episode_pass import IN_PLACE, Visitor, pass_over
from harness.analysis.score_table import ScoreTable
from harness.records.directory import RunDirectory
from harness.records.results import Work
from harness.records.run_record import RunRecord
from harness.scoring.metrics import PROFILES

_OF_SOLVER = ("score", "untied", "own_left_out")
"""Columns of tables that are the solver's own; the others are its page's, its labels' and the workers'."""


def work_of(instances: pd.DataFrame) -> Work:
    """In how many episodes the solver did anything.

    Args:
        instances: As ``ScoreTable.instances`` gives them.
    """
    played = instances[instances["outcome"] != "harness_error"]
    return Work(played=len(played), replied=int(played["replied"].sum()), acted=int(played["acted"].sum()))


def asked_work(record: RunRecord, instances: pd.DataFrame) -> Work | None:
    """The same of a solver that is asked; None of any other.

    Args:
        record: The content of its ``run.json``.
        instances: As ``ScoreTable.instances`` gives them.
    """
    return work_of(instances) if record.is_asked else None


def as_scored(record: RunRecord, instances: pd.DataFrame, fields: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The tables of a run, without the scores of a solver that was asked and never gave a reply of use.

    Ceilings, floors and the workers' own scores stay.

    Args:
        record: The content of its ``run.json``.
        instances: As ``ScoreTable.instances`` gives them.
        fields: As ``ScoreTable.fields`` gives them.
    """
    work = asked_work(record, instances)
    if work is None or not work.never_replied:
        return instances, fields
    without = (
        table.assign(**dict.fromkeys(set(_OF_SOLVER) & set(table.columns), math.nan)) for table in (instances, fields)
    )
    return next(without), next(without)


def without_reply(instances: pd.DataFrame) -> pd.Series[bool]:
    """Which instances could be scored and have no score, since their solver never gave a reply of use.

    Args:
        instances: As ``as_scored`` gives them.
    """
    return instances["score"].isna() & instances["ceiling"].notna()


@dataclass(frozen=True)
class ScoredRun:
    """A run under one profile.

    Attributes:
        folder: Its run directory.
        record: The content of its ``run.json``.
        profile: The name of the profile.
        comparability_id: Of the run under this profile.
        instances: A row an episode, see ``ScoreTable.instances``. A solver that was asked and never gave a reply of use
            has no scores, see ``harness.analysis.scored_run``.
        fields: A row a scored field, see ``ScoreTable.fields``.
    """

    folder: Path
    record: RunRecord
    profile: str
    comparability_id: str
    instances: pd.DataFrame
    fields: pd.DataFrame

    @property
    def solver(self) -> str:
        """The solver's name."""
        return self.record.config.solver


def read_scored(
    folder: Path,
    profile: str | None = None,
    *,
    people: bool = False,
    visitors: Sequence[Visitor] = (),
    pool: Executor = IN_PLACE,
) -> ScoredRun:
    """Read and score a run, in one pass that keeps no episode.

    Args:
        folder: The run directory; it is not changed.
        profile: The name of a profile; None for the run's own.
        people: Also score the workers, and the solver on the same labels.
        visitors: Each is shown every episode with its scores, by task folder and index.
        pool: What reads and scores the episodes, see ``harness.analysis.episode_pass``.

    Raises:
        harness.records.directory.NotARun: it cannot be read.
    """
    run = RunDirectory(folder)
    record = run.read()
    name = profile or record.config.metrics
    table = ScoreTable(PROFILES[name] if people else None)
    pass_over(run, PROFILES[name], [table, *visitors], pool)
    instances, fields = as_scored(record, table.instances(), table.fields())
    return ScoredRun(folder, record, name, record.comparability_under(name), instances, fields)

"""What a solver did at all in a run, and the scores of one that never gave a reply of use: it has none."""

from __future__ import annotations

import math

import pandas as pd

from harness.records.results import Work
from harness.records.run_record import RunRecord

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

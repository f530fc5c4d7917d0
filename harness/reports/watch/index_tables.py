"""A run out of its index, as ``harness.analysis`` takes it: the same tables that reading all its episodes makes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from harness.analysis.scored_run import ScoredRun, as_scored
from harness.records.directory import RunDirectory
from harness.reports.watch.episode_rows import FIELD_NUMBERS, NUMBERS
from harness.reports.watch.run_index import RunIndex
from harness.scoring.scored_kind import GROUPS

_WHOLE = ("labels", "steps", "failed", "input_tokens", "output_tokens", "turns")
_ORDER = "ORDER BY episode.task, episode.place"


def indexed_run(folder: Path) -> tuple[ScoredRun, int]:
    """A run under its own profile, with the scores of people beside its own, as far as its index knows it.

    Args:
        folder: The run directory.

    Returns:
        The run, and the number in the index of the last episode in it.

    Raises:
        NotARun: its ``run.json`` cannot be read.
        harness.reports.watch.run_index.IndexGone: as ``RunIndex.open``.
    """
    record = RunDirectory(folder).read()
    with RunIndex(folder, record).open() as database:
        database.execute("BEGIN")  # one state of it for both tables, while others take episodes in
        names = ("number", "task", "split", "outcome", *GROUPS, "place", "id", *NUMBERS)
        instances = _frame(database.execute(f"SELECT {', '.join(names)} FROM episode {_ORDER}").fetchall(), names)  # noqa: S608
        names_of_fields = ("episode", "name", "kind", *FIELD_NUMBERS, "tied", "visible", "labels")
        columns = ", ".join(f"field.{name}" for name in names_of_fields)
        found = database.execute(
            f"SELECT {columns} FROM field JOIN episode ON episode.number = field.episode {_ORDER}, field.position"  # noqa: S608
        )
        fields = _frame(found.fetchall(), names_of_fields)
    last = int(instances["number"].max()) if len(instances) else 0
    places = pd.Series(np.arange(len(instances), dtype=np.int64), index=instances["number"])
    fields.insert(0, "instance", places.loc[fields["episode"]].to_numpy(dtype=np.int64))
    profile = record.config.metrics
    tables = as_scored(record, _instances(instances), _fields(fields))
    return ScoredRun(folder, record, profile, record.comparability_under(profile), *tables), last


def _instances(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.rename(columns={"place": "index"}).drop(columns=["number"])
    for name in ("task", "split", "outcome", *GROUPS):
        frame[name] = _categories(frame[name])
    for name in NUMBERS:
        column = frame[name].astype(np.float64)
        frame[name] = column.astype(np.int64) if name in _WHOLE and not column.isna().any() else column
    frame["index"] = frame["index"].astype(np.int64)
    return frame[["task", "split", "outcome", *GROUPS, "index", "id", *NUMBERS]]


def _fields(frame: pd.DataFrame) -> pd.DataFrame:
    for name in ("name", "kind"):
        frame[name] = _categories(frame[name])
    for name in FIELD_NUMBERS:
        frame[name] = frame[name].astype(np.float64)
    for name in ("tied", "visible"):
        frame[name] = frame[name].astype(bool)
    frame["labels"] = frame["labels"].astype(np.int64)
    return frame.drop(columns=["episode"])


def _frame(rows: list[tuple[object, ...]], names: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(names))


def _categories(column: pd.Series) -> pd.Categorical:
    return pd.Categorical(column, categories=pd.Index(sorted(set(column)), dtype=object))

"""Which instances and scored fields several tables of scores share, row by row, and what they do not share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.scored_run import without_reply

Rows = NDArray[np.int64]


class ScoreTables(Protocol):
    """Two tables as ``harness.analysis.score_table.ScoreTable`` makes them."""

    @property
    def instances(self) -> pd.DataFrame:
        """A row an episode."""

    @property
    def fields(self) -> pd.DataFrame:
        """A row a scored field."""


@dataclass(frozen=True)
class SharedItems:
    """The instances and fields that several tables share.

    Attributes:
        instances: For each table the rows of its instances: the same instances in the same order, that of the first.
        fields: For each table the rows of its fields, in the same way.
        places: For each field the place of its instance in ``instances``; it never falls.
        dropped: Why -> how many instances are not shared. Each counts once, with the first reason that applies.
    """

    instances: tuple[Rows, ...]
    fields: tuple[Rows, ...]
    places: Rows
    dropped: Mapping[str, int]


def share(tables: Sequence[ScoreTables], names: Sequence[str], measure: str = "score") -> SharedItems:
    """Find what tables share.

    An instance is known by its task and its id, a hash of its inputs, and a field by its name. An instance is shared if
    every table has a number for it, as a mean over the same fields.

    Args:
        tables: At least one.
        names: What to call each of them in the reasons.
        measure: The column that is to hold the numbers, of instances and of fields.
    """
    keys = [_keys(table.instances) for table in tables]
    everything = keys[0]
    for each in keys[1:]:
        everything = everything.append(each.difference(everything, sort=False))
    rows = [each.get_indexer(everything).astype(np.int64) for each in keys]
    why = _Reasons(len(everything))
    for found, name in zip(rows, names, strict=True):
        why.add(found < 0, f"not in {name}")
    for found, table, name in zip(rows, tables, names, strict=True):
        why.add(_at(table.instances["outcome"] == "harness_error", found), f"harness error in {name}")
    for found, table, name in zip(rows, tables, names, strict=True):
        why.add(_at(without_reply(table.instances), found), f"no score of {name}, which never gave a reply of use")
    for found, table in zip(rows, tables, strict=True):
        why.add(_at(table.instances[measure].isna(), found), "nothing to score")
    fields = _Fields(tables, measure, [_inverse(found, why.none) for found in rows])
    why.add(np.isin(np.arange(len(everything)), fields.differing()), "other fields scored")
    kept = why.none
    rows_of_fields, places = fields.kept(kept)
    place = np.cumsum(kept) - 1
    return SharedItems(tuple(found[kept] for found in rows), rows_of_fields, place[places], why.counts())


class _Reasons:
    """Why each of a number of things is left out."""

    def __init__(self, size: int) -> None:
        self._reasons = np.full(size, "", dtype=object)

    @property
    def none(self) -> NDArray[np.bool_]:
        """Which of them nothing speaks against so far."""
        return np.asarray(self._reasons == "", dtype=bool)

    def add(self, where: NDArray[np.bool_], reason: str) -> None:
        """Leave some out, unless there is a reason already."""
        self._reasons[where & self.none] = reason

    def counts(self) -> dict[str, int]:
        """Reason -> how many."""
        return dict(Counter(str(reason) for reason in self._reasons[~self.none]))


class _Fields:
    """The fields of each table that have a number, with one key for the same field in all tables.

    A key is the place of the instance times the number of names, plus the code of the field's name.
    """

    def __init__(self, tables: Sequence[ScoreTables], measure: str, places: Sequence[Rows]) -> None:
        """Places: for each table and row of its instances the common place, or -1."""
        columns = [table.fields["name"].cat for table in tables]
        names = pd.Index(np.unique(np.concatenate([column.categories.to_numpy(dtype=object) for column in columns])))
        self._names = max(1, len(names))
        self._rows: list[Rows] = []
        self._keys: list[Rows] = []
        for table, column, place in zip(tables, columns, places, strict=True):
            code = names.get_indexer(column.categories)[column.codes.to_numpy()]
            at = place[table.fields["instance"].to_numpy()]
            rows = np.flatnonzero((at >= 0) & table.fields[measure].notna().to_numpy())
            keys = at[rows] * self._names + code[rows]
            order = np.argsort(keys, kind="stable")
            self._rows.append(rows[order])
            self._keys.append(keys[order])

    def differing(self) -> Rows:
        """The places of instances that some tables scored other fields of."""
        alone = [np.setxor1d(self._keys[0], keys) for keys in self._keys[1:]]
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *alone]) // self._names)

    def kept(self, instances: NDArray[np.bool_]) -> tuple[tuple[Rows, ...], Rows]:
        """The rows of each table's fields and the places of their instances, as they follow in the first table."""
        places = [keys // self._names for keys in self._keys]
        rows = [each[instances[place]] for each, place in zip(self._rows, places, strict=True)]
        order = np.argsort(rows[0], kind="stable")
        return tuple(each[order] for each in rows), places[0][instances[places[0]]][order]


def _keys(instances: pd.DataFrame) -> pd.Index[str]:
    """One text for each instance; a task's name is that of a folder, and so without a slash."""
    return pd.Index(instances["task"].astype(object) + "/" + instances["id"].astype(object), dtype=object)


def _at(column: pd.Series[bool], rows: Rows) -> NDArray[np.bool_]:
    """A column at some rows; False where there is none."""
    return np.append(column.to_numpy(), False)[rows]


def _inverse(rows: Rows, where: NDArray[np.bool_]) -> Rows:
    """For each row the place that holds it, of those that count; else -1."""
    places = np.full(rows.max(initial=-1) + 1, -1, dtype=np.int64)
    chosen = np.flatnonzero(where & (rows >= 0))
    places[rows[chosen]] = chosen
    return places

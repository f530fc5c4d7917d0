"""Several results in one table, on the instances that all of them share, with the best of each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.comparison import SCORE, NothingShared
from harness.analysis.seeds import Result
from harness.analysis.shared_instances import share
from harness.analysis.site_groups import in_order
from harness.kit.statistics.clustered import (
    DIFFERENCES,
    mean_of_clusters_many,
    mean_of_items_many,
    mean_of_one_many,
)
from harness.kit.statistics.estimate import Estimate

Scores = NDArray[np.float64]
Intervals = Callable[[Scores], Sequence[Estimate]]
"""Gives the intervals of differences: a column each."""


@dataclass(frozen=True)
class ManyMeans:
    """One mean of several results.

    Attributes:
        over: Over what: ``all tasks``, ``fields``, ``website``, ``level``, ``split`` or ``task``.
        name: Which of these; empty for all tasks.
        items: Instances or fields in it.
        means: Of each result.
        best: Whether each is the best, or cannot be told from the best: the interval of the difference holds 0. Where
            none can be told from the best, and where there is no interval, none is.
    """

    over: str
    name: str
    items: int
    means: tuple[float, ...]
    best: tuple[bool, ...]


@dataclass(frozen=True)
class ManyRuns:
    """Several results on the instances that all of them share.

    Attributes:
        instances: How many these are.
        rows: All tasks; kinds of field, websites, levels and splits; then tasks, those first whose means differ most.
        dropped: Why -> how many instances are left out.
    """

    instances: int
    rows: tuple[ManyMeans, ...]
    dropped: Mapping[str, int]


def side_by_side(results: Sequence[Result], measure: str = SCORE) -> ManyRuns:
    """Put results into one table.

    Args:
        results: At least two.
        measure: As of ``harness.analysis.comparison.compare``.

    Raises:
        NothingShared: there is no scored instance that all have.
    """
    shared = share(results, [each.name for each in results], measure)
    if not len(shared.instances[0]):
        raise NothingShared("there is no scored instance that all of these runs have")
    first = results[0].instances.iloc[shared.instances[0]]
    scores = _columns([each.instances for each in results], shared.instances, measure)
    fields = _columns([each.fields for each in results], shared.fields, measure)
    kinds = results[0].fields.iloc[shared.fields[0]]["kind"].astype(object).to_numpy()
    rows = list(_rows(first, scores, kinds, fields, shared.places))
    tasks = [row for row in rows if row.over == "task"]
    tasks.sort(key=lambda row: min(row.means) - max(row.means))
    return ManyRuns(
        instances=len(scores),
        rows=(*(row for row in rows if row.over != "task"), *tasks),
        dropped=dict(shared.dropped),
    )


def _columns(tables: Sequence[pd.DataFrame], rows: Sequence[NDArray[np.int64]], measure: str) -> Scores:
    return np.column_stack([table[measure].to_numpy()[chosen] for table, chosen in zip(tables, rows, strict=True)])


def _rows(
    instances: pd.DataFrame, scores: Scores, kinds: NDArray[np.object_], fields: Scores, places: NDArray[np.int64]
) -> Iterator[ManyMeans]:
    names = {word: instances[word].astype(object).to_numpy() for word in ("task", "split", "site", "level")}
    codes = pd.factorize(names["task"])[0].astype(np.int64)

    def over_tasks(over: str, name: str, where: NDArray[np.bool_]) -> ManyMeans:
        own, clusters = scores[where], codes[where]
        means = pd.DataFrame(own).groupby(clusters).mean().mean().to_numpy()
        return _row(over, name, own, means, lambda them: mean_of_clusters_many(them, clusters, bounds=DIFFERENCES))

    def over_fields(kind: str) -> ManyMeans:
        own, at = fields[kinds == kind], places[kinds == kind]
        of_instance, counts = np.unique(at, return_inverse=True)[1], np.unique(at, return_counts=True)[1]
        clusters = codes[np.unique(at)]

        def intervals(them: Scores) -> Sequence[Estimate]:
            sums = np.column_stack([np.bincount(of_instance, column) for column in them.T])
            return mean_of_items_many(sums, counts, clusters, bounds=DIFFERENCES)

        return _row("fields", kind, own, own.mean(axis=0), intervals)

    yield over_tasks("all tasks", "", np.ones(len(scores), dtype=bool))
    for kind in sorted(set(kinds)):
        yield over_fields(kind)
    for over, word in (("website", "site"), ("level", "level"), ("split", "split")):
        for name in in_order(each for each in names[word] if each):
            yield over_tasks(over, name, names[word] == name)
    for code, name in enumerate(pd.unique(names["task"])):
        own = scores[codes == code]
        yield _row("task", name, own, own.mean(axis=0), lambda them: mean_of_one_many(them, bounds=DIFFERENCES))


def _row(over: str, name: str, scores: Scores, means: Scores, intervals: Intervals) -> ManyMeans:
    best = int(means.argmax())
    behind = intervals(scores[:, [best]] - scores)
    # Of what has no interval nothing is known; that of the best with itself is no question.
    apart = [place != best and (each.low is None or each.low > 0) for place, each in enumerate(behind)]
    known = all(each.low is not None for place, each in enumerate(behind) if place != best)
    marks = [known and any(apart) and not each for each in apart]
    return ManyMeans(over, name, len(scores), tuple(map(float, means)), tuple(marks))

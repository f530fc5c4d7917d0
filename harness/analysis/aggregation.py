"""From the scores of instances and fields to those of tasks, splits, kinds of field, and of everything.

An instance is the mean of its scored fields, a task the mean of its scored instances, and the headline the mean of its
tasks (docs/reference/metrics.md). ``groups_of`` parts the rows of a table once; all that is said of a part is a
function of its ``Rows``: means, sizes and people here, estimates with intervals in ``harness.analysis.estimation``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

import numpy as np
import pandas as pd

from harness.analysis.score_table import FIELD_MEASURES, MEASURES
from harness.analysis.scored_run import without_reply
from harness.records.results import MeanScores

Part = TypeVar("Part")
Other = TypeVar("Other")
Over: TypeAlias = Literal["tasks", "one task", "instances", "fields"]
"""What weighs alike in a mean: every task, and in it every instance; or every instance, or every field."""
PartName: TypeAlias = Literal["splits", "tasks", "kinds"]
_LEAST_ROOM = 1e-9


@dataclass(frozen=True)
class Rows:
    """Rows of a table, and how they are averaged.

    Attributes:
        rows: A row an instance or a row a field, as in ``harness.analysis.score_table.ScoreTable``; further
            ``task_code``, the number of its task, and of an instance ``instance``, its own, and ``scored_fields``.
        averaged: A row for each thing that weighs alike: the means of tasks (see ``task_means``), or ``rows``.
        over: What these things are; ``one task`` for the instances of a single one.
    """

    rows: pd.DataFrame
    averaged: pd.DataFrame
    over: Over

    @property
    def split(self) -> str:
        """The split of the first task."""
        return str(self.rows["split"].iloc[0])


@dataclass(frozen=True)
class Groups(Generic[Part]):
    """One and the same thing of everything, and of each part of it.

    Attributes:
        overall: Of all tasks, each of which weighs alike: the headline.
        instances: Of all instances, each of which weighs alike.
        fields: Of all scored fields, each of which weighs alike.
        splits: Split -> of its tasks.
        tasks: Task -> of its instances, sorted by name.
        kinds: Kind of field -> of its fields.
    """

    overall: Part
    instances: Part
    fields: Part
    splits: Mapping[str, Part]
    tasks: Mapping[str, Part]
    kinds: Mapping[str, Part]

    def parts(self, which: PartName) -> Mapping[str, Part]:
        """One of ``splits``, ``tasks`` and ``kinds``, by its name."""
        return {"splits": self.splits, "tasks": self.tasks, "kinds": self.kinds}[which]

    def each(self, make: Callable[[Part], Other]) -> Groups[Other]:
        """What a function makes of each part; of a split that is everything it is not made again."""
        overall = make(self.overall)
        return Groups(
            overall=overall,
            instances=make(self.instances),
            fields=make(self.fields),
            splits={name: overall if part is self.overall else make(part) for name, part in self.splits.items()},
            tasks={name: make(part) for name, part in self.tasks.items()},
            kinds={name: make(part) for name, part in self.kinds.items()},
        )


def groups_of(instances: pd.DataFrame, fields: pd.DataFrame) -> Groups[Rows]:
    """The parts of a table of scores.

    Args:
        instances: As ``ScoreTable.instances`` gives them.
        fields: As ``ScoreTable.fields`` gives them.
    """
    instances, fields = _numbered(instances, fields)
    means = task_means(instances)
    overall = Rows(instances, means, "tasks")
    by_split = instances.groupby("split", observed=True)
    splits = {
        str(split): Rows(by_split.get_group(split), tasks, "tasks")
        for split, tasks in means.groupby("split", observed=True)
    }
    return Groups(
        overall=overall,
        instances=Rows(instances, instances, "instances"),
        fields=Rows(fields, fields, "fields"),
        splits=splits if len(splits) > 1 else dict.fromkeys(splits, overall),
        tasks={
            str(task): Rows(rows, means.loc[[task]], "one task")
            for task, rows in instances.groupby("task", sort=True, observed=True)
        },
        kinds={str(kind): Rows(rows, rows, "fields") for kind, rows in fields.groupby("kind", observed=True)},
    )


def _numbered(instances: pd.DataFrame, fields: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both with the numbers of instances and tasks, and instances with how many of their fields are scored."""
    codes = instances["task"].cat.codes.to_numpy(dtype=np.int64)
    places = fields["instance"].to_numpy(dtype=np.int64)
    scored = np.bincount(places, minlength=len(codes))
    numbered = instances.drop(columns=["id", "index"]).assign(
        instance=np.arange(len(codes)), task_code=codes, scored_fields=scored
    )
    return numbered, fields.assign(task_code=codes[places])


def task_means(instances: pd.DataFrame, measures: Sequence[str] = MEASURES) -> pd.DataFrame:
    """The mean of each task's instances: a row a task, sorted, with the measures and the task's ``split``.

    Args:
        instances: A row an instance.
        measures: The columns to average; a mean leaves out what is NaN.
    """
    groups = instances.groupby("task", sort=True, observed=True)
    means = groups[list(measures)].mean()
    means["split"] = groups["split"].first()
    return means


def means_of(rows: Rows) -> MeanScores:
    """The means of a group."""
    columns = FIELD_MEASURES if rows.over == "fields" else MEASURES
    means = {str(name): number(mean) for name, mean in rows.averaged[list(columns)].mean().items()}
    if rows.over == "fields":
        means["untied"] = number(rows.averaged.loc[~rows.averaged["tied"].astype(bool), "score"].mean())
    score, ceiling = means["score"], means["ceiling"]
    return MeanScores(
        **means,
        of_ceiling=score / ceiling if score is not None and ceiling else None,
        skill_over_do_nothing=_skill(score, ceiling, means["do_nothing"]),
        skill_over_constant=_skill(score, ceiling, means["constant"]),
    )


def _skill(score: float | None, ceiling: float | None, floor: float | None) -> float | None:
    """The share of the way from a floor to the ceiling that a score reaches; None where the floor is as high."""
    if score is None or ceiling is None or floor is None or ceiling - floor < _LEAST_ROOM:
        return None
    return (score - floor) / (ceiling - floor)


def number(value: object) -> float | None:
    """A number of pandas as one of Python; None for NaN."""
    return None if pd.isna(value) else float(value)  # type: ignore[arg-type, call-overload]


@dataclass(frozen=True)
class Sizes:
    """How much a group holds: ``tasks``, ``instances`` and ``fields`` with a score, and all its ``episodes``."""

    tasks: int
    instances: int
    fields: int
    episodes: int


def sizes_of(rows: Rows) -> Sizes:
    """The sizes of a group."""
    found = rows.rows
    scored = found["score"].notna().to_numpy()
    instances = found["instance"].to_numpy()
    counted = scored.sum() if rows.over == "fields" else found["scored_fields"].to_numpy()[scored].sum()
    return Sizes(
        tasks=len(np.unique(found["task_code"].to_numpy()[scored])),
        instances=len(np.unique(instances[scored])),
        fields=int(counted),
        episodes=len(np.unique(instances)),
    )


@dataclass(frozen=True)
class BesidePeople:
    """The solver and the workers, on the rows of a group whose workers can be scored.

    Attributes:
        tasks: Tasks with such rows.
        rows: Such instances, or fields.
        score: The solver's score; None without such rows, as all that follows.
        own_left_out: The solver's with each worker left out in turn.
        crowd: The workers' own, on the same labels.
    """

    tasks: int
    rows: int
    score: float | None
    own_left_out: float | None
    crowd: float | None

    @property
    def gap(self) -> float | None:
        """How far the solver is ahead of the workers on the same labels."""
        return None if self.own_left_out is None or self.crowd is None else self.own_left_out - self.crowd


def beside_people(rows: Rows) -> BesidePeople:
    """The means of a group over the rows whose workers can be scored; see ``ScoreTable`` for when they are."""
    measures = ("score", "own_left_out", "crowd")
    both = rows.rows[rows.rows["crowd"].notna()]
    averaged = task_means(both, measures) if rows.over == "tasks" else both
    score, own, crowd = (number(averaged[name].mean()) for name in measures)
    return BesidePeople(both["task_code"].nunique(), len(both), score, own, crowd)


def headline(instances: pd.DataFrame, measure: str = "score") -> float | None:
    """The mean over tasks of the means of their instances; None without any.

    Args:
        instances: As in ``ScoreTable``.
        measure: A column of it.
    """
    return number(instances.groupby("task", observed=True)[measure].mean().mean())


def bounds(instances: pd.DataFrame) -> tuple[float, float] | None:
    """The least and the most that the headline can be, whatever the instances without a score had scored.

    Args:
        instances: As in ``ScoreTable``.

    Returns:
        Both; None if no instance lacks a score because of a harness error, or if its solver has none at all.
    """
    missing = instances["outcome"] == "harness_error"
    if not missing.any() or without_reply(instances).any():
        return None
    filled = (instances["score"].where(~missing, value) for value in (0.0, 1.0))
    low, high = (float(scores.groupby(instances["task"], observed=True).mean().mean()) for scores in filled)
    return low, high

"""Instances whose labels are noisy. Which workers are careless cannot be told, since their ids are gone.

An instance is noisy if its workers disagree more than workers usually do on the same fields of its task. Noisy does not
mean wrong: the instance may be hard, its page broken, or one of its few workers careless.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.people.ballots import Ballots, FieldVotes, Question
from harness.analysis.people.label_agreement import disagreements, level_of, means
from harness.records.episode import Episode
from harness.scoring.leave_one_out import answered_rows

MIN_INSTANCES = 5
"""Instances that a task needs for what is usual in it to mean anything."""


@dataclass(frozen=True)
class NoisyField:
    """A field of a noisy instance.

    Attributes:
        name: Its name.
        disagreement: The mean distance of two of its workers' answers, from 0 to 1; of boxes the mean over them.
        usual: The same for the field, as a mean over the instances of the task.
    """

    name: str
    disagreement: float
    usual: float


@dataclass(frozen=True)
class NoisyInstance:
    """An instance whose workers disagree more than is usual in its task.

    Attributes:
        task: The task's name.
        index: The instance's place in its file.
        disagreement: The mean over its fields.
        usual: The mean over the same fields of what is usual.
        deviations: How much more it is than usual, in standard deviations of that difference over the task's instances.
        fields: Its fields, those with the greatest difference first.
    """

    task: str
    index: int
    disagreement: float
    usual: float
    deviations: float
    fields: tuple[NoisyField, ...]

    def labelled(self, episode: Episode) -> LabelledInstance:
        """With the instance's id and labels, out of its episode."""
        records = {record.name: record for record in episode.fields}
        rows = answered_rows(episode.fields)
        return LabelledInstance(
            task=self.task,
            index=self.index,
            id=episode.id,
            workers=len(rows),
            disagreement=self.disagreement,
            usual=self.usual,
            deviations=self.deviations,
            fields=tuple(
                LabelledField(
                    name=each.name,
                    kind=records[each.name].kind,
                    disagreement=each.disagreement,
                    usual=each.usual,
                    labels=tuple(cell for row, cell in enumerate(records[each.name].labels) if row in rows),
                )
                for each in self.fields
            ),
        )


@dataclass(frozen=True)
class LabelledField:
    """A field of a noisy instance, with what its workers said.

    Attributes:
        name: Its name.
        kind: Its kind.
        disagreement: As in ``NoisyField``.
        usual: As there.
        labels: The labels of those who answered anything on the page.
    """

    name: str
    kind: str
    disagreement: float
    usual: float
    labels: tuple[str, ...]


@dataclass(frozen=True)
class LabelledInstance:
    """A noisy instance, with what its workers said.

    Attributes:
        task: The task's name.
        index: The instance's place in its file.
        id: Its id.
        workers: How many answered anything.
        disagreement: As in ``NoisyInstance``.
        usual: As there.
        deviations: As there.
        fields: Its fields, those with the greatest difference first.
    """

    task: str
    index: int
    id: str
    workers: int
    disagreement: float
    usual: float
    deviations: float
    fields: tuple[LabelledField, ...]


def noisy_instances(ballots: Ballots, most: int) -> list[NoisyInstance]:
    """The noisiest instances of a run.

    Args:
        ballots: The labels of its scored fields.
        most: How many to list.

    Returns:
        Those that deviate most, the worst first; of equals those with more fields. Tasks with fewer than
        ``MIN_INSTANCES`` instances that two workers answered, or without any difference between them, have none.
    """
    found: list[NoisyInstance] = []
    if not most:
        return found
    for task, columns in ballots.of_task().items():
        fields = _field_disagreements(columns.items())
        found += _of_task(task, fields, most)
    return sorted(found, key=_worst_first)[:most]


def _worst_first(noisy: NoisyInstance) -> tuple[float, int, str, int]:
    return -noisy.deviations, -len(noisy.fields), noisy.task, noisy.index


def _field_disagreements(columns: Iterable[tuple[Question, FieldVotes]]) -> pd.DataFrame:
    """A row for each field of each instance: ``index``, ``name``, ``disagreement`` and ``usual``."""
    parts: dict[str, list[NDArray[Any]]] = {"index": [], "name": [], "disagreement": [], "usual": []}
    for question, column in columns:
        tallies = column.tallies()
        if not len(tallies.sizes):
            continue
        indices, by_instance = means(tallies, disagreements(tallies, level_of(column)))
        values = (indices, np.full(len(indices), question.name, dtype=object), by_instance)
        for name, each in zip(parts, (*values, np.full(len(indices), by_instance.mean())), strict=True):
            parts[name].append(each)
    return pd.DataFrame({name: np.concatenate(each) if each else [] for name, each in parts.items()})


def _of_task(task: str, fields: pd.DataFrame, most: int) -> Sequence[NoisyInstance]:
    means = fields.groupby("index")[["disagreement", "usual"]].mean()
    excess = means["disagreement"] - means["usual"]
    spread = float(np.std(excess)) if len(excess) >= MIN_INSTANCES else 0.0
    if spread < 1e-9:
        return []
    worst = excess[excess > 0].sort_values(ascending=False, kind="stable")
    if not len(worst):
        return []
    # Equals are told apart later: all that could be among the first.
    last = worst.iloc[min(most, len(worst)) - 1]
    chosen = worst[worst >= last].index
    rows = fields[fields["index"].isin(chosen)]
    rows = rows.assign(excess=rows["disagreement"] - rows["usual"])
    rows = rows.sort_values(["index", "excess", "name"], ascending=[True, False, True], kind="stable")
    return [
        NoisyInstance(
            task=task,
            index=int(str(index)),
            disagreement=float(group["disagreement"].mean()),
            usual=float(group["usual"].mean()),
            deviations=float(group["excess"].mean()) / spread,
            fields=tuple(
                NoisyField(str(row["name"]), float(row["disagreement"]), float(row["usual"]))
                for row in group.to_dict("records")
            ),
        )
        for index, group in rows.groupby("index")
    ]

"""From instance scores to the numbers of a run: per task, per kind, overall, with ceilings, floors and counts.

An instance is the mean of its scored fields, a task the mean of its scored instances, and the headline the mean of
its tasks (docs/metrics.md).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from harness.answers import SCORED, UNLABELLED
from harness.episode import OUTCOMES, FieldRecord
from harness.labels import is_blank
from harness.scoring import InstanceScore

MEASURES = ("score", "ceiling", "do_nothing", "constant", "untied")
_FIELD_MEASURES = ("score", "ceiling", "do_nothing", "constant")
Numbers = dict[str, Any]


def summarise(scores: Iterable[InstanceScore]) -> Numbers:
    """All numbers of a run, as a JSON object.

    Args:
        scores: One per episode, under one profile, in any order. They are looked at once, and none is kept, so that a
            run of any length takes little memory.

    Returns:
        ``overall``, ``splits``, ``tasks`` and ``kinds`` with score, ceiling, floors and skill; ``outcomes`` and
        ``rates``; ``unscored_fields`` by reason. A number that nothing could be measured for is null.
    """
    tally = _Tally()
    for score in scores:
        tally.add(score)
    instances, fields = tally.instances(), tally.fields()
    tasks = _task_means(instances)
    overall = _with_skill(_row(tasks[list(MEASURES)].mean()))
    overall["instances"] = int(instances["score"].notna().sum())
    overall["tasks"] = int(tasks["score"].notna().sum())
    overall["mean_over_instances"] = _number(instances["score"].mean())
    overall["mean_over_fields"] = _number(fields["score"].mean())
    overall["bounds"] = _bounds(instances)
    return {
        "overall": overall,
        "splits": {
            str(split): _with_skill(_row(group[list(MEASURES)].mean())) for split, group in tasks.groupby("split")
        },
        "tasks": {str(name): _task_numbers(row) for name, row in tasks.iterrows()},
        "kinds": {str(kind): _kind_numbers(group) for kind, group in fields.groupby("kind")},
        "outcomes": {outcome: tally.outcomes[outcome] for outcome in OUTCOMES},
        "rates": tally.rates(),
        "unscored_fields": dict(sorted(tally.unscored.items())),
    }


class _Tally:
    """What a summary needs of each episode, packed: a million fields take 40 MB.

    Attributes:
        outcomes: Outcome -> episodes.
        unscored: Reason -> fields that are not scored.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.unscored: Counter[str] = Counter()
        self._instances: list[tuple[str, int, str, str, *tuple[float | None, ...]]] = []
        self._kinds: dict[str, int] = {}
        self._kind, self._tied, self._instance = array("b"), array("b"), array("l")
        self._numbers = {name: array("d") for name in _FIELD_MEASURES}
        self._submissions = self._accepted = self._blank = self._filled = 0

    def add(self, score: InstanceScore) -> None:
        """Take an episode into account."""
        episode = score.episode
        self.outcomes[episode.outcome] += 1
        for field in score.fields:
            self._kind.append(self._kinds.setdefault(field.record.kind, len(self._kinds)))
            self._tied.append(field.score.tied)
            self._instance.append(len(self._instances))
            numbers = (field.score.score, field.score.ceiling, field.do_nothing.score, field.constant.score)
            for column, number in zip(self._numbers.values(), numbers, strict=True):
                column.append(number)
        measures = (getattr(score, measure) for measure in MEASURES)
        self._instances.append((episode.task, episode.index, episode.split, episode.outcome, *measures))
        for record in episode.fields:
            if record.status != SCORED:
                self.unscored[record.status] += 1
            if record.status == UNLABELLED:
                self._blank += 1
                self._filled += _filled(record)
        if episode.submission:
            self._submissions += 1
            self._accepted += episode.submission.accepted

    # Sums of fractions depend on their order, and workers finish in any: both tables are in the order of tasks.

    def _order(self) -> list[int]:
        return sorted(range(len(self._instances)), key=lambda place: self._instances[place][:2])

    def instances(self) -> pd.DataFrame:
        """A row for each episode."""
        rows = [self._instances[place] for place in self._order()]
        frame = pd.DataFrame(rows, columns=["task", "index", "split", "outcome", *MEASURES])
        return frame.astype(dict.fromkeys(MEASURES, "float64"))

    def fields(self) -> pd.DataFrame:
        """A row for each scored field."""
        rank = np.empty(len(self._instances), dtype=np.int64)
        rank[self._order()] = np.arange(len(self._instances))
        names = np.array(list(self._kinds), dtype=object)
        columns = {"kind": names[np.asarray(self._kind, dtype=np.int64)]}
        columns |= {name: np.asarray(column) for name, column in self._numbers.items()}
        columns["tied"] = np.asarray(self._tied, dtype=bool)
        order = np.argsort(rank[np.asarray(self._instance, dtype=np.int64)], kind="stable")
        return pd.DataFrame(columns).iloc[order]

    def rates(self) -> Mapping[str, float | None]:
        """Shares of submissions and of fields."""
        return {
            "accepted_submissions": self._accepted / self._submissions if self._submissions else None,
            "filled_where_every_worker_left_blank": self._filled / self._blank if self._blank else None,
        }


def _task_means(instances: pd.DataFrame) -> pd.DataFrame:
    groups = instances.groupby("task", sort=True)
    means = groups[list(MEASURES)].mean()
    means["split"] = groups["split"].first()
    means["instances"] = groups["score"].count()
    means["episodes"] = groups.size()
    return means


def _task_numbers(row: pd.Series[Any]) -> Numbers:
    counts = {"split": row["split"], "instances": int(row["instances"]), "episodes": int(row["episodes"])}
    return {**counts, **_with_skill(_row(row[list(MEASURES)]))}


def _kind_numbers(group: pd.DataFrame) -> Numbers:
    untied = _number(group.loc[~group["tied"].astype(bool), "score"].mean())
    return {"fields": len(group), **_with_skill(_row(group[list(_FIELD_MEASURES)].mean())), "untied": untied}


def _row(means: pd.Series[Any]) -> Numbers:
    return {str(name): _number(value) for name, value in means.items()}


def _number(value: object) -> float | None:
    return None if pd.isna(value) else float(value)  # type: ignore[arg-type, call-overload]


def _with_skill(numbers: Numbers) -> Numbers:
    """Add the share of the ceiling, and of the way from each floor to the ceiling, that the score reaches."""
    score, ceiling = numbers["score"], numbers["ceiling"]
    numbers["of_ceiling"] = score / ceiling if score is not None and ceiling else None
    for floor in ("do_nothing", "constant"):
        numbers[f"skill_over_{floor}"] = _skill(score, ceiling, numbers[floor])
    return numbers


def _skill(score: float | None, ceiling: float | None, floor: float | None) -> float | None:
    if score is None or ceiling is None or floor is None or ceiling - floor < 1e-9:
        return None
    return (score - floor) / (ceiling - floor)


def _bounds(instances: pd.DataFrame) -> list[float] | None:
    """The least and the most that the headline can be, whatever the instances without a score had scored."""
    missing = instances["outcome"] == "harness_error"
    if not missing.any():
        return None
    bounds = []
    for value in (0.0, 1.0):
        filled = instances["score"].where(~missing, value)
        bounds.append(float(filled.groupby(instances["task"]).mean().mean()))
    return bounds


def _filled(field: FieldRecord) -> bool:
    return field.sent != field.untouched and not all(map(is_blank, field.sent))

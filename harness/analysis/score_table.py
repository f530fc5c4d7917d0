"""The scores of a run as two tables, built episode by episode: a row an instance, and a row a scored field."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.records.episode import Episode
from harness.scoring.leave_one_out import mean_score, workers_of
from harness.scoring.metrics import FieldScore, Profile
from harness.scoring.scored_kind import GROUPS, has_acted, has_replied, kind_of
from harness.scoring.scores import InstanceScore

FIELD_MEASURES = ("score", "ceiling", "do_nothing", "constant", "copy")
MEASURES = (*FIELD_MEASURES, "untied")
PEOPLE = ("own_left_out", "crowd")
"""The solver and the workers on the same sets of labels: with each worker left out in turn."""
WORK = ("replied", "acted")
"""Whether the solver gave a reply of use, and whether anything was done: 1 or 0."""
_EFFORT = ("labels", "accepted", "steps", "failed", "seconds", "cost", "input_tokens", "output_tokens", "turns")
_NUMBERS = (*MEASURES, *PEOPLE, *WORK, *_EFFORT)
_WHOLE = ("labels", "steps", "failed", "input_tokens", "output_tokens", "turns")


class _Names:
    """Texts of which few differ, as numbers."""

    def __init__(self) -> None:
        self._code: dict[str, int] = {}
        self._codes = array("l")

    def add(self, texts: Iterable[str]) -> None:
        """Add some."""
        code = self._code
        self._codes.extend([code.setdefault(text, len(code)) for text in texts])

    def extend(self, other: _Names) -> None:
        """Add all of another."""
        codes = array("l", [self._code.setdefault(text, len(self._code)) for text in other._code])
        self._codes.extend(map(codes.__getitem__, other._codes))

    def ranks(self) -> NDArray[np.int64]:
        """The place of each among the sorted names."""
        places = np.empty(len(self._code), dtype=np.int64)
        for place, name in enumerate(sorted(self._code)):
            places[self._code[name]] = place
        return places[np.asarray(self._codes, dtype=np.int64)]

    def categorical(self, order: NDArray[np.int64]) -> pd.Categorical[str]:
        """All, in an order, with categories that are sorted."""
        return pd.Categorical.from_codes(self.ranks()[order], categories=pd.Index(sorted(self._code), dtype=object))


class ScoreTable:
    """What analyses need of each episode, packed: 30,000 episodes with 300,000 fields take some 40 MB.

    ``instances`` and ``fields`` give the tables in the order of tasks and indices, whatever the order of ``see``: sums
    of fractions depend on their order, and workers finish in any.
    """

    def __init__(self, people: Profile | None = None) -> None:
        """An empty table.

        Args:
            people: Also score the workers, and the solver on the same labels, under this profile, which is to be that
                of the scores; it takes more than twice the time. None: their columns hold no number.
        """
        self._people = people
        self._ids: list[str] = []
        self._index = array("l")
        self._texts = {name: _Names() for name in ("task", "split", "outcome", *GROUPS)}
        self._numbers = {name: array("d") for name in _NUMBERS}
        self._instance = array("l")
        self._field_texts = {name: _Names() for name in ("name", "kind")}
        self._field_numbers = {name: array("d") for name in (*FIELD_MEASURES, *PEOPLE, "agreement")}
        self._tied, self._visible, self._votes = array("b"), array("b"), array("l")

    def see(self, score: InstanceScore) -> None:
        """Take an episode in; nothing of it is kept but numbers and names."""
        fields = score.fields
        self._instance.extend([len(self._ids)] * len(fields))
        self._field_texts["name"].add(field.record.name for field in fields)
        self._field_texts["kind"].add(field.record.kind for field in fields)
        for name, numbers in (
            ("score", [field.score.score for field in fields]),
            ("ceiling", [field.score.ceiling for field in fields]),
            ("do_nothing", [field.do_nothing.score for field in fields]),
            ("constant", [field.constant.score for field in fields]),
            ("copy", [field.copy.score for field in fields]),
            ("agreement", [_number(field.score.agreement) for field in fields]),
        ):
            self._field_numbers[name].extend(numbers)
        self._tied.extend([field.score.tied for field in fields])
        self._visible.extend([field.record.visible for field in fields])
        self._votes.extend([sum(map(bool, map(str.strip, field.record.labels))) for field in fields])
        own, crowd = self._beside_people(score)
        episode = score.episode
        usage = episode.usage
        row: Mapping[str, float | None] = {
            **{name: getattr(score, name) for name in MEASURES},
            "own_left_out": own,
            "crowd": crowd,
            **_work(episode),
            "labels": max((len(each.labels) for each in episode.fields), default=0),
            "accepted": float(episode.submission.accepted) if episode.submission else None,
            "steps": episode.effort_in_steps,
            "failed": sum(not step.ok for step in episode.steps),
            "seconds": math.fsum(episode.timing.values()) / 1000,
            "cost": episode.cost,
            "input_tokens": usage.input_tokens if usage else None,
            "output_tokens": usage.output_tokens if usage else None,
            "turns": len(episode.turns),
        }
        for name, value in row.items():
            self._numbers[name].append(_number(value))
        self._ids.append(episode.id)
        self._index.append(episode.index)
        names = {
            "task": episode.task,
            "split": episode.split,
            "outcome": episode.outcome,
            **kind_of(episode).groups(episode),
        }
        for name, texts in self._texts.items():
            texts.add((names[name],))

    def merge(self, other: ScoreTable) -> None:
        """Take in the episodes of another table."""
        before = len(self._ids)
        self._instance.extend(before + place for place in other._instance)
        self._ids += other._ids
        self._index.extend(other._index)
        for own, more in ((self._texts, other._texts), (self._field_texts, other._field_texts)):
            for name, texts in own.items():
                texts.extend(more[name])
        for columns, further in ((self._numbers, other._numbers), (self._field_numbers, other._field_numbers)):
            for name, column in columns.items():
                column.extend(further[name])
        self._tied.extend(other._tied)
        self._visible.extend(other._visible)
        self._votes.extend(other._votes)

    def _beside_people(self, score: InstanceScore) -> tuple[float | None, float | None]:
        """The solver's score on the labels of all workers but one, and the workers' own; adds both to each field."""
        profile, columns = self._people, [self._field_numbers[name] for name in PEOPLE]
        workers = workers_of(score.episode.fields) if profile else ()
        both: tuple[list[tuple[str, FieldScore]], list[tuple[str, FieldScore]]] = ([], [])
        for field in score.fields:
            own = crowd = None
            record = field.record
            if profile and len(workers) > 1:
                crowd = mean_score(profile, record, workers)
                own = crowd
                if score.episode.answered_by == "solver":
                    own = mean_score(profile, record, workers, record.sent)
            for column, found, each in zip(columns, both, (own, crowd), strict=True):
                column.append(_number(each.score if each else None))
                if each:
                    found.append((record.kind, each))
        if profile is None:
            return None, None
        return profile.instance_score(both[0]), profile.instance_score(both[1])

    def _order(self) -> NDArray[np.int64]:
        return np.lexsort((np.asarray(self._index), self._texts["task"].ranks()))

    def instances(self) -> pd.DataFrame:
        """A row an episode.

        Returns:
            Columns ``task``, ``split``, ``outcome``, ``GROUPS`` (categories), ``index``, ``id``; the scores
            ``MEASURES``; ``own_left_out`` and ``crowd``; ``WORK`` (NaN after a harness error); ``labels`` (workers);
            ``accepted`` (1, 0, or NaN without a submission); ``steps``, ``failed`` (actions), ``seconds``, ``cost`` (US
            dollars), ``input_tokens``, ``output_tokens``, ``turns``. NaN stands for what could not be measured, or is
            not known.
        """
        order = self._order()
        columns: dict[str, object] = {name: texts.categorical(order) for name, texts in self._texts.items()}
        columns["index"] = np.asarray(self._index, dtype=np.int64)[order]
        columns["id"] = np.array(self._ids, dtype=object)[order]
        for name, numbers in self._numbers.items():
            column = np.asarray(numbers, dtype=np.float64)[order]
            columns[name] = column.astype(np.int64) if name in _WHOLE and not np.isnan(column).any() else column
        return pd.DataFrame(columns)

    def fields(self) -> pd.DataFrame:
        """A row a scored field, in the order of ``instances``.

        Returns:
            Columns ``instance`` (the row in ``instances``), ``name``, ``kind`` (categories); the scores
            ``FIELD_MEASURES``, ``own_left_out``, ``crowd``; ``tied``, ``agreement`` (NaN but for choices), ``visible``,
            ``labels`` (those that are not empty).
        """
        rank = np.empty(len(self._ids), dtype=np.int64)
        rank[self._order()] = np.arange(len(self._ids))
        rows = rank[np.asarray(self._instance, dtype=np.int64)]
        order = np.argsort(rows, kind="stable")
        columns: dict[str, object] = {"instance": rows[order]}
        columns |= {name: texts.categorical(order) for name, texts in self._field_texts.items()}
        columns |= {name: np.asarray(each)[order] for name, each in self._field_numbers.items()}
        columns["tied"] = np.asarray(self._tied, dtype=bool)[order]
        columns["visible"] = np.asarray(self._visible, dtype=bool)[order]
        columns["labels"] = np.asarray(self._votes, dtype=np.int64)[order]
        return pd.DataFrame(columns)


def _work(episode: Episode) -> dict[str, float | None]:
    if episode.outcome == "harness_error":
        return dict.fromkeys(WORK)
    return dict(zip(WORK, (float(has_replied(episode)), float(has_acted(episode))), strict=True))


def _number(value: float | None) -> float:
    return math.nan if value is None else value

"""What each quirk of the original is worth on a run: its answers scored with one quirk more, and with one less."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.catalog.kinds import KINDS
from harness.records.episode import Episode, FieldRecord
from harness.scoring.answers.columns import ABSENT, NEVER_LABELLED, SCORED, UNLABELLED
from harness.scoring.leave_one_out import own_answers, workers_of
from harness.scoring.metrics.quirks import ALL, QUIRKS, RANGE_IS_ONE, Mixed, Quirk
from harness.scoring.scores import copied_into

Given = Callable[[FieldRecord, Episode], tuple[str, ...]]
ANSWERS: Mapping[str, Given] = {
    "solver": lambda field, _: field.sent,
    "do-nothing": lambda field, _: field.untouched,
    "constant": lambda field, _: field.constant,
    "copy": lambda field, episode: copied_into(field, episode.longest_input),
}
"""Whose answers: the solver's, or those of a floor, which every run knows for its own pages."""

_STATUSES = {SCORED: "labelled", UNLABELLED: "unlabelled", NEVER_LABELLED: "unlabelled", ABSENT: "absent"}
_NO_ANSWER = "no answer"
_LABELLED = frozenset({"labelled"})
_ON_PAGE = frozenset({"labelled", "unlabelled", _NO_ANSWER})


@dataclass(frozen=True)
class Rules:
    """One way to score a run.

    Attributes:
        name: What it is called.
        mixed: The rules for a field.
        counted: Which fields count: those that are labelled, those that no worker of the instance labelled, those that
            are no answers.
    """

    name: str
    mixed: Mixed
    counted: frozenset[str] = _LABELLED

    def counts(self, field: FieldRecord) -> bool:
        """Whether a field counts, if it can be scored."""
        return _sort(field) in self.counted and (field.visible or self.mixed.scores_invisible)


STANDARD = Rules("standard", Mixed(frozenset()))
ORIGINAL = Rules("turkingbench-2024", Mixed(ALL))
WITH_UNLABELLED = Rules("  and fields that nobody labelled", Mixed(ALL), _LABELLED | {"unlabelled"})
WITH_ALL_ON_PAGE = Rules("  and fields that are no answers", Mixed(ALL), _ON_PAGE)
WITH = {quirk: Rules(f"standard and {quirk.name}", Mixed(frozenset({quirk}))) for quirk in QUIRKS}
WITHOUT = {quirk: Rules(f"turkingbench-2024 without {quirk.name}", Mixed(ALL - {quirk})) for quirk in QUIRKS}
EVERY = (STANDARD, ORIGINAL, WITH_UNLABELLED, WITH_ALL_ON_PAGE, *WITH.values(), *WITHOUT.values())


@dataclass(frozen=True)
class RuleMeans:
    """The score of a run by one set of rules, from 0 to 1 but for ranges; None where nothing is scored.

    Attributes:
        tasks: The mean over tasks of the means over their instances.
        instances: The mean over instances.
        pooled: The mean over tasks of the means over their fields, as the paper's figures are formed.
        fields: Fields that count.
    """

    tasks: float | None
    instances: float | None
    pooled: float | None
    fields: int


@dataclass(frozen=True)
class QuirkEffect:
    """What a quirk is worth, in the same unit.

    Attributes:
        quirk: The quirk.
        fields: Fields that it changes: their points, or whether they count.
        with_it: The gain over tasks and over instances by adding it to ``standard``.
        without_it: The gain that it brings to ``turkingbench-2024``, from the same without it.
    """

    quirk: Quirk
    fields: int
    with_it: tuple[float | None, float | None]
    without_it: tuple[float | None, float | None]


class QuirkEffects:
    """Scores episodes by all rules at once; none is kept."""

    def __init__(self, answers: str = "solver") -> None:
        """Nothing scored yet.

        Args:
            answers: Whose, one of ``ANSWERS``.
        """
        self._given = ANSWERS[answers]
        self._instances: dict[str, list[NDArray[np.float64]]] = {}
        self._pooled: dict[str, NDArray[np.float64]] = {}
        self._fields = np.zeros(len(EVERY), dtype=np.int64)
        self._changed = [0] * len(QUIRKS)

    def see(self, episode: Episode) -> None:
        """Take an episode into account; one that ended in a harness error has no score."""
        if episode.outcome == "harness_error":
            return
        kinds, rows = [], []
        workers = workers_of(episode.fields) if episode.answered_by == "workers" else None
        for field in episode.fields:
            if _sort(field) in _ON_PAGE and field.labels:
                row = self._row(field, episode, workers)
                kinds.append(field.kind)
                rows.append(row)
                self._count_changes(field, row)
        if not rows:
            return
        points = np.array(rows)
        counted = ~np.isnan(points)
        means = [
            rules.mixed.instance_points(
                [kind for kind, counts in zip(kinds, counted[:, place], strict=True) if counts],
                points[counted[:, place], place].tolist(),
            )
            for place, rules in enumerate(EVERY)
        ]
        self._instances.setdefault(episode.task, []).append(
            np.array([math.nan if mean is None else mean for mean in means])
        )
        pooled = self._pooled.setdefault(episode.task, np.zeros((2, len(EVERY))))
        pooled += np.array([np.nansum(points, axis=0), counted.sum(axis=0)])
        self._fields += counted.sum(axis=0)

    def means(self) -> dict[Rules, RuleMeans]:
        """The score by every set of rules."""
        tasks = [self._instances[task] for task in sorted(self._instances)]
        found = {}
        for place, rules in enumerate(EVERY):
            by_task = [[each[place] for each in task if not math.isnan(each[place])] for task in tasks]
            scored = [task for task in by_task if task]
            sums = [self._pooled[task][:, place] for task in sorted(self._pooled)]
            found[rules] = RuleMeans(
                tasks=_mean([math.fsum(task) / len(task) for task in scored]),
                instances=_mean([each for task in scored for each in task]),
                pooled=_mean([float(total / count) for total, count in sums if count]),
                fields=int(self._fields[place]),
            )
        return found

    def sizes(self) -> list[QuirkEffect]:
        """What each quirk is worth."""
        means = self.means()

        def gain(first: Rules, second: Rules) -> tuple[float | None, float | None]:
            before, after = means[first], means[second]
            return difference(before.tasks, after.tasks), difference(before.instances, after.instances)

        return [
            QuirkEffect(quirk, changed, gain(STANDARD, WITH[quirk]), gain(WITHOUT[quirk], ORIGINAL))
            for quirk, changed in zip(QUIRKS, self._changed, strict=True)
        ]

    def _row(self, field: FieldRecord, episode: Episode, workers: Sequence[int] | None) -> list[float]:
        """The points of a field by each set of rules, NaN where it does not count."""
        values = self._given(field, episode)
        pairs = [(field.labels, values)]
        if workers is not None:
            own = own_answers(field, workers) if self._given is ANSWERS["solver"] else dict.fromkeys(workers, values)
            # As harness.scoring.leave_one_out.mean_score has it.
            own = own if len(own) > 1 else {}
            pairs = [(field.labels[:row] + field.labels[row + 1 :], given) for row, given in own.items()]
        scored = [_points(mixed, field, pairs) for mixed in _DISTINCT[field.kind]]
        return [
            scored[place] if rules.counts(field) else math.nan
            for rules, place in zip(EVERY, _PLACES[field.kind], strict=True)
        ]

    def _count_changes(self, field: FieldRecord, row: Sequence[float]) -> None:
        plain, original = row[_PLAIN], row[_ORIGINAL]
        for place, (forth, back) in enumerate(_BOTH_WAYS):
            self._changed[place] += _differ(plain, row[forth]) or _differ(original, row[back])
        if field.kind == "range" and _differ(original, 1.0) and not math.isnan(original):
            self._changed[QUIRKS.index(RANGE_IS_ONE)] += 1


def _sort(field: FieldRecord) -> str:
    return _STATUSES.get(field.status, _NO_ANSWER)


def _points(mixed: Mixed, field: FieldRecord, pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> float:
    """The mean over pairs of labels and answer, those left out that these rules do not score; NaN without any."""
    found = [
        points
        for labels, values in pairs
        if labels and (points := mixed.points(field.kind, field.options, labels, values)) is not None
    ]
    return math.fsum(found) / len(found) if found else math.nan


def _distinct(kind: str) -> tuple[list[Mixed], list[int]]:
    """The rules that differ for a kind of field, and which of them each of ``EVERY`` is."""
    known: dict[frozenset[Quirk], int] = {}
    places = []
    for rules in EVERY:
        own = frozenset(quirk for quirk in rules.mixed.quirks if kind in quirk.kinds)
        places.append(known.setdefault(own, len(known)))
    return [Mixed(quirks) for quirks in known], places


_DISTINCT: dict[str, list[Mixed]] = {kind: _distinct(kind)[0] for kind in KINDS}
_PLACES: dict[str, list[int]] = {kind: _distinct(kind)[1] for kind in KINDS}
_PLAIN, _ORIGINAL = EVERY.index(STANDARD), EVERY.index(ORIGINAL)
_BOTH_WAYS = [(EVERY.index(WITH[quirk]), EVERY.index(WITHOUT[quirk])) for quirk in QUIRKS]


def _differ(first: float, second: float) -> bool:
    return not (first == second or (math.isnan(first) and math.isnan(second)))


def difference(before: float | None, after: float | None) -> float | None:
    """``after`` less ``before``; None without one of them."""
    return None if before is None or after is None else after - before


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None

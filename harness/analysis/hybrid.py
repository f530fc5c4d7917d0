"""The hybrid: for each kind of field the result that is best at it, chosen without looking at the task that is scored.

Whoever chooses the best of several for each kind, and scores the choice on the same tasks, takes luck for skill: the
more kinds and results, the more. So the choice is cross-fitted (docs/how-to/compare-runs.md): each task is scored by
what the *other* tasks say is best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.comparison import NothingShared
from harness.analysis.conditions import differing_conditions
from harness.analysis.seeds import Result
from harness.analysis.shared_instances import SharedItems, share
from harness.kit.errors import UserError
from harness.kit.statistics.clustered import DIFFERENCES, mean_of_clusters
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.significance import sign_flip
from harness.scoring.metrics import PROFILES, FieldScore

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_EQUAL = 1e-12
"""Totals closer than this are equal, summed in another order."""


class NoHybrid(UserError):
    """No hybrid can be made of these results; the message says why."""


@dataclass(frozen=True)
class KindChoice:
    """Who answers a kind of field.

    Attributes:
        kind: The kind.
        fields: Its fields on the shared instances.
        tasks: The tasks that have any of them.
        means: The mean over these fields of each result, in the order of the results.
        chosen: The result that all tasks together choose; what is optimistic is made of it.
        times: Result -> in how many tasks that have this kind it was chosen, each by the other tasks.
    """

    kind: str
    fields: int
    tasks: int
    means: tuple[float, ...]
    chosen: str
    times: Mapping[str, int]


@dataclass(frozen=True)
class Hybrid:
    """Results put together by kind of field.

    Attributes:
        results: The names of the results, in the order in which they were given.
        scores: The headline of each on the shared instances.
        hybrid: The headline of the cross-fitted hybrid.
        hybrid_optimistic: The same with the choice of all tasks, that of the scored one included.
        single: The headline of the single best result, chosen for each task by the other tasks.
        single_times: Result -> in how many tasks it was that.
        single_optimistic: The headline of the result that is best on all tasks.
        best: Which one that is.
        difference: ``hybrid`` less ``single``.
        p: Of the sign-flip test on the tasks' differences; None with fewer than six tasks.
        difference_from_best: ``hybrid`` less ``single_optimistic``: the result that is best in hindsight is flattered.
        p_from_best: The same test of it.
        kinds: Who answers each kind of field.
        dropped: Why -> how many instances are not shared by all results, and left out.
        warnings: What else differs between the runs, in words.
    """

    results: tuple[str, ...]
    scores: tuple[Estimate, ...]
    hybrid: Estimate
    hybrid_optimistic: Estimate
    single: Estimate
    single_times: Mapping[str, int]
    single_optimistic: Estimate
    best: str
    difference: Estimate
    p: float | None
    difference_from_best: Estimate
    p_from_best: float | None
    kinds: tuple[KindChoice, ...]
    dropped: Mapping[str, int]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the attributes' names as its keys."""
        return asdict(self)


def make_hybrid(results: Sequence[Result], *, draws: int = 10_000, seed: int = 0) -> Hybrid:
    """Put results together by kind of field, on the instances that all of them share.

    Args:
        results: Two or more, of one scoring profile.
        draws: Of the bootstrap.
        seed: Of the bootstrap and of the tests' random patterns.

    Raises:
        NoHybrid: the profiles differ, or one task is all that is shared.
        NothingShared: the results have no scored instance in common.
    """
    if len({result.runs[0].profile for result in results}) > 1:
        raise NoHybrid("the runs are scored by different profiles: --metrics scores all of them by one")
    names = tuple(result.name for result in results)
    shared = share(results, names)
    parts = _Parts.of(results, shared)
    if len(parts.tasks) < 2:
        raise NoHybrid("one task is all that these runs share: the choice for it would need others")
    how = _Estimating(parts.task_of, draws, seed)
    everything = np.ones(len(parts.tasks), dtype=bool)
    whole = parts.chosen(everything)
    others = np.array([parts.chosen(everything & (np.arange(len(everything)) != task)) for task in parts.tasks])
    best = parts.best(everything)
    bests = np.array([parts.best(everything & (np.arange(len(everything)) != task)) for task in parts.tasks])
    hybrid, single = parts.scores(others), parts.instances[np.arange(len(parts.task_of)), bests[parts.task_of]]
    return Hybrid(
        results=names,
        scores=tuple(how.mean(parts.instances[:, place]) for place in range(len(names))),
        hybrid=how.mean(hybrid),
        hybrid_optimistic=how.mean(parts.scores(np.tile(whole, (len(parts.tasks), 1)))),
        single=how.mean(single),
        single_times=_times(bests, names),
        single_optimistic=how.mean(parts.instances[:, best]),
        best=names[best],
        difference=how.difference(hybrid - single),
        p=how.test(hybrid - single),
        difference_from_best=how.difference(hybrid - parts.instances[:, best]),
        p_from_best=how.test(hybrid - parts.instances[:, best]),
        kinds=tuple(parts.choice(place, whole, others, names) for place in range(len(parts.kinds))),
        dropped=dict(shared.dropped),
        warnings=differing_conditions([run for result in results for run in result.runs]),
    )


@dataclass(frozen=True)
class _Estimating:
    """Means over tasks of one number an instance."""

    task_of: Ints
    draws: int
    seed: int

    def mean(self, values: Floats) -> Estimate:
        return mean_of_clusters(values, self.task_of, draws=self.draws, seed=self.seed)

    def difference(self, values: Floats) -> Estimate:
        return mean_of_clusters(values, self.task_of, draws=self.draws, seed=self.seed, bounds=DIFFERENCES)

    def test(self, values: Floats) -> float | None:
        sizes = np.bincount(self.task_of)
        return sign_flip(np.bincount(self.task_of, values) / sizes, seed=self.seed)


@dataclass(frozen=True)
class _Parts:
    """What each field of the shared instances adds to the headline, for each result.

    Attributes:
        kinds: The kinds of field, sorted.
        tasks: The numbers of the tasks: 0, 1, ...
        task_of: The task of each instance.
        place: The instance of each field.
        kind: The kind of each field, as a place in ``kinds``.
        worth: What each field counts in its instance, for each result; fields x results.
        raw: Its score; fields x results. Another number where a profile counts a kind otherwise.
        instances: The score of each instance; instances x results.
        totals: What the fields of a kind add to the mean of a task; tasks x kinds x results.
    """

    kinds: tuple[str, ...]
    tasks: Ints
    task_of: Ints
    place: Ints
    kind: Ints
    worth: Floats
    raw: Floats
    instances: Floats
    totals: Floats

    @classmethod
    def of(cls, results: Sequence[Result], shared: SharedItems) -> _Parts:
        """The parts of what results share."""
        if not shared.instances[0].size:
            why = ", ".join(f"{count} {reason}" for reason, count in shared.dropped.items())
            raise NothingShared(f"the results have no scored instance in common: {why or 'they are empty'}")
        first = results[0]
        task_of, _ = pd.factorize(first.instances["task"].astype(object).iloc[shared.instances[0]])
        kind, kinds = pd.factorize(first.fields["kind"].astype(object).iloc[shared.fields[0]], sort=True)
        tables = zip(results, shared.fields, strict=True)
        raw = np.stack([result.fields["score"].to_numpy()[rows] for result, rows in tables], axis=1)
        lowest, highest = _counted(first.runs[0].profile, list(map(str, kinds)))
        worth = lowest[kind][:, None] + (highest - lowest)[kind][:, None] * raw
        sizes = np.bincount(shared.places, minlength=len(task_of))
        added = worth / sizes[shared.places][:, None]
        instances = np.zeros((len(task_of), len(results)))
        np.add.at(instances, shared.places, added)
        totals = np.zeros((int(task_of.max()) + 1, len(kinds), len(results)))
        of_field = task_of[shared.places]
        np.add.at(totals, (of_field, kind), added / np.bincount(task_of)[of_field][:, None])
        tasks = np.arange(len(totals))
        return cls(tuple(map(str, kinds)), tasks, task_of, shared.places, kind, worth, raw, instances, totals)

    def best(self, of: NDArray[np.bool_]) -> int:
        """The result with the best headline over some tasks; of equal ones the first."""
        return _first_best(self.totals[of].sum(axis=(0, 1)), np.arange(self.worth.shape[1]))

    def chosen(self, by: NDArray[np.bool_]) -> Ints:
        """The result that adds most to the headline of some tasks, for each kind.

        Of equal ones it is the one with the best headline over them; so it is for a kind that these tasks do not have.
        """
        totals = self.totals[by].sum(axis=0)
        order = np.argsort(-totals.sum(axis=0), kind="stable")
        return np.array([_first_best(of_kind, order) for of_kind in totals], dtype=np.int64)

    def scores(self, chosen: Ints) -> Floats:
        """The score of each instance where ``chosen`` (tasks x kinds) says who answers."""
        who = chosen[self.task_of[self.place], self.kind]
        worth = self.worth[np.arange(len(who)), who]
        sums = np.bincount(self.place, worth, minlength=len(self.task_of)).astype(np.float64)
        return sums / np.bincount(self.place, minlength=len(self.task_of))

    def choice(self, kind: int, whole: Ints, others: Ints, names: Sequence[str]) -> KindChoice:
        """Who answers a kind, by all tasks and by the others of each task that has it."""
        fields = self.kind == kind
        tasks = np.unique(self.task_of[self.place[fields]])
        return KindChoice(
            kind=self.kinds[kind],
            fields=int(fields.sum()),
            tasks=len(tasks),
            means=tuple(map(float, self.raw[fields].mean(axis=0))),
            chosen=names[whole[kind]],
            times=_times(others[tasks, kind], names),
        )


def _counted(profile: str, kinds: Sequence[str]) -> tuple[Floats, Floats]:
    """What a field of each kind counts in the mean of its instance, with a score of 0 and of 1."""

    def worth(kind: str, score: float) -> float:
        found = PROFILES[profile].instance_score([(kind, FieldScore(score, 1.0, None, False, ""))])
        return 0.0 if found is None else found

    low, high = (np.array([worth(kind, score) for kind in kinds]) for score in (0.0, 1.0))
    return low, high


def _first_best(totals: Floats, order: Ints) -> int:
    """The first in an order whose total is not below the highest."""
    return int(next(place for place in order if totals[place] >= totals.max() - _EQUAL))


def _times(chosen: Ints, names: Sequence[str]) -> dict[str, int]:
    """How often each was chosen, the most frequent first."""
    return {names[place]: count for place, count in Counter(map(int, chosen)).most_common()}

"""Of which kinds failures are, by judges and by people, and how far the two agree on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from harness.kit.statistics.clustered import mean_of_items
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.jackknife import cohens_kappa
from harness.records.verdict import PlaceVerdict, TaskFailureKind, Verdicts
from harness.scoring.judges.failure_kinds import FAILURE_KINDS, FailureShares, failure_shares
from harness.scoring.judges.verdict_pairs import TrialPlace, settle

FailuresByPlace: TypeAlias = Mapping[TrialPlace, TaskFailureKind | None]
"""Trajectories that somebody calls failures -> the kind; None if nobody named one, or people are divided."""


@dataclass(frozen=True)
class KindAgreement:
    """How far a judge and people name the same kinds.

    Attributes:
        pairs: Trajectories that both call failures, and of which both named a kind.
        agreement: The share of them with the same kind, from 0 to 1.
        kappa: Cohen's, over the five kinds.
    """

    pairs: int
    agreement: Estimate
    kappa: Estimate


@dataclass(frozen=True)
class NamedFailures:
    """Failures by kind.

    Attributes:
        people: By people, settled; None if no person says anything.
        judges: By judge; all that its repeats say.
        agreement: By judge how far it agrees with people; None where no person says anything.
    """

    people: FailureShares | None
    judges: Mapping[str, FailureShares]
    agreement: Mapping[str, KindAgreement] | None


def named_failures(files: Iterable[Verdicts]) -> NamedFailures:
    """Count of which kinds failures are; verdicts on single fields are passed over.

    Args:
        files: Of people, models and rules, in any order; several of one judge are its repeats.
    """
    by_person: dict[TrialPlace, list[PlaceVerdict]] = {}
    by_judge: dict[str, list[FailuresByPlace]] = {}
    for each in files:
        whole = {(each.run, said.task, said.index): said for said in each.verdicts if said.field is None}
        if each.judge.kind == "person":
            for place, said in whole.items():
                by_person.setdefault(place, []).append(said)
        else:
            failed = {place: said.failure for place, said in whole.items() if _is_failure(said)}
            by_judge.setdefault(each.judge.name, []).append(failed)
    judges = {
        name: failure_shares(kind for repeat in repeats for kind in repeat.values())
        for name, repeats in by_judge.items()
    }
    if not by_person:
        return NamedFailures(None, judges, None)
    people = {place: _settled_kind(said) for place, said in by_person.items() if _have_failed(said)}
    agreement = {name: _agreement(repeats, people) for name, repeats in by_judge.items()}
    return NamedFailures(failure_shares(people.values()), judges, agreement)


def _is_failure(said: PlaceVerdict) -> bool:
    return said.answer not in (None, "unsure", "correct")


def _have_failed(said: Sequence[PlaceVerdict]) -> bool:
    return settle(each.answer for each in said).success is False


def _settled_kind(said: Sequence[PlaceVerdict]) -> TaskFailureKind | None:
    """The kind that more people name than any other; None if none is."""
    named = Counter(each.failure for each in said if each.failure and _is_failure(each)).most_common(2)
    is_divided = len(named) > 1 and named[0][1] == named[1][1]
    return named[0][0] if named and not is_divided else None


def _agreement(repeats: Sequence[FailuresByPlace], people: FailuresByPlace) -> KindAgreement:
    pairs = [
        (place[1], kind, by_people)
        for repeat in repeats
        for place, kind in repeat.items()
        if kind and (by_people := people.get(place))
    ]
    if not pairs:
        nothing = Estimate(None, None, None, 0, 0)
        return KindAgreement(0, nothing, nothing)
    tasks = np.unique([task for task, _, _ in pairs], return_inverse=True)[1]
    said, known = (np.array([FAILURE_KINDS.index(pair[side]) for pair in pairs]) for side in (1, 2))
    same = mean_of_items((said == known).astype(float), np.ones(len(pairs)), tasks)
    return KindAgreement(len(pairs), same, cohens_kappa(known, said, tasks))

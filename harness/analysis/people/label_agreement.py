"""How far the labels of a run agree: Krippendorff's alpha, and how often workers are unanimous.

Alpha (K. Krippendorff, Content Analysis, 4th edition 2018, chapter 12; doi:10.4135/9781071878781) is one less the
disagreement between workers over the disagreement that chance would make: 1 when all agree, 0 when they agree no more
than labels that are dealt out at random, less when they disagree systematically. The distance of two answers depends
on the level of measurement; docs/explanation/people.md says which one a field has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.analysis.people.ballots import Ballots, FieldVotes, Tallies
from harness.catalog.labels import number
from harness.scoring.leave_one_out import answered_rows
from harness.scoring.scores import InstanceScore

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Agreement:
    """How far workers agree on one field, or on several.

    Attributes:
        units: Questions of instances that two workers or more answered; each box is a question.
        labels: Their answers.
        alpha: Krippendorff's alpha; None where it is not defined: fewer than two units, or the same answer everywhere.
        unanimous: Share of the units on which all agree; None without units.
        majority: Share of those on which not all agree, but one answer has more votes than any other.
        tie: Share of those on which several answers share the first place.
        weight: The disagreement that chance would make, times the labels; in units of the largest distance.
    """

    units: int
    labels: int
    alpha: float | None
    unanimous: float | None
    majority: float | None
    tie: float | None
    weight: float

    def to_json(self) -> dict[str, float | None]:
        """A JSON object without the weight, which means nothing to a reader."""
        names = ("units", "labels", "alpha", "unanimous", "majority", "tie")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class FieldAgreement:
    """How far workers agree on one field of a task.

    Attributes:
        task: The task's name.
        name: The field's name.
        kind: Its kind.
        level: The level of measurement of its answers.
        agreement: The numbers.
    """

    task: str
    name: str
    kind: str
    level: Level
    agreement: Agreement


class Agreements:
    """The agreement of the labels of a run: shown every episode, see ``harness.analysis.episode_pass.Visitor``."""

    def __init__(self) -> None:
        self.ballots = Ballots()

    def see(self, score: InstanceScore) -> None:
        """Take in the scored fields of an instance."""
        episode = score.episode
        rows = answered_rows(episode.fields)
        self.ballots.add(episode.task, episode.index, [field.record for field in score.fields], rows)

    def merge(self, other: Agreements) -> None:
        """Take in what another has seen."""
        self.ballots.merge(other.ballots)

    def fields(self) -> list[FieldAgreement]:
        """Field by field, by task and name. A list that takes several options in some instances stands here twice."""
        return [
            FieldAgreement(question.task, question.name, column.kind, level_of(column), agreement_of(column))
            for question, column in self.ballots
        ]


def pooled(fields: Iterable[Agreement]) -> Agreement:
    """The agreement on several fields.

    What chance would make is known field by field alone: whether answers to different questions are equal means
    nothing. So the disagreement of all fields is divided by what chance would make of all fields, which is the mean of
    their alphas, each with its weight.

    Args:
        fields: The fields; those without an alpha weigh nothing in that of all, but count in the shares.
    """
    found = list(fields)
    units = sum(each.units for each in found)
    known = [(each.alpha, each.weight) for each in found if each.alpha is not None]
    weight = sum(each for _, each in known)

    def share(name: str) -> float | None:
        return sum((getattr(each, name) or 0.0) * each.units for each in found) / units if units else None

    return Agreement(
        units=units,
        labels=sum(each.labels for each in found),
        alpha=sum(alpha * each for alpha, each in known) / weight if weight else None,
        unanimous=share("unanimous"),
        majority=share("majority"),
        tie=share("tie"),
        weight=weight,
    )


@dataclass(frozen=True)
class GroupedAgreement:
    """How far workers agree on all fields of a run, and on parts of them.

    Attributes:
        overall: On all.
        kinds: Kind of field -> on those of it, sorted.
        tasks: Task -> on its fields, sorted.
    """

    overall: Agreement
    kinds: Mapping[str, Agreement]
    tasks: Mapping[str, Agreement]


def grouped(fields: Sequence[FieldAgreement]) -> GroupedAgreement:
    """The agreement on fields, pooled over all, over kinds and over tasks."""
    kinds: dict[str, list[Agreement]] = {}
    tasks: dict[str, list[Agreement]] = {}
    for each in fields:
        kinds.setdefault(each.kind, []).append(each.agreement)
        tasks.setdefault(each.task, []).append(each.agreement)
    return GroupedAgreement(
        overall=pooled(each.agreement for each in fields),
        kinds={kind: pooled(group) for kind, group in sorted(kinds.items())},
        tasks={task: pooled(group) for task, group in sorted(tasks.items())},
    )


def agreement_of(column: FieldVotes) -> Agreement:
    """The agreement on one field."""
    tallies = column.tallies()
    units = len(tallies.sizes)
    if not units:
        return Agreement(0, 0, None, None, None, None, 0.0)
    most = np.zeros(units, dtype=np.int64)
    np.maximum.at(most, tallies.unit, tallies.votes)
    unanimous = most == tallies.sizes
    tied = np.bincount(tallies.unit[tallies.votes == most[tallies.unit]], minlength=units) > 1
    level = level_of(column)
    labels = int(tallies.sizes.sum())
    alpha = _alpha(tallies, level)
    return Agreement(
        units=units,
        labels=labels,
        alpha=alpha,
        unanimous=float(unanimous.mean()),
        majority=float((~unanimous & ~tied).mean()),
        tie=float(tied.mean()),
        weight=0.0 if alpha is None else labels * expected_disagreement(tallies, level),
    )


def level_of(column: FieldVotes) -> Level:
    """The level of measurement of a field's answers.

    Interval for sliders; ordinal where all options of radio buttons or of a list are numbers, and three or more; else
    nominal: other choices, boxes, and texts, which are equal or not.
    """
    if column.kind == "range":
        return "interval"
    return "ordinal" if column.ordered and None not in map(number, column.answers) else "nominal"


def disagreements(tallies: Tallies, level: Level) -> Floats:
    """How far the workers of each unit disagree: the mean over pairs of workers of the distance of their answers.

    Args:
        tallies: The votes on a field.
        level: The level of measurement. Nominal: the distance is 1 if two answers differ. Otherwise it is the squared
            difference of the numbers (interval), or of their places among all labels of the field, equals sharing one
            (ordinal), in units of the largest.

    Returns:
        Of shape (units,), from 0 to 1.
    """
    units, sizes = len(tallies.sizes), tallies.sizes
    places = _places(tallies, level)
    if places is None:
        agreeing = np.bincount(tallies.unit, tallies.votes * (tallies.votes - 1.0), minlength=units)
        return 1 - agreeing / (sizes * (sizes - 1.0))
    at = places[tallies.value]
    sums = np.bincount(tallies.unit, tallies.votes * at, minlength=units)
    squares = np.bincount(tallies.unit, tallies.votes * at**2, minlength=units)
    return np.maximum(0.0, 2 * (sizes * squares - sums**2) / (sizes * (sizes - 1.0)))


def means(tallies: Tallies, values: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The mean over the questions of each instance of what is known of each, with the instances' indexes."""
    indices, place = np.unique(tallies.instances, return_inverse=True)
    return indices, np.bincount(place, values) / np.bincount(place)


def expected_disagreement(tallies: Tallies, level: Level) -> float:
    """The mean distance of two labels of a field, whoever gave them, as for ``disagreements``."""
    counts = _counts(tallies).astype(np.float64)
    n = counts.sum()
    places = _places(tallies, level)
    if places is None:
        return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1)))
    return float(2 * (n * (counts * places**2).sum() - (counts * places).sum() ** 2) / (n * (n - 1)))


def _counts(tallies: Tallies) -> NDArray[np.int64]:
    """How often each answer was given, in units that count."""
    found = np.bincount(tallies.value, tallies.votes, minlength=len(tallies.values))
    return found.astype(np.int64)


def _places(tallies: Tallies, level: Level) -> Floats | None:
    """Where each answer stands between the least and the greatest, 0 and 1; None if answers have no order."""
    if level == "nominal":
        return None
    given = np.array([float(text) for text in tallies.values])
    counts = _counts(tallies)
    if level == "ordinal":
        order = np.argsort(given, kind="stable")
        places = np.empty(len(given))
        places[order] = np.cumsum(counts[order]) - counts[order] / 2
        given = places
    used = given[counts > 0]
    spread = used.max() - used.min()
    return (given - used.min()) / spread if spread else np.zeros(len(given))


def _alpha(tallies: Tallies, level: Level) -> float | None:
    if len(tallies.sizes) < 2 or np.count_nonzero(_counts(tallies)) < 2:
        return None
    observed = (tallies.sizes * disagreements(tallies, level)).sum() / tallies.sizes.sum()
    return float(1 - observed / expected_disagreement(tallies, level))

"""Answers that people have given so far on the instances of one task: how far they agree, field by field.

Where a run is looked at, labels come with its episodes (``harness.analysis.people.label_agreement``). Here they come
while they are collected, and are made into the same votes, so that the numbers mean the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from harness.analysis.people.ballots import FieldVotes, Ints, ballots_of
from harness.analysis.people.label_agreement import (
    Agreement,
    Floats,
    Level,
    agreement_of,
    disagreements,
    level_of,
    means,
)
from harness.catalog.annotations.handed_in import SEPARATOR
from harness.catalog.labels import winners
from harness.kit.statistics.clustered import EXACT, mean_of_one
from harness.kit.statistics.estimate import Estimate
from harness.records.episode import FieldRecord
from harness.scoring.answers.columns import SCORED
from harness.scoring.leave_one_out import answered_rows

CLOSE = 0.05
"""Agreement is known closely enough if its interval reaches no farther to either side, on average."""

Given = Mapping[str, Sequence[str]]
"""Field -> what the form sent, of one person on one instance."""


@dataclass(frozen=True)
class ComparedField:
    """One field of one instance, with what each person answered.

    Attributes:
        name: Its name.
        kind: Its kind.
        options: Its options' values.
        cells: What each person answered, several values joined by ``|``; empty where nothing was sent.
        majority: The places of those who gave the answer that more people gave than any other; empty if there is none.
        tied: Whether several answers share the first place.
        agreement: The share of the pairs of people who gave the same answer, of boxes the mean over them; None if
            fewer than two answered.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    cells: tuple[str, ...]
    majority: frozenset[int]
    tied: bool
    agreement: float | None


@dataclass(frozen=True)
class FieldSoFar:
    """How far people agree on one field of a task, on the instances that two or more of them have answered.

    Attributes:
        name: Its name.
        kind: Its kind.
        level: The level of measurement of its answers, by which alpha tells how far two of them are apart.
        agreement: The mean over instances of the share of pairs of people who gave the same answer.
        votes: Krippendorff's alpha, and the shares of questions with a unanimous answer, a majority and a tie.
    """

    name: str
    kind: str
    level: Level
    agreement: Estimate
    votes: Agreement

    @property
    def instances(self) -> int:
        """How many instances it rests on."""
        return self.agreement.items

    @property
    def further(self) -> int | None:
        """How many more instances would bring its interval to ``CLOSE``; 0 if it is there, None without an interval."""
        low, high = self.agreement.low, self.agreement.high
        if low is None or high is None:
            return None
        wide = (high - low) / 2 / CLOSE
        # Where all answers are the same, an interval narrows with their number, else with its root.
        times = wide if self.agreement.method == EXACT else wide**2
        return max(0, math.ceil(self.instances * (times - 1)))


def asked_field(name: str, kind: str, options: Sequence[str] = ()) -> FieldRecord:
    """A field as its page has it, for ``compared`` and ``agreement_so_far`` to fill with what people answered.

    Args:
        name: Its name.
        kind: Its kind; ``hidden`` where no control says it.
        options: Its options' values.
    """
    return FieldRecord(
        name, kind, tuple(options), (), SCORED, told=True, visible=True, sent=(), untouched=(), constant=()
    )


def compared(fields: Sequence[FieldRecord], given: Sequence[Given]) -> list[ComparedField]:
    """Put what people answered on one instance side by side.

    Args:
        fields: The fields of its page.
        given: What each person answered. Names that are no field of the page come behind those that are.
    """
    records = _filled(fields, given)
    rows = answered_rows(records)
    return [_compared(record, rows) for record in records]


def agreement_so_far(fields: Sequence[FieldRecord], instances: Iterable[Sequence[Given]]) -> list[FieldSoFar]:
    """How far people agree, field by field.

    Args:
        fields: The fields of the task's pages.
        instances: Of each instance what each person answered.

    Returns:
        The fields in their order, those that only some page has behind them. Of a field that nobody answered, or no
        two people on one instance, the numbers are None.
    """
    columns = _columns(fields, instances)
    order = {record.name: place for place, record in enumerate(fields)}
    return [_so_far(name, columns[name]) for name in sorted(columns, key=lambda name: order.get(name, len(order)))]


def agreement_of_instances(fields: Sequence[FieldRecord], instances: Sequence[Sequence[Given]]) -> list[float | None]:
    """How far people agree, instance by instance.

    Args:
        fields: The fields of the task's pages.
        instances: Of each instance what each person answered.

    Returns:
        Of each instance the mean over its fields of the share of pairs of people who gave the same answer; None where
        no field has two answers.
    """
    shares: list[list[float]] = [[] for _ in instances]
    for column in _columns(fields, instances).values():
        for index, share in zip(*_shares_alike(column), strict=True):
            shares[index].append(float(share))
    return [fmean(each) if each else None for each in shares]


def cell_of(values: Iterable[str]) -> str:
    """What a form sent for a field, as labels are written."""
    return SEPARATOR.join(values)


def _columns(fields: Sequence[FieldRecord], instances: Iterable[Sequence[Given]]) -> dict[str, FieldVotes]:
    """Name of a field -> what people answered in it."""
    found = {record.name: FieldVotes(record.kind) for record in fields}
    for index, given in enumerate(instances):
        records = _filled(fields, given)
        rows = answered_rows(records)
        for record in records:
            found.setdefault(record.name, FieldVotes(record.kind)).add(index, record, rows)
    return found


def _shares_alike(column: FieldVotes) -> tuple[Ints, Floats]:
    """Of each instance in which two people answered a field: its index, and the share of pairs that agree."""
    tallies = column.tallies()
    return means(tallies, 1 - disagreements(tallies, "nominal"))


def _so_far(name: str, column: FieldVotes) -> FieldSoFar:
    _, alike = _shares_alike(column)
    return FieldSoFar(name, column.kind, level_of(column), mean_of_one(alike), agreement_of(column))


def _filled(fields: Sequence[FieldRecord], given: Sequence[Given]) -> list[FieldRecord]:
    """The fields with the answers as their labels, a row a person."""
    known = {record.name for record in fields}
    others = dict.fromkeys(name for answers in given for name in answers if name not in known)
    return [
        replace(record, labels=tuple(cell_of(answers.get(record.name, ())) for answers in given))
        for record in (*fields, *(asked_field(name, "hidden") for name in others))
    ]


def _compared(record: FieldRecord, rows: Sequence[int]) -> ComparedField:
    ballots = ballots_of(record, rows)
    whole: dict[int, str] = {}
    for question, answers in ballots.items():
        for row, answer in answers.items():
            whole[row] = f"{whole.get(row, '')}{question}\0{answer}\0"
    first = winners(list(whole.values())) if len(whole) > 1 else ()
    column = FieldVotes(record.kind)
    column.add(0, record, rows)
    _, alike = _shares_alike(column)
    return ComparedField(
        name=record.name,
        kind=record.kind,
        options=record.options,
        cells=record.labels,
        majority=frozenset(row for row, answer in whole.items() if len(first) == 1 and answer == first[0]),
        tied=len(first) > 1,
        agreement=float(alike[0]) if len(alike) else None,
    )

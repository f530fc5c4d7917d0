"""What help does: time, agreement with people and agreement with the run, with help and without.

Each worker has instances with help and without, by a draw. Compared is within workers: of each, the mean over the
instances with help, less the mean over those without. What holds for workers like these is the mean of these
differences (docs/how-to/collect-answers.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from harness.catalog.labels import clean, number
from harness.kit.statistics.clustered import AMOUNTS, DIFFERENCES, SCORES, UNBOUNDED, mean_of_one
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.intervals import IntervalLimits

Said = Mapping[str, Sequence[str]]
"""Field -> values."""


@dataclass(frozen=True)
class TimedAnswers:
    """One assignment that was drawn to get help or not.

    Attributes:
        worker: Who did it.
        instance_id: On which instance.
        helped: Whether with help.
        seconds: How long it took.
        answers: What was answered.
        suggested: What the run sent on the instance.
    """

    worker: str
    instance_id: str
    helped: bool
    seconds: float
    answers: Said
    suggested: Said


@dataclass(frozen=True)
class MeasuredHelp:
    """One measure with help and without.

    Attributes:
        helped: Mean over workers with help.
        alone: Mean over the same workers without.
        difference: With help less without, within workers.
        workers: Workers who have the measure on both sides.
        assignments: Theirs, on both sides.
    """

    helped: Estimate
    alone: Estimate
    difference: Estimate
    workers: int
    assignments: int


@dataclass(frozen=True)
class HelpEffect:
    """What help does in a project.

    Attributes:
        helped: Assignments with help.
        alone: Assignments that were drawn to get none.
        one_sided: Workers who have assignments on one side only, and count in no comparison.
        seconds: Of an assignment.
        with_people: Share of the answers that are those of others, who had no help, on the same instance.
        with_run: Share of the run's answers that the worker gave, too.
    """

    helped: int
    alone: int
    one_sided: int
    seconds: MeasuredHelp
    with_people: MeasuredHelp
    with_run: MeasuredHelp


def help_effect(drawn: Sequence[TimedAnswers]) -> HelpEffect:
    """Compare the assignments of a project with help and without.

    Args:
        drawn: Those that were drawn to get help or not, in any order.
    """
    others: dict[str, list[TimedAnswers]] = {}
    for each in drawn:
        if not each.helped:
            others.setdefault(each.instance_id, []).append(each)

    def with_people(each: TimedAnswers) -> float | None:
        shares = [
            _agreement(each.answers, other.answers)
            for other in others.get(each.instance_id, ())
            if other.worker != each.worker
        ]
        known = [share for share in shares if share is not None]
        return fmean(known) if known else None

    sides: dict[str, set[bool]] = {}
    for each in drawn:
        sides.setdefault(each.worker, set()).add(each.helped)
    return HelpEffect(
        helped=sum(each.helped for each in drawn),
        alone=sum(not each.helped for each in drawn),
        one_sided=sum(len(found) == 1 for found in sides.values()),
        seconds=_measured(drawn, lambda each: each.seconds, AMOUNTS, UNBOUNDED),
        with_people=_measured(drawn, with_people, SCORES, DIFFERENCES),
        with_run=_measured(drawn, lambda each: _agreement(each.suggested, each.answers), SCORES, DIFFERENCES),
    )


def _measured(
    drawn: Sequence[TimedAnswers],
    measure: Callable[[TimedAnswers], float | None],
    bounds: IntervalLimits,
    of_differences: IntervalLimits,
) -> MeasuredHelp:
    """One measure on both sides, of the workers who have it on both."""
    found: dict[str, dict[bool, list[float]]] = {}
    for each in drawn:
        value = measure(each)
        if value is not None:
            found.setdefault(each.worker, {True: [], False: []})[each.helped].append(value)
    both = [found[worker] for worker in sorted(found) if all(found[worker].values())]
    helped, alone = ([fmean(sides[side]) for sides in both] for side in (True, False))
    differences = [first - second for first, second in zip(helped, alone, strict=True)]
    return MeasuredHelp(
        mean_of_one(helped, bounds=bounds),
        mean_of_one(alone, bounds=bounds),
        mean_of_one(differences, bounds=of_differences),
        workers=len(both),
        assignments=sum(len(values) for sides in both for values in sides.values()),
    )


def _agreement(wanted: Said, answers: Said) -> float | None:
    """The share of the fields with something in them in which the same was answered; None without such fields."""
    fields = [field for field, values in wanted.items() if any(values)]
    if not fields:
        return None
    return fmean(_comparable(wanted[field]) == _comparable(answers.get(field, ())) for field in fields)


def _comparable(values: Sequence[str]) -> list[str]:
    """Values in any order, spaces around them aside, numbers as numbers."""
    texts = (clean(value).strip() for value in values)
    return sorted(_as_number(text) for text in texts if text)


def _as_number(text: str) -> str:
    value = number(text)
    return text if value is None else f"{value.normalize():f}"

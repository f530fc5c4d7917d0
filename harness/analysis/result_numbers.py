"""Every number of a result: scores with intervals, people on the same items, outcomes, effort and errors.

``docs/reference/reports.md`` explains those that a report shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from harness.analysis.aggregation import (
    Groups,
    Rows,
    Sizes,
    bounds,
    groups_of,
    headline,
    means_of,
    number,
    sizes_of,
)
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.estimation import Bootstraps, Estimates, asked_estimates
from harness.analysis.failed_actions import Failures
from harness.analysis.people.label_agreement import GroupedAgreement, grouped
from harness.analysis.scored_run import ScoredRun, asked_work
from harness.analysis.seeds import Result
from harness.analysis.tally import Tally
from harness.kit.statistics.clustered import LEVEL, EstimationOptions
from harness.kit.statistics.estimate import DRAWS, Estimate
from harness.records.episode import OUTCOMES
from harness.records.results import MeanScores, Rates, Work

FLOORS = ("do_nothing", "constant", "copy")
"""Measures of solvers that understand nothing."""
CLOSE = 0.05
"""How near to people a floor makes a task trivial."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class RankedTask:
    """A task among the others.

    Attributes:
        task: Its name.
        place: 1 is the hardest; equals share one; None without a score.
        tied: Whether another has the same place.
        score: Its score; None without any.
    """

    task: str
    place: int | None
    tied: bool
    score: float | None


@dataclass(frozen=True)
class CloseFloor:
    """A solver that understands nothing, in a task where it comes close to people.

    Attributes:
        task: The task.
        floor: Which of ``FLOORS``.
        floor_score: Its score.
        against: ``crowd``; ``solver`` where the workers cannot be scored.
        against_score: The score of these on the same instances.
    """

    task: str
    floor: str
    floor_score: float
    against: Literal["crowd", "solver"]
    against_score: float


def ranked(scores: Mapping[str, Estimate]) -> tuple[RankedTask, ...]:
    """The tasks from the hardest to the easiest, those without a score behind them; equals share a place.

    Args:
        scores: Task -> its score.
    """
    scored = sorted((score.value, task) for task, score in scores.items() if score.value is not None)
    found: list[RankedTask] = []
    last = 0.0
    for place, (score, task) in enumerate(scored, start=1):
        tied = bool(found) and score - last < _ROUNDING
        if tied:
            found[-1] = replace(found[-1], tied=True)
        found.append(RankedTask(task, found[-1].place if tied else place, tied, score))
        last = score
    unscored = [RankedTask(task, None, False, None) for task, score in scores.items() if score.value is None]
    return (*found, *unscored)


def close_floors(task: str, instances: pd.DataFrame, solver: str) -> Iterator[CloseFloor]:
    """The floors that come close to people in a task, on the instances whose workers can be scored.

    Where there are none, floors stand beside the solver instead, unless it is a floor itself.

    Args:
        task: The task's name.
        instances: Its rows, as in ``harness.analysis.score_table.ScoreTable``.
        solver: The solver's name.
    """
    against: Literal["crowd", "solver"] = "crowd"
    beside = instances[instances["crowd"].notna()]
    if beside.empty:
        against, beside = "solver", instances[instances["score"].notna()]
    if beside.empty or (against == "solver" and solver.replace("-", "_") in FLOORS):
        return
    level = float(beside["crowd" if against == "crowd" else "score"].mean())
    for floor in FLOORS:
        score = float(beside[floor].mean())
        if score >= level - CLOSE - _ROUNDING:
            yield CloseFloor(task, floor, score, against, level)


EFFORT = ("steps", "failed", "seconds", "cost", "input_tokens", "output_tokens", "turns")
"""Measures of what it took."""
CROWD = "crowd"
"""The solver whose answers are the workers' own."""


@dataclass(frozen=True)
class GroupNumbers:
    """The scores of a group.

    Attributes:
        estimates: Those with an interval.
        means: Those without.
        sizes: How much it holds.
    """

    estimates: Estimates
    means: MeanScores
    sizes: Sizes


@dataclass(frozen=True)
class Effort:
    """What it took, by one measure.

    Attributes:
        total: In all; None where nothing is known.
        per_instance: The mean over the instances with a known value.
        per_point: A point is one per cent of the score of an instance; None without any.
        known: Instances with a known value.
        unknown: Instances that were played, and of which it is not known.
    """

    total: float | None
    per_instance: float | None
    per_point: float | None
    known: int
    unknown: int = 0


@dataclass(frozen=True)
class WithWorkers:
    """How many workers gave the solver's answer.

    Attributes:
        share: Their share, as a mean over the fields.
        fields: Choices.
    """

    share: float
    fields: int


@dataclass(frozen=True)
class BetweenSeeds:
    """How far the seeds of a solver are apart.

    Attributes:
        seeds: The solver's seed of each run.
        headlines: The mean over tasks of each; None if nothing was scored.
        standard_deviation: Of the headlines; None if fewer than two are known.
        dropped: Why -> how many instances are left out, since not every seed has them.
    """

    seeds: Sequence[int]
    headlines: Sequence[float | None]
    standard_deviation: float | None
    dropped: Mapping[str, int]


@dataclass(frozen=True)
class ResultNumbers:
    """All numbers of a result. A number that nothing could be measured for is None.

    Attributes:
        profile: The scoring profile.
        comparability_id: Of the runs under this profile.
        level: Of the intervals.
        groups: The scores of everything, and of each split, task and kind of field.
        split_of: Task -> its split.
        rank: The tasks from the hardest to the easiest.
        trivial: Solvers that understand nothing and come close to people in a task.
        bounds: The least and the most that the headline can be; None if no instance is missing.
        between_seeds: None of a single run.
        outcomes: Outcome -> episodes, of all runs.
        asked_work: What was done in all runs by a solver that is asked; None of any other.
        rates: Shares of submissions and of fields.
        unscored_fields: Reason -> fields that are not scored.
        effort: Measure of ``EFFORT`` -> what it took.
        turns_from_cache: Exchanges with a model whose reply had been paid for before.
        failures: Failed actions.
        agreement: Of the workers' labels.
        with_workers: Kind of choice -> how many workers gave the solver's answer.
    """

    profile: str
    comparability_id: str
    level: float
    groups: Groups[GroupNumbers]
    split_of: Mapping[str, str]
    rank: Sequence[RankedTask]
    trivial: Sequence[CloseFloor]
    bounds: tuple[float, float] | None
    between_seeds: BetweenSeeds | None
    outcomes: Mapping[str, int]
    asked_work: Work | None
    rates: Rates
    unscored_fields: Mapping[str, int]
    effort: Mapping[str, Effort]
    turns_from_cache: int
    failures: Failures
    agreement: GroupedAgreement
    with_workers: Mapping[str, WithWorkers]


def numbers(
    result: Result, tallies: Sequence[Tally], *, draws: int = DRAWS, seed: int = 0, pool: Executor = IN_PLACE
) -> ResultNumbers:
    """All numbers of a result.

    Args:
        result: One or several seeds of a solver, read with ``people=True`` if workers are to stand beside it.
        tallies: What was counted of its runs while they were read, one a run.
        draws: Of each bootstrap.
        seed: Of each bootstrap.
        pool: What makes the bootstraps.
    """
    how: EstimationOptions = {"draws": draws, "seed": seed, "level": LEVEL}
    first, counted = result.runs[0], Tally.together(tallies)
    rows = groups_of(result.instances, result.fields)
    bootstraps = Bootstraps(how, pool)
    asked = rows.each(lambda group: _asked(group, bootstraps, is_crowd=first.solver == CROWD))
    groups = asked.each(lambda found: found())
    return ResultNumbers(
        profile=first.profile,
        comparability_id=first.comparability_id,
        level=LEVEL,
        groups=groups,
        split_of={task: of_task.split for task, of_task in rows.tasks.items()},
        rank=ranked({task: each.estimates.score for task, each in groups.tasks.items()}),
        trivial=[
            each for task, of_task in rows.tasks.items() for each in close_floors(task, of_task.rows, first.solver)
        ],
        bounds=_bounds(result),
        between_seeds=_between_seeds(result),
        outcomes=_outcomes(result.runs),
        asked_work=asked_work(first.record, pd.concat([run.instances for run in result.runs])),
        rates=_rates(result.runs, counted),
        unscored_fields=dict(sorted(counted.counts.unscored.items())),
        effort=_effort(rows.instances.rows),
        turns_from_cache=counted.turns_from_cache,
        failures=counted.failed.found(),
        agreement=grouped(counted.agreements.fields()),
        with_workers=_with_workers(rows.fields.rows),
    )


def _asked(rows: Rows, bootstraps: Bootstraps, *, is_crowd: bool) -> Callable[[], GroupNumbers]:
    asked = asked_estimates(rows, bootstraps)

    def found() -> GroupNumbers:
        estimates = asked()
        if is_crowd:
            # People are at no distance from themselves, and that is not for lack of data: there is nothing to estimate.
            estimates = replace(estimates, gap=Estimate(None, None, None, 0, 0))
        return GroupNumbers(estimates, means_of(rows), sizes_of(rows))

    return found


def _outcomes(runs: Sequence[ScoredRun]) -> dict[str, int]:
    return {outcome: sum(int((run.instances["outcome"] == outcome).sum()) for run in runs) for outcome in OUTCOMES}


def _rates(runs: Sequence[ScoredRun], counted: Tally) -> Rates:
    accepted = pd.concat([run.instances["accepted"] for run in runs]).mean()
    return replace(counted.counts.rates(), accepted_submissions=number(accepted))


def _bounds(result: Result) -> tuple[float, float] | None:
    """Of several seeds the mean of the least, and of the most, that each of the headlines can be."""
    found = [bounds(run.instances) for run in result.runs]
    if not any(found):
        return None
    scores = [headline(run.instances) for run in result.runs]
    each = np.array([limits or (score, score) for limits, score in zip(found, scores, strict=True)], dtype=np.float64)
    low, high = each.mean(axis=0)
    return float(low), float(high)


def _effort(instances: pd.DataFrame) -> dict[str, Effort]:
    """What it took, by measure; nothing is known of what an episode took that ended in a harness error."""
    done = instances[instances["outcome"] != "harness_error"]
    found = {}
    for measure in EFFORT:
        known = done[done[measure].notna()]
        scored = known[known["score"].notna()]
        points = 100 * float(scored["score"].sum())
        found[measure] = Effort(
            total=float(known[measure].sum()) if len(known) else None,
            per_instance=number(known[measure].mean()),
            per_point=float(scored[measure].sum()) / points if points > 0 else None,
            known=len(known),
            unknown=len(done) - len(known),
        )
    return found


def _with_workers(fields: pd.DataFrame) -> dict[str, WithWorkers]:
    choices = fields[fields["agreement"].notna()].groupby("kind", observed=True)["agreement"]
    return {str(kind): WithWorkers(float(column.mean()), len(column)) for kind, column in choices}


def _between_seeds(result: Result) -> BetweenSeeds | None:
    if len(result.runs) == 1:
        return None
    return BetweenSeeds(result.seeds, result.headlines, result.between_seeds, result.dropped)

"""Rates of agents by judges: corrected by the help of a few known truths; and how many steps agents take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.kit.errors import UserError
from harness.kit.statistics.clustered import AMOUNTS, LEVEL, mean_of_items
from harness.kit.statistics.estimate import DRAWS, Estimate
from harness.kit.statistics.prediction_powered import CorrectedMean, corrected_mean


class NothingToCorrect(UserError):
    """There is no agent of whom both a judge's verdicts and some truth are known; the message says so."""


@dataclass(frozen=True)
class JudgedTry:
    """A judge's verdict on one trajectory, whose truth may be known.

    Attributes:
        task: The task.
        agent: Whose trajectory it is.
        verdict: Whether the judge says that it succeeded; None if its reply could not be read: no success is seen.
        truth: Whether it succeeded; None if that is not known.
    """

    task: str
    agent: str
    verdict: bool | None
    truth: bool | None


@dataclass(frozen=True)
class CorrectedRate:
    """The success rate of an agent.

    Attributes:
        agent: Its name.
        tries: Its trajectories with a verdict.
        known: Those of them whose truth is known, too.
        judged: By the judge alone.
        by_truth: By the known truth alone.
        corrected: By both: prediction-powered inference.
        rank_judged: Its place by the judge alone, from 1; equal rates share a place.
        rank_corrected: Its place after the correction.
    """

    agent: str
    tries: int
    known: int
    judged: Estimate
    by_truth: Estimate
    corrected: CorrectedMean
    rank_judged: int
    rank_corrected: int


def corrected_rates(
    tries: Sequence[JudgedTry], *, draws: int = DRAWS, level: float = LEVEL
) -> tuple[CorrectedRate, ...]:
    """The success rates of all agents before and after a judge's bias is taken out, the best after it first.

    Whose truth is known must have been drawn by chance: each agent is corrected by its own known truths.

    Args:
        tries: Of any agents; those of whom no truth is known are left out.
        draws: Of the bootstrap for the rates that are not corrected.
        level: The share of intervals that should hold the true value.

    Raises:
        NothingToCorrect: no truth is known at all.
    """
    by_agent: dict[str, list[JudgedTry]] = {}
    for each in tries:
        by_agent.setdefault(each.agent, []).append(each)
    known = {name: of_it for name, of_it in by_agent.items() if any(each.truth is not None for each in of_it)}
    if not known:
        raise NothingToCorrect("no trajectory has both a judge's verdict and a known truth: give verdicts of people")
    rates = {name: _rates(of_it, draws, level) for name, of_it in known.items()}
    before = _ranks({name: found[0].value or 0.0 for name, found in rates.items()})
    after = _ranks({name: found[2].estimate.value or 0.0 for name, found in rates.items()})
    found = [
        CorrectedRate(
            name,
            len(known[name]),
            sum(each.truth is not None for each in known[name]),
            *rates[name],
            before[name],
            after[name],
        )
        for name in known
    ]
    return tuple(sorted(found, key=lambda rate: (rate.rank_corrected, rate.rank_judged, rate.agent)))


def _rates(tries: Sequence[JudgedTry], draws: int, level: float) -> tuple[Estimate, Estimate, CorrectedMean]:
    codes = np.unique([each.task for each in tries], return_inverse=True)[1]
    said = np.array([float(bool(each.verdict)) for each in tries])
    truth = np.array([np.nan if each.truth is None else float(each.truth) for each in tries])
    seen = ~np.isnan(truth)
    judged = mean_of_items(said, np.ones(len(said)), codes, draws=draws, level=level)
    by_truth = mean_of_items(truth[seen], np.ones(int(seen.sum())), codes[seen], draws=draws, level=level)
    return judged, by_truth, corrected_mean(truth, said, codes, level=level)


def _ranks(values: Mapping[str, float]) -> dict[str, int]:
    return {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}


@dataclass(frozen=True)
class SteppedTry:
    """A trajectory with its length.

    Attributes:
        task: The task.
        steps: How many actions it took.
        reference_length: Steps of the task's reference; None if not known.
        success: Whether it succeeded; None if that is not known.
    """

    task: str
    steps: int
    reference_length: int | None
    success: bool | None


@dataclass(frozen=True)
class AgentEfficiency:
    """How far an agent goes.

    Attributes:
        efficiency: The mean over successes of steps over the steps of the reference: 1 is as short as the reference,
            and less is better (Xue et al. 2025, equation 2). Successes without a reference are left out.
        success_steps: The mean steps of successes.
        failure_steps: The mean steps of failures.
        without_reference: Successes that are left out of the efficiency.
        unknown: Trajectories of which nobody knows whether they succeeded; left out of all numbers.
    """

    efficiency: Estimate
    success_steps: Estimate
    failure_steps: Estimate
    without_reference: int
    unknown: int


def efficiency(tries: Sequence[SteppedTry], *, draws: int = DRAWS) -> AgentEfficiency:
    """Work out how far an agent goes for what it solves.

    Args:
        tries: Its trajectories.
        draws: Of the bootstrap over tasks.
    """
    solved = [each for each in tries if each.success]
    failed = [each for each in tries if each.success is False]
    measured = [each for each in solved if each.reference_length]
    return AgentEfficiency(
        _mean(measured, [each.steps / (each.reference_length or 1) for each in measured], draws),
        _mean(solved, [float(each.steps) for each in solved], draws),
        _mean(failed, [float(each.steps) for each in failed], draws),
        len(solved) - len(measured),
        sum(each.success is None for each in tries),
    )


def _mean(tries: Sequence[SteppedTry], values: Sequence[float], draws: int) -> Estimate:
    codes = np.unique([each.task for each in tries], return_inverse=True)[1]
    return mean_of_items(list(values), np.ones(len(values)), codes.astype(np.int64), draws=draws, bounds=AMOUNTS)

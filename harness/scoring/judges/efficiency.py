"""How many steps agents take for what they solve, beside the reference, and for what they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.kit.statistics.clustered import AMOUNTS, mean_of_items
from harness.kit.statistics.estimate import DRAWS, Estimate


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

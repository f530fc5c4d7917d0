"""A judge asked several times: how far its success rates and its agreement spread, agent by agent."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from harness.scoring.judges.verdict_pairs import JudgeFile, VerdictPool


@dataclass(frozen=True)
class SpreadOfRepeats:
    """What a judge says of one agent, time and again (Table 2 of Xue et al. 2025).

    Attributes:
        agent: The agent.
        repeats: How often it was judged: files of verdicts.
        rate: The mean of the success rates, from 0 to 1; over all trajectories that have a truth.
        rate_sd: Their standard deviation (with n - 1); None of one repeat.
        agreement: The mean share of trajectories on which judge and truth agree.
        agreement_sd: The standard deviation of that.
    """

    agent: str
    repeats: int
    rate: float
    rate_sd: float | None
    agreement: float
    agreement_sd: float | None


def spread_of_repeats(pool: VerdictPool, judge: str) -> tuple[SpreadOfRepeats, ...]:
    """How far a judge's repeats spread, by agent; what has no truth is left out.

    Args:
        pool: What is known.
        judge: The judge's name.
    """
    by_agent: dict[str, list[tuple[float, float]]] = {}
    for each in pool.judges:
        if each.judge == judge and (found := _rate_and_agreement(pool, each)):
            by_agent.setdefault(each.run.solver, []).append(found)
    return tuple(
        SpreadOfRepeats(
            agent, len(found), *_mean_and_sd([rate for rate, _ in found]), *_mean_and_sd([a for _, a in found])
        )
        for agent, found in by_agent.items()
    )


def _rate_and_agreement(pool: VerdictPool, file: JudgeFile) -> tuple[float, float] | None:
    known = [
        (verdict, truth)
        for (task, index), verdict in file.said.items()
        if (truth := pool.truth((file.run, task, index))) is not None
    ]
    if not known:
        return None
    return sum(bool(verdict) for verdict, _ in known) / len(known), sum(a is b for a, b in known) / len(known)


def _mean_and_sd(values: Sequence[float]) -> tuple[float, float | None]:
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None

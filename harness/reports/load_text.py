"""What a run of many episodes takes, as text."""

from __future__ import annotations

from harness.analysis.load_plan import LoadPlan
from harness.kit.text import aligned, counted

_HOURS_FROM = 2.0
"""Shorter runs are told in minutes."""


def load_text(plan: LoadPlan, measured: int, simulated: float, runs: int) -> str:
    """A plan, and what a simulation says of it.

    Args:
        plan: The plan.
        measured: Of how many episodes it was made.
        simulated: Seconds that it takes in the simulation.
        runs: How many runs it was calibrated by.
    """
    means = plan.means
    unit, factor = ("hours", 1) if plan.hours >= _HOURS_FROM else ("minutes", 60)
    rows = [
        ["", "planned"],
        ["machines", f"{means.machines:,}"],
        [unit, f"{plan.hours * factor:,.2f}"],
        [f"{unit} by simulation", f"{simulated / 3600 * factor:,.2f}"],
        ["tokens", f"{plan.tokens:,.0f}"],
        ["dollars", "unknown" if plan.cost is None else f"{plan.cost:,.2f}"],
    ]
    limits = [[name, f"{rate * 3600:,.0f}"] for name, rate in sorted(plan.rates.items(), key=lambda each: each[1])]
    each = f"{counted(means.cores, 'core')} and {counted(means.in_flight, 'episode')} in flight on each machine"
    by = f"calibrated by {counted(runs, 'run')}" if runs else "not calibrated: no run tells how long it took in one go"
    return "\n\n".join(
        [
            f"{counted(plan.episodes, 'episode')}, from the times of {counted(measured, 'episode')}; {each}",
            by,
            aligned(rows),
            aligned([["limited by", "episodes an hour"], *limits]),
        ]
    )

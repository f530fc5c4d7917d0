"""What a run of many episodes takes, as text."""

from __future__ import annotations

from harness.analysis.load_plan import LoadPlan
from harness.kit.text import aligned, counted


def load_text(plan: LoadPlan, measured: int, simulated: float) -> str:
    """A plan, and what a simulation says of it.

    Args:
        plan: The plan.
        measured: Of how many episodes it was made.
        simulated: Episodes a second in the simulation.
    """
    means = plan.means
    rows = [
        ["", "planned"],
        ["machines", f"{means.machines:,}"],
        ["hours", f"{plan.hours:,.2f}"],
        ["hours by simulation", f"{plan.episodes / simulated / 3600:,.2f}"],
        ["tokens", f"{plan.tokens:,.0f}"],
        ["dollars", "unknown" if plan.cost is None else f"{plan.cost:,.2f}"],
    ]
    limits = [[name, f"{rate * 3600:,.0f}"] for name, rate in sorted(plan.rates.items(), key=lambda each: each[1])]
    each = f"{counted(means.cores, 'core')} and {counted(means.in_flight, 'episode')} in flight on each machine"
    return "\n\n".join(
        [
            f"{counted(plan.episodes, 'episode')}, from the times of {counted(measured, 'episode')}; {each}",
            aligned(rows),
            aligned([["limited by", "episodes an hour"], *limits]),
        ]
    )

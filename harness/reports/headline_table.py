"""The headlines of a run with their intervals as plain text, for a terminal."""

from __future__ import annotations

from concurrent.futures import Executor

from harness.analysis.aggregation import Groups, Rows
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.estimation import headline_estimates
from harness.kit.statistics.clustered import LEVEL
from harness.kit.text import NOTHING, aligned, percent
from harness.reports.run_summary import OVERALL


def headlines_table(groups: Groups[Rows], pool: Executor = IN_PLACE) -> str:
    """The headline of a run and those of its splits with their intervals, as percentages; ``pool`` makes these."""
    overall, splits = headline_estimates(groups, pool=pool)
    rows = [["", "score", f"{100 * LEVEL:g} % interval", "tasks", "instances"]]
    for name, each in {OVERALL: overall, **{f"split {split}": each for split, each in splits.items()}}.items():
        limits = NOTHING if each.low is None else f"{percent(each.low)} to {percent(each.high)}"
        rows.append([name, percent(each.value), limits, str(each.clusters), str(each.items)])
    return aligned(rows)

"""The numbers of a run as its page shows them: those of its report, made of its index."""

from __future__ import annotations

import time
from pathlib import Path

from harness.analysis.aggregation import Groups, Rows, beside_people, bounds, groups_of, means_of, sizes_of
from harness.analysis.estimation import estimate_of, estimates_of
from harness.analysis.scored_run import asked_work
from harness.kit.statistics.estimate import Estimate
from harness.records.episode import OUTCOMES
from harness.records.results import MeanScores
from harness.reports.watch.index_tables import indexed_run
from harness.reports.watch.saved_numbers import PartNumbers, RunNumbers


def numbers_of(folder: Path) -> RunNumbers | None:
    """The numbers of a run, as far as its index knows it.

    Args:
        folder: The run directory.

    Returns:
        The numbers; None if there is no episode.

    Raises:
        NotARun: its ``run.json`` cannot be read.
        harness.reports.watch.run_index.IndexGone: as ``RunIndex.open``.
    """
    begun = time.monotonic()
    run, last = indexed_run(folder)
    if run.instances.empty:
        return None
    groups = groups_of(run.instances, run.fields)
    estimates = estimates_of(groups.overall, {})
    return RunNumbers(
        episodes=len(run.instances),
        last=last,
        overall=_part("", groups.overall, estimates.score),
        of_ceiling=estimates.of_ceiling,
        own_left_out=estimates.own_left_out,
        crowd=estimates.crowd,
        means=means_of(groups.overall),
        bounds=bounds(groups.instances.rows),
        splits=_parts(groups, "splits") if len(groups.splits) > 1 else (),
        tasks=_parts(groups, "tasks"),
        kinds=_parts(groups, "kinds"),
        outcomes={outcome: int((run.instances["outcome"] == outcome).sum()) for outcome in OUTCOMES},
        asked_work=asked_work(run.record, run.instances),
        seconds=time.monotonic() - begun,
    )


def _parts(groups: Groups[Rows], which: str) -> tuple[PartNumbers, ...]:
    parts = groups.parts(which)  # type: ignore[arg-type]
    return tuple(_part(name, rows, estimate_of(rows, "score", {})) for name, rows in parts.items())


def _part(name: str, rows: Rows, score: Estimate) -> PartNumbers:
    sizes, means = sizes_of(rows), means_of(rows)
    return PartNumbers(
        name=name,
        split=rows.split if rows.over == "one task" else "",
        episodes=sizes.episodes,
        scored=sizes.fields if rows.over == "fields" else sizes.instances,
        score=score,
        ceiling=means.ceiling,
        floor=_highest_floor(means),
        crowd=beside_people(rows).crowd,
    )


def _highest_floor(means: MeanScores) -> float | None:
    return max((floor for floor in (means.do_nothing, means.constant, means.copy) if floor is not None), default=None)

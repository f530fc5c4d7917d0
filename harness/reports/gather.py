"""From run directories to what a report shows: one pass over the episodes of each run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from harness.analysis.aggregation import Rows, groups_of
from harness.analysis.endings import Endings
from harness.analysis.episode_pass import IN_PLACE, Visitor
from harness.analysis.estimation import Bootstraps, asked_estimate
from harness.analysis.length_effect import PageLengths, length_effect
from harness.analysis.result_numbers import numbers
from harness.analysis.score_table import ScoreTable
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import Result, group
from harness.analysis.site_results import SiteTally
from harness.analysis.tally import Tally
from harness.catalog.overlay import known_overlay, read_overlay
from harness.records.directory import RunDirectory
from harness.records.run_record import RunRecord
from harness.reports.html.plots.histogram import BINS
from harness.reports.html.sections.headline import ORIGINAL
from harness.reports.html.sections.wrong import FOLLOWED_PAIRS
from harness.reports.length_measure import LengthMeasure
from harness.reports.mistakes.collection import Mistakes
from harness.reports.reported import Original, Reported, ScoreHistogram
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode

PUBLISHED_SPLIT = "test"
"""The split that published numbers are of."""
_BENCHMARK = "turkingbench"
_FULL = 1 - 1e-9


class _Rescored:
    """Scores the episodes of the published split again, under the original's rules."""

    def __init__(self) -> None:
        self.table = ScoreTable()

    def see(self, score: InstanceScore) -> None:
        """Look at one."""
        if score.episode.split == PUBLISHED_SPLIT:
            self.table.see(score_episode(score.episode, PROFILES[ORIGINAL]))

    def merge(self, other: _Rescored) -> None:
        """Take in what another has scored."""
        self.table.merge(other.table)


@dataclass(frozen=True)
class _Read:
    """A run, and what was seen while it was read."""

    run: ScoredRun
    tally: Tally
    mistakes: Mistakes
    endings: Endings
    lengths: PageLengths | None
    sites: SiteTally
    original: Original | None
    changed: str


def gather(
    folders: Sequence[Path], profile: str | None = None, *, draws: int = 10_000, pool: Executor = IN_PLACE
) -> list[Reported]:
    """Read runs and compute all that a report says of them.

    Args:
        folders: Run directories; they are not changed. Seeds of one solver become one result.
        profile: The name of a scoring profile; None for each run's own.
        draws: Of the bootstrap.
        pool: What reads and scores the episodes and makes the bootstraps.

    Raises:
        harness.records.directory.NotARun: one of them cannot be read.
    """
    read = [_read(folder, profile, pool) for folder in folders]
    found = {id(each.run): each for each in read}
    results = group([each.run for each in read])
    return [_reported(result, [found[id(run)] for run in result.runs], draws, pool) for result in results]


def _read(folder: Path, profile: str | None, pool: Executor) -> _Read:
    record = RunDirectory(folder).read()
    name = profile or record.config.metrics
    tally, mistakes, rescored = Tally(), Mistakes(PROFILES[name], pairs=FOLLOWED_PAIRS), _Rescored()
    published = _is_of_benchmark(record)
    endings = Endings(folder)
    lengths = LengthMeasure(RunDirectory(folder), record)
    sites = SiteTally()
    visitors: list[Visitor] = [tally, mistakes, endings, lengths, sites]
    if published and name != ORIGINAL:
        visitors.append(rescored)
    run = read_scored(folder, name, people=True, visitors=visitors, pool=pool)
    original = None
    if published:
        tables = (run.instances, run.fields)
        if name != ORIGINAL:
            tables = (rescored.table.instances(), rescored.table.fields())
        original = _original(run.record.comparability_under(ORIGINAL), *tables, pool)
    changed = RunDirectory(folder).check_records(pool).in_words()
    return _Read(run, tally, mistakes, endings, lengths.found(), sites, original, changed)


def _is_of_benchmark(record: RunRecord) -> bool:
    """Whether a run has any task of those that something was published about, as far as our overlay names them."""
    file = known_overlay(_BENCHMARK)
    if file is None or record.results is None:
        return False
    overlay = read_overlay(file)
    pinned = [json.loads(split.read_text(encoding="utf-8"))["tasks"] for split in overlay.splits.values()]
    return not {*overlay.tasks}.union(*pinned).isdisjoint(record.results.tasks)


def _original(ident: str, instances: pd.DataFrame, fields: pd.DataFrame, pool: Executor) -> Original | None:
    """The means that published numbers are of; None if the run has nothing of their split."""
    groups = groups_of(instances, fields)
    published = groups.splits.get(PUBLISHED_SPLIT)
    if published is None or published.rows["score"].isna().all():
        return None
    pooled = groups.fields.rows[groups.fields.rows["instance"].isin(published.rows["instance"])]
    bootstraps = Bootstraps({}, pool)
    asked = [
        asked_estimate(rows, "score", bootstraps)
        for rows in (published, Rows(published.rows, published.rows, "instances"))
    ]
    of_tasks, of_instances = (each() for each in asked)
    return Original(
        comparability_id=ident,
        tasks=of_tasks,
        pooled=float(pooled.groupby("task_code")["score"].mean().mean()),
        instances=of_instances,
    )


def _reported(result: Result, read: Sequence[_Read], draws: int, pool: Executor) -> Reported:
    first = read[0]
    endings, sites = Endings(), SiteTally()
    for each in read:
        endings.merge(each.endings)
        sites.merge(each.sites)
    return Reported(
        name=result.name,
        numbers=numbers(result, [each.tally for each in read], draws=draws, pool=pool),
        records=[run.record for run in result.runs],
        scores=_scores(result.instances["score"]),
        dropped=result.dropped,
        mistakes=first.mistakes.found(),
        original=first.original,
        endings=endings.found(),
        second_attempts=endings.second_attempts,
        result=result,
        length=length_effect(result, first.lengths) if first.lengths else None,
        sites=sites.found(),
        changed=[each.changed for each in read if each.changed],
        folder=first.run.folder,
    )


def _scores(column: pd.Series[float]) -> ScoreHistogram:
    scores = column.dropna().to_numpy()
    bins = np.minimum((scores * BINS + 1e-9).astype(np.int64), BINS - 1)
    return ScoreHistogram(
        np.bincount(bins, minlength=BINS).tolist(), int((scores <= 0).sum()), int((scores >= _FULL).sum())
    )

"""A run scored again from its directory: by another profile, or with one label in place of many."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from harness.analysis.aggregation import Groups, Rows
from harness.analysis.endings import Endings
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.people.aggregated_labels import METHODS, AggregatedLabels, AggregationEffect
from harness.analysis.people.label_aggregations import MAJORITY
from harness.analysis.run_results import RunScores
from harness.analysis.site_results import SiteResults, SiteTally
from harness.kit.files.codec import plain
from harness.records.directory import RunDirectory
from harness.records.results import Results
from harness.records.run_record import RunRecord, comparability_id
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode


@dataclass(frozen=True)
class Relabelled:
    """Labels other than by majority.

    Attributes:
        aggregation: How they were made: a name of ``AGGREGATIONS``.
        effect: What was done.
        majority: The results without it.
    """

    aggregation: str
    effect: AggregationEffect
    majority: Results


@dataclass(frozen=True)
class Rescored:
    """A run that was scored again.

    Attributes:
        record: The content of its ``run.json`` with the new results.
        groups: The scores that these results are made of.
        endings: Why episodes ended otherwise than by themselves.
        sites: What evaluators say of its episodes on websites; None of forms.
        labels: The labels, if they are not by majority.
    """

    record: RunRecord
    groups: Groups[Rows]
    endings: Endings
    sites: SiteResults | None = None
    labels: Relabelled | None = None

    def to_json(self) -> dict[str, Any]:
        """The record as JSON, with one more key, ``labels``, if they are not by majority."""
        return {**plain(self.record), **({"labels": plain(self.labels)} if self.labels else {})}


def score_run(
    run: RunDirectory, metrics: str | None = None, labels: str = MAJORITY, pool: Executor = IN_PLACE
) -> Rescored:
    """A run with its results computed anew.

    Args:
        run: The run directory; it is not changed.
        metrics: Another profile than the run's own; the comparability id is then that of a run with this profile.
        labels: A name of ``AGGREGATIONS``. Other than by majority, it is said what was done, and no run has the
            comparability id.
        pool: What reads and scores the episodes by their own labels.

    Raises:
        NotARun: a file of it cannot be read.
        NothingToAggregate: there are no other labels.
        MissingExtra: the aggregation needs a library that is not installed.
    """
    record = run.read()
    name = metrics or record.config.metrics
    profile = PROFILES[name]
    aggregate = METHODS.get(labels)
    endings, tally = Endings(run.folder), SiteTally()
    scores = RunScores.read(run, profile, [endings, tally], pool)
    record = replace(record, results=_results(scores))
    if name != record.config.metrics:
        config = replace(record.config, metrics=name)
        record = replace(record, config=config, comparability_id=record.comparability_under(name))
    if not aggregate or record.results is None:
        return Rescored(record, scores.groups, endings, tally.found())
    aggregated = AggregatedLabels(run.episodes(), aggregate)
    scores = RunScores.of((score_episode(aggregated.replaced(episode), profile) for episode in run.episodes()), record)
    ident = comparability_id(record.compared, f"{name}, labels by {labels}")
    relabelled = Relabelled(labels, aggregated.effect, record.results)
    record = replace(record, results=_results(scores), comparability_id=ident)
    return Rescored(record, scores.groups, endings, labels=relabelled)


def _results(scores: RunScores) -> Results | None:
    """The numbers of a run; None without an episode."""
    return scores.results() if scores.counts.outcomes else None

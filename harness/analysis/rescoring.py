"""A run scored again from its directory: by another profile, or with one label in place of many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.analysis.scored_run import Visitor
from harness.analysis.summary import summarise
from harness.metrics import PROFILES
from harness.people.aggregation import METHODS, AggregatedLabels
from harness.people.aggregation_names import MAJORITY
from harness.runlog.directory import RunDirectory
from harness.runlog.provenance import comparability_id
from harness.scoring.scores import InstanceScore, score_episode


def score_run(
    run: RunDirectory, metrics: str | None = None, labels: str = MAJORITY, visitors: Sequence[Visitor] = ()
) -> dict[str, Any]:
    """The record of a run with its results computed anew.

    Args:
        run: The run directory; it is not changed.
        metrics: Another profile than the run's own; the comparability id is then that of a run with this profile.
        labels: A name of ``AGGREGATIONS``. Other than by majority, the record has one more key, ``labels``: the name as
            ``aggregation``, what was done as ``effect``, and the results without it as ``majority``; and no run has its
            comparability id.
        visitors: Each is shown every episode with the scores that the results are made of.

    Raises:
        NotARun: a file of it cannot be read.
        NothingToAggregate: there are no other labels.
        MissingExtra: the aggregation needs a library that is not installed.
    """
    record = run.read()
    name = metrics or record["config"]["metrics"]
    profile = PROFILES[name]
    aggregate = METHODS.get(labels)
    scores = (score_episode(episode, profile) for episode in run.episodes())
    record["results"] = _results(scores, () if aggregate else visitors)
    if name != record["config"]["metrics"]:
        record["config"]["metrics"] = name
        record["comparability_id"] = comparability_id(record, name)
    if aggregate and record["results"]:
        aggregated = AggregatedLabels(run.episodes(), aggregate)
        scores = (score_episode(aggregated.replaced(episode), profile) for episode in run.episodes())
        results = _results(scores, visitors)
        effect = aggregated.effect.to_json()
        record["labels"] = {"aggregation": labels, "effect": effect, "majority": record["results"]}
        record["results"] = results
        record["comparability_id"] = comparability_id(record, f"{name}, labels by {labels}")
    return record


def _results(scores: Iterable[InstanceScore], visitors: Sequence[Visitor]) -> dict[str, Any] | None:
    """The numbers of a run; None without an episode."""
    results = summarise(_shown(scores, visitors))
    return results if any(results["outcomes"].values()) else None


def _shown(scores: Iterable[InstanceScore], visitors: Sequence[Visitor]) -> Iterator[InstanceScore]:
    for score in scores:
        for visitor in visitors:
            visitor.see(score)
        yield score

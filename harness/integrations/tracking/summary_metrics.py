"""What a run came to, as metrics: the headline with its interval, splits, tasks and kinds, outcomes and effort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.analysis.result_numbers import GroupNumbers, ResultNumbers, numbers
from harness.analysis.scored_run import read_scored
from harness.analysis.seeds import group
from harness.analysis.tally import Tally
from harness.catalog.tasks_folder import id_of
from harness.integrations.tracking.tracker import Metrics
from harness.kit.statistics.estimate import Estimate

_MEANS = ("ceiling", "do_nothing", "constant", "copy", "skill_over_do_nothing", "skill_over_constant")


def summary_metrics(folder: Path) -> Metrics:
    """The numbers of a run, under its own profile; what is not known is left out.

    Args:
        folder: Its run directory; all episodes are read.

    Raises:
        harness.records.directory.NotARun: it cannot be read.
    """
    tally = Tally()
    (result,) = group([read_scored(folder, visitors=[tally])])
    return {name: value for name, value in _metrics(numbers(result, [tally])) if value is not None}


def _metrics(found: ResultNumbers) -> Iterator[tuple[str, float | None]]:
    overall = found.groups.overall
    yield from _estimate("score", overall.estimates.score)
    yield from _estimate("of_ceiling", overall.estimates.of_ceiling)
    yield from ((name, getattr(overall.means, name)) for name in _MEANS)
    yield "mean_over_instances", found.groups.instances.estimates.score.value
    yield "mean_over_fields", found.groups.fields.estimates.score.value
    if found.bounds:
        yield "bounds.low", found.bounds[0]
        yield "bounds.high", found.bounds[1]
    for part, groups in (("split", found.groups.splits), ("task", found.groups.tasks), ("kind", found.groups.kinds)):
        for name, each in groups.items():
            yield from _part(f"{part}/{id_of(name)}", each)
    yield from ((f"outcome/{outcome}", count) for outcome, count in found.outcomes.items())
    yield "rate/accepted_submissions", found.rates.accepted_submissions
    yield "rate/filled_where_every_worker_left_blank", found.rates.filled_where_every_worker_left_blank
    for measure, effort in found.effort.items():
        if not effort.unknown:
            yield f"effort/{measure}", effort.total
            yield f"effort/{measure}.per_instance", effort.per_instance


def _part(name: str, group: GroupNumbers) -> Iterator[tuple[str, float | None]]:
    yield from _estimate(f"{name}/score", group.estimates.score)
    yield f"{name}/ceiling", group.means.ceiling


def _estimate(name: str, estimate: Estimate) -> Iterator[tuple[str, float | None]]:
    yield name, estimate.value
    # After a dot: MLflow's folders cannot hold both a metric and others below its name.
    yield f"{name}.low", estimate.low
    yield f"{name}.high", estimate.high

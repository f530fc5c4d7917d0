"""A run as trackers take it, in flat names and numbers: what it is made of, how far it is, what it came to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from harness.analysis.result_numbers import GroupNumbers, ResultNumbers, numbers
from harness.analysis.scored_run import read_scored
from harness.analysis.seeds import group
from harness.analysis.tally import Tally
from harness.catalog.tasks_folder import id_of
from harness.integrations.tracking.tracker import Metrics, Parameters
from harness.kit.files.installation import PACKAGE
from harness.kit.options import given, is_closed, options_in, view
from harness.kit.statistics.estimate import Estimate
from harness.models.call_options import Budget, ModelChoice
from harness.papers.turkingbench.row_command import HOW_ASKED
from harness.records.config import RunConfig
from harness.records.episode import OUTCOMES
from harness.records.run_record import RunRecord
from harness.scoring.scores import InstanceScore

_OF_CONFIG = ("split", "judge", "drawing_seed", *(each.name for each in options_in(RunConfig) if is_closed(each)))
"""What is free text of these is the name of a split or of a preset."""
_RECIPE = (*(name for name in HOW_ASKED if name != "model"), "field_names", "retries", "seed")
"""Of how a model is asked."""


def begun_parameters(record: RunRecord) -> Parameters:
    """What is known when the instances are chosen.

    Args:
        record: The content of ``run.json``.
    """
    config, provenance, recipe = record.config, record.provenance, record.solver.get("recipe") or {}
    git = provenance.git
    return _known(
        {
            "solver": solver_name(record),
            "model": model_name(record),
            "provider": record.solver.get("provider"),
            "prompts": record.solver.get("prompts"),
            **{f"recipe.{name}": recipe.get(name) for name in _RECIPE},
            **{f"recipe.{name}": value for name, value in (recipe.get("site") or {}).items()},
            **{name: getattr(config, name) for name in _OF_CONFIG},
            **given(view(Budget, config.options)),
            "max_steps": config.limits.max_steps,
            "max_seconds": config.limits.max_seconds,
            "protocol": record.protocol,
            "planned_episodes": record.planned_episodes,
            "task_set": record.task_set,
            "sample": record.sample,
            "version.python": provenance.python,
            f"version.{PACKAGE}": provenance.packages.get(PACKAGE),
            "revision": git.revision if git else None,
            "revision.changed_files": len(git.changed_files) if git else None,
        }
    )


def solver_name(record: RunRecord) -> str:
    """The solver of a run; of a file of one's own without its folder."""
    return PurePath(record.config.solver).name


def model_name(record: RunRecord) -> str:
    """The model that a run asked for; of a file without its folder; empty if it named none."""
    asked = view(ModelChoice, record.config.options).model or (record.solver.get("recipe") or {}).get("model") or ""
    return PurePath(str(asked)).name if record.config.solver == "local" else str(asked)


def ended_parameters(record: RunRecord) -> Parameters:
    """What is known when the episodes have been played.

    Args:
        record: The content of ``run.json``.
    """
    return _known(
        {
            "status": record.status,
            "stopped": record.stopped.kind if record.stopped else None,
            "comparability_id": record.comparability_id,
            "inventory": record.inventory,
            "version.browser": record.provenance.browser,
            "served": ", ".join(sorted(record.served)),
        }
    )


def _known(values: Mapping[str, Any]) -> Parameters:
    return {name: value for name, value in values.items() if isinstance(value, (str, int, float, bool)) and value != ""}


class ProgressMetrics:
    """Sums over the episodes so far; a sum of which a part is not known is left out from then on.

    Attributes:
        episodes: How many have ended.
    """

    def __init__(self) -> None:
        self.episodes = 0
        self._outcomes: Counter[str] = Counter()
        self._scored, self._score = 0, 0.0
        self._cost: Decimal | None = Decimal(0)
        self._tokens: tuple[int, int] | None = (0, 0)

    def add(self, score: InstanceScore) -> Metrics:
        """One more episode; returns the metrics with it."""
        episode = score.episode
        seconds = math.fsum(episode.timing.values()) / 1000
        self.episodes += 1
        self._outcomes[episode.outcome] += 1
        if score.score is not None:
            self._scored += 1
            self._score += score.score
        cost, usage = episode.cost, episode.usage
        self._cost = None if self._cost is None or cost is None else self._cost + Decimal(str(cost))
        read, wrote = self._tokens or (0, 0)
        if self._tokens is not None:
            self._tokens = (read + usage.input_tokens, wrote + usage.output_tokens) if usage else None
        return {
            "progress/episodes": self.episodes,
            "progress/scored": self._scored,
            **{f"progress/outcome/{name}": self._outcomes[name] for name in OUTCOMES},
            **({"progress/mean_score": self._score / self._scored} if self._scored else {}),
            **({} if self._cost is None else {"progress/cost": float(self._cost)}),
            **self._of_tokens(),
            **({} if score.score is None else {"episode/score": score.score}),
            "episode/seconds": round(seconds, 3),
        }

    def _of_tokens(self) -> Metrics:
        if self._tokens is None:
            return {}
        return {"progress/input_tokens": self._tokens[0], "progress/output_tokens": self._tokens[1]}


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

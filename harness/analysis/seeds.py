"""What a solver reached: one run of it, or several runs that differ in the solver's seed alone."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from harness.analysis.aggregation import headline
from harness.analysis.scored_run import ScoredRun
from harness.analysis.shared_instances import SharedItems, share
from harness.kit.files.codec import plain
from harness.kit.text import shorten
from harness.records.agent_name import agent_name
from harness.records.config import option_names
from harness.records.episode import OUTCOMES
from harness.records.provenance import fingerprint_of
from harness.scoring.scored_kind import GROUPS

_CONDITIONS = ("input", "live_clock", "visitor")
_NOT_AVERAGED = (
    *("task", "split", "outcome", *GROUPS, "index", "id"),
    *("instance", "name", "kind", "tied", "visible"),
)


@dataclass(frozen=True)
class Result:
    """What a solver reached, as a mean over seeds.

    A result of a single run has that run's tables. Of several, the tables hold the means over seeds of each instance
    and of each field, on what all of them scored, so that between seeds nothing differs but the answers.

    Attributes:
        name: The solver, with what tells it from the other results of one call.
        runs: Its runs, as they were given.
        instances: As in ``ScoredRun``. Of several seeds, ``outcome`` is the last in the order of
            ``harness.records.episode.OUTCOMES`` that any seed ended with, and ``index`` that in the first run.
        fields: As in ``ScoredRun``. Of several seeds, ``tied`` is whether a tie decided any.
        seeds: The solver's seed of each run.
        headlines: The mean over tasks of each run, on the instances of these tables; None if nothing was scored.
        dropped: Of several seeds: why -> how many instances that stand in any of the runs these tables do not hold.
    """

    name: str
    runs: tuple[ScoredRun, ...]
    instances: pd.DataFrame
    fields: pd.DataFrame
    seeds: tuple[int, ...]
    headlines: tuple[float | None, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)

    @property
    def between_seeds(self) -> float | None:
        """The standard deviation of the headlines (with n - 1); None of a single run."""
        known = [headline for headline in self.headlines if headline is not None]
        return statistics.stdev(known) if len(known) > 1 else None


def group(runs: Sequence[ScoredRun]) -> list[Result]:
    """Put the seeds of each solver together.

    Runs are one result if solver, models that answered, options, prompts, limits, input and comparability id are
    equal and their solver's seeds all differ. A second run with a seed that is there already begins a result of its
    own.

    Args:
        runs: Scored runs.

    Returns:
        The results, in the order of their first runs, with names that differ.
    """
    found: list[tuple[str, list[ScoredRun]]] = []
    for run in runs:
        identity = fingerprint_of([settings_of(run), run.comparability_id])
        seed = seed_of(run)
        for other, members in found:
            if other == identity and seed not in map(seed_of, members):
                members.append(run)
                break
        else:
            found.append((identity, [run]))
    groups = [tuple(members) for _, members in found]
    return [_result(name, members) for name, members in zip(_names(groups), groups, strict=True)]


def seed_of(run: ScoredRun) -> int:
    """The seed of a run's solver: ``--solver-seed``, or else ``--seed``."""
    return run.record.config.drawing_seed


def settings_of(run: ScoredRun) -> dict[str, Any]:
    """What makes a solver what it is, beside its seed: setting -> value."""
    config, calls = plain(run.record.config), option_names(changes="called")
    return {
        "solver": run.solver,
        "served": sorted(run.record.served),
        **{name: value for name, value in config["options"].items() if name not in calls},
        **config["limits"],
        # A config that was read lacks in JSON what its file lacked, as older ones do.
        **{name: getattr(run.record.config, name) for name in _CONDITIONS},
        "prompts": run.record.solver.get("prompts"),
        "profile": run.profile,
    }


def _result(name: str, runs: tuple[ScoredRun, ...]) -> Result:
    seeds = tuple(map(seed_of, runs))
    if len(runs) == 1:
        run = runs[0]
        return Result(name, runs, run.instances, run.fields, seeds, (headline(run.instances),))
    shared = share(runs, [f"seed {seed}" for seed in seeds])
    parts = [run.instances.iloc[rows] for run, rows in zip(runs, shared.instances, strict=True)]
    return Result(
        name=name,
        runs=runs,
        instances=_mean_instances(parts),
        fields=_mean_fields(runs, shared),
        seeds=seeds,
        headlines=tuple(map(headline, parts)),
        dropped=shared.dropped,
    )


def _mean_instances(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    mean = _mean(parts)
    ranks = [part["outcome"].astype(object).map(OUTCOMES.index).to_numpy(dtype=np.int64) for part in parts]
    worst = np.array(OUTCOMES, dtype=object)[np.max(ranks, axis=0)]
    mean["outcome"] = pd.Categorical(worst, categories=sorted(set(worst)))
    return mean


def _mean_fields(runs: Sequence[ScoredRun], shared: SharedItems) -> pd.DataFrame:
    parts = [run.fields.iloc[rows] for run, rows in zip(runs, shared.fields, strict=True)]
    mean = _mean(parts)
    mean["instance"] = shared.places
    mean["tied"] = np.any([part["tied"].to_numpy() for part in parts], axis=0)
    return mean


def _mean(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The first table with the means of all in its columns of numbers; what one part does not know, the mean is not."""
    mean = parts[0].reset_index(drop=True)
    for name in mean.columns.difference(list(_NOT_AVERAGED)):
        mean[name] = np.mean([part[name].to_numpy(dtype=np.float64) for part in parts], axis=0)
    return mean


def _names(groups: Sequence[Sequence[ScoredRun]]) -> list[str]:
    """Names of agents; where several have one, with what differs, else with the folder, else numbered."""
    settings = [
        {
            **settings_of(members[0]),
            "agent": agent_name(members[0].record),
            "seed": "+".join(str(seed_of(run)) for run in members),
        }
        for members in groups
    ]
    names = []
    for members, each in zip(groups, settings, strict=True):
        namesakes = [other for other in settings if other["agent"] == each["agent"]]
        telling = [key for key in each if any(other.get(key) != each[key] for other in namesakes)]
        names.append(agent_name(members[0].record, *(f"{key} {shorten(str(each[key]), 20)}" for key in telling)))
    folders = [
        f"{name} [{members[0].folder.name}]" if names.count(name) > 1 else name
        for name, members in zip(names, groups, strict=True)
    ]
    return [
        f"{name} #{folders[: place + 1].count(name)}" if folders.count(name) > 1 else name
        for place, name in enumerate(folders)
    ]

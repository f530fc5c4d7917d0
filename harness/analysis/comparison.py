"""Two results on the instances that they share: how far apart they are, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.conditions import differing_conditions
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import Result
from harness.analysis.shared_instances import SharedItems, share
from harness.analysis.site_groups import REACHED, in_order
from harness.kit.errors import UserError
from harness.kit.files.writing import path_name, url_name
from harness.kit.registry import registry
from harness.kit.statistics.clustered import DIFFERENCES, mean_of_clusters, mean_of_items
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.significance import holm, mcnemar, sign_flip
from harness.records.directory import RunDirectory

SCORE, LEFT_OUT = "score", "own_left_out"
"""What is compared: scores; or, beside the workers themselves, scores with each worker's labels left out in turn."""
_EQUAL = 1e-9
"""Scores closer than this are the same score, summed in another order."""


class NothingShared(UserError):
    """Two results have no scored instance in common; the message says why."""


@dataclass(frozen=True)
class ReachedGoals:
    """Episodes on websites by which results reached the goal, as their main evaluators say.

    Attributes:
        both: Goals that both reached.
        only_first: That the first alone reached.
        only_second: That the second alone reached.
        neither: That none reached.
        unknown: Of which that is not known of one or both; they are in none of these counts.
        p_by_task: The sign-flip test on each task's only_second less only_first; None with fewer than six tasks.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    unknown: int
    p_by_task: float | None


@dataclass(frozen=True)
class Contrast:
    """One mean of both results.

    Attributes:
        first: The first result's mean.
        second: The second's.
        difference: Second less first, with its interval.
        p: Of the sign-flip test on the tasks' differences; None with fewer than six tasks.
        corrected: The same after Holm's correction over its family of tests.
    """

    first: float
    second: float
    difference: Estimate
    p: float | None
    corrected: float | None = None


@dataclass(frozen=True)
class TaskContrast:
    """A task's means over its shared instances, and which way it goes.

    Attributes:
        name: The task.
        split: Its split.
        instances: How many are shared.
        first: The first result's mean.
        second: The second's.
        difference: Second less first.
    """

    name: str
    split: str
    instances: int
    first: float
    second: float
    difference: float


@dataclass(frozen=True)
class RightFields:
    """Scored fields by which results have them right: whose score reaches the field's ceiling.

    Attributes:
        both: Fields that both have right.
        only_first: That the first alone has right.
        only_second: That the second alone has right.
        neither: That none has right.
        out_of_reach: Fields whose ceiling is 0, which are in none of these counts.
        p: McNemar's exact test, which takes fields as independent; None with fewer than six tasks.
        p_by_task: The sign-flip test on each task's only_second less only_first, which does not; None likewise.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    out_of_reach: int
    p: float | None
    p_by_task: float | None


@dataclass(frozen=True)
class DivergentInstance:
    """An instance on which the results are far apart.

    Attributes:
        task: Its task.
        id: Its id.
        index: Its place in the first result's table.
        first: The first result's score.
        second: The second's.
        page: The path of its page for people on the task server, inputs and labels beside it.
        episodes: The files of its episodes: those of the first result's runs, then the second's.
    """

    task: str
    id: str
    index: int
    first: float
    second: float
    page: str
    episodes: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Comparison:
    """Two results compared.

    Attributes:
        first: The name of the first.
        second: The name of the second.
        measure: ``SCORE`` or ``LEFT_OUT``.
        overall: The headlines: means over tasks.
        splits: Split -> mean over its tasks.
        kinds: Kind of field -> mean over all fields of it.
        tasks: By name.
        wins: Tasks where the second is ahead.
        ties: Tasks where they are equal.
        losses: Tasks where the first is ahead.
        sites: Website -> mean over its tasks; empty without websites.
        levels: Level of a website's task -> mean over these tasks.
        goals: Goals of websites that were reached; None without websites, and of means over seeds.
        right: Right and wrong fields; None where scores are means over seeds or workers, which are neither.
        farthest: The instances that differ most, from the largest difference; of equal ones one of each task first.
        dropped: Why -> how many instances are not compared.
        warnings: What else differs between the runs, in words.
    """

    first: str
    second: str
    measure: str
    overall: Contrast
    splits: Mapping[str, Contrast]
    kinds: Mapping[str, Contrast]
    tasks: tuple[TaskContrast, ...]
    wins: int
    ties: int
    losses: int
    sites: Mapping[str, Contrast]
    levels: Mapping[str, Contrast]
    goals: ReachedGoals | None
    right: RightFields | None
    farthest: tuple[DivergentInstance, ...]
    dropped: Mapping[str, int]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the attributes' names as its keys."""
        return asdict(self)


def compare(
    results: Sequence[Result], *, measure: str = SCORE, draws: int = 10_000, seed: int = 0, farthest: int = 10
) -> list[Comparison]:
    """Compare each result with the first, on the instances that these two share.

    P-values are corrected over all comparisons: the headlines, all splits, all kinds of field, all websites and all
    levels are a family each.

    Args:
        results: At least two.
        measure: ``SCORE`` or ``LEFT_OUT``.
        draws: Of the bootstrap.
        seed: Of the bootstrap and of the tests' random patterns.
        farthest: At most how many of the instances that differ most are listed.

    Raises:
        NothingShared: two results have no scored instance in common.
    """
    first, *others = results
    made = [_Pair(first, other, measure, draws, seed).compare(farthest) for other in others]
    overall = _corrected([{"": each.overall} for each in made])
    splits = _corrected([each.splits for each in made])
    kinds = _corrected([each.kinds for each in made])
    sites = _corrected([each.sites for each in made])
    levels = _corrected([each.levels for each in made])
    return [
        replace(
            each,
            overall=overall[place][""],
            splits=splits[place],
            kinds=kinds[place],
            sites=sites[place],
            levels=levels[place],
        )
        for place, each in enumerate(made)
    ]


def differences(first: Result, second: Result, measure: str = SCORE) -> tuple[pd.DataFrame, Mapping[str, int]]:
    """The shared instances of two results.

    Returns:
        A row each: ``task``, ``split``, ``id``, the places ``index_first`` and ``index_second``, ``first``, ``second``,
        ``difference`` (second less first); and the counts of those that are not shared, by reason.

    Raises:
        NothingShared: there is none.
    """
    shared = share((first, second), _called(first, second), measure)
    return _instances(first, second, shared, measure), shared.dropped


class _Pair:
    """Two results side by side."""

    def __init__(self, first: Result, second: Result, measure: str, draws: int, seed: int) -> None:
        self._results = (first, second)
        self._measure = measure
        self._how = {"draws": draws, "seed": seed}
        shared = share((first, second), _called(first, second), measure)
        self._dropped = shared.dropped
        self._instances = _instances(first, second, shared, measure)
        self._codes = pd.factorize(self._instances["task"])[0].astype(np.int64)
        self._fields = _fields(first, second, shared, measure)

    def compare(self, farthest: int) -> Comparison:
        """All of it, without a correction."""
        tasks = self._tasks()
        signs = np.array([task.difference for task in tasks])
        first, second = self._results
        split = self._instances["split"].to_numpy()
        kind = self._fields["kind"].to_numpy()
        return Comparison(
            first=first.name,
            second=second.name,
            measure=self._measure,
            overall=self._over_tasks(np.ones(len(split), dtype=bool)),
            splits={str(name): self._over_tasks(split == name) for name in sorted(set(split))},
            kinds={str(name): self._over_fields(kind == name) for name in sorted(set(kind))},
            tasks=tasks,
            wins=int((signs > _EQUAL).sum()),
            ties=int((abs(signs) <= _EQUAL).sum()),
            losses=int((signs < -_EQUAL).sum()),
            sites=self._by_site("site"),
            levels=self._by_site("level"),
            goals=self._goals(),
            right=self._right(),
            farthest=self._farthest(farthest),
            dropped=dict(self._dropped),
            warnings=differing_conditions((*first.runs, *second.runs)),
        )

    def _over_tasks(self, where: NDArray[np.bool_]) -> Contrast:
        chosen, codes = self._instances[where], self._codes[where]
        means = chosen.groupby(codes)[["first", "second", "difference"]].mean()
        return Contrast(
            first=float(means["first"].mean()),
            second=float(means["second"].mean()),
            difference=mean_of_clusters(chosen["difference"].to_numpy(), codes, bounds=DIFFERENCES, **self._how),
            p=sign_flip(means["difference"].to_numpy(), seed=self._how["seed"]),
        )

    def _by_site(self, word: str) -> dict[str, Contrast]:
        found = self._instances[word].to_numpy()
        return {name: self._over_tasks(found == name) for name in in_order(str(each) for each in found if each)}

    def _goals(self) -> ReachedGoals | None:
        if any(len(result.runs) > 1 for result in self._results):
            return None
        return _reached_goals(self._instances, self._how["seed"])

    def _over_fields(self, where: NDArray[np.bool_]) -> Contrast:
        chosen = self._fields[where]
        per_instance = chosen.groupby("place")["difference"].agg(["sum", "count"])
        codes = self._codes[per_instance.index.to_numpy()]
        sums = per_instance["sum"].to_numpy()
        return Contrast(
            first=float(chosen["first"].mean()),
            second=float(chosen["second"].mean()),
            difference=mean_of_items(sums, per_instance["count"].to_numpy(), codes, bounds=DIFFERENCES, **self._how),
            # Sums, not means: their total is the mean over fields times their number, and keeps its sign.
            p=sign_flip(_totals(sums, codes), seed=self._how["seed"]),
        )

    def _tasks(self) -> tuple[TaskContrast, ...]:
        groups = self._instances.groupby("task", observed=True, sort=True)
        means = groups[["first", "second", "difference"]].mean()
        means["split"] = groups["split"].first()
        means["instances"] = groups.size()
        return tuple(
            TaskContrast(
                str(name), str(row["split"]), int(row["instances"]), row["first"], row["second"], row["difference"]
            )
            for name, row in means.iterrows()
        )

    def _right(self) -> RightFields | None:
        if self._measure != SCORE or any(len(result.runs) > 1 for result in self._results):
            return None
        reachable = self._fields["ceiling"].to_numpy() > _EQUAL
        fields = self._fields[reachable]
        first, second = (
            fields[name].to_numpy() > fields["ceiling"].to_numpy() - _EQUAL for name in ("first", "second")
        )
        codes = self._codes[fields["place"].to_numpy()]
        net = _totals(second.astype(np.float64) - first, codes)
        only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
        by_task = sign_flip(net, seed=self._how["seed"])
        return RightFields(
            both=int((first & second).sum()),
            only_first=only_first,
            only_second=only_second,
            neither=int((~first & ~second).sum()),
            out_of_reach=int((~reachable).sum()),
            p=None if by_task is None else mcnemar(only_first, only_second),
            p_by_task=by_task,
        )

    def _farthest(self, most: int) -> tuple[DivergentInstance, ...]:
        apart = self._instances[self._instances["difference"].abs() > _EQUAL]
        distance = -apart["difference"].abs().round(9)
        # Of those that are equally far one of each task comes first: a task can have hundreds that are 0 and 100.
        turn = distance.groupby([apart["task"], distance]).cumcount()
        order = np.lexsort((turn.to_numpy(), distance.to_numpy()))[:most]
        return tuple(self._far(row) for row in apart.iloc[order].itertuples())

    def _far(self, row: Any) -> DivergentInstance:
        first, second = (
            tuple(str(run.folder / "episodes" / path_name(row.task) / f"{index}.json") for run in result.runs)
            for result, index in zip(self._results, (row.index_first, row.index_second), strict=True)
        )
        return DivergentInstance(
            task=row.task,
            id=row.id,
            index=row.index_first,
            first=row.first,
            second=row.second,
            page=f"/task/{url_name(row.task)}/{row.index_first}/",
            episodes=(first, second),
        )


def _called(first: Result, second: Result) -> tuple[str, str]:
    return first.name, second.name


def _instances(first: Result, second: Result, shared: SharedItems, measure: str) -> pd.DataFrame:
    """The shared instances, a row each, with the scores of both."""
    mine, others = (result.instances.iloc[rows] for result, rows in zip((first, second), shared.instances, strict=True))
    if not len(mine):
        why = ", ".join(f"{count} {reason}" for reason, count in shared.dropped.items())
        raise NothingShared(
            f"{first.name} and {second.name} have no scored instance in common: {why or 'both are empty'}"
        )
    scores = {"first": mine[measure].to_numpy(), "second": others[measure].to_numpy()}
    columns = {name: mine[name].astype(object).to_numpy() for name in ("task", "split", "id", "site", "level")}
    columns |= {
        f"reached_{place}": table["reached"].astype(object).to_numpy()
        for place, table in (("first", mine), ("second", others))
    }
    indices = {"index_first": mine["index"].to_numpy(), "index_second": others["index"].to_numpy()}
    return pd.DataFrame({**columns, **indices, **scores, "difference": scores["second"] - scores["first"]})


def _fields(first: Result, second: Result, shared: SharedItems, measure: str) -> pd.DataFrame:
    """The shared fields, a row each, with the place of their instance and the scores of both."""
    mine, others = (result.fields.iloc[rows] for result, rows in zip((first, second), shared.fields, strict=True))
    scores = {"first": mine[measure].to_numpy(), "second": others[measure].to_numpy()}
    columns = {"kind": mine["kind"].astype(object).to_numpy(), "ceiling": mine["ceiling"].to_numpy()}
    return pd.DataFrame({"place": shared.places, **columns, **scores, "difference": scores["second"] - scores["first"]})


def _totals(values: NDArray[np.float64], codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """The total of each task that has any."""
    _, places = np.unique(codes, return_inverse=True)
    return np.bincount(places, values).astype(np.float64)


def _corrected(families: Sequence[Mapping[str, Contrast]]) -> list[dict[str, Contrast]]:
    """The contrasts of one family with their corrected p-values."""
    corrected = iter(holm([contrast.p for each in families for contrast in each.values()]))
    return [
        {name: replace(contrast, corrected=next(corrected)) for name, contrast in each.items()} for each in families
    ]


def read_runs(folders: Sequence[Path], profile: str | None, pool: Executor = IN_PLACE) -> tuple[list[ScoredRun], str]:
    """Read runs, and say what of them can be compared.

    Args:
        folders: Run directories.
        profile: The profile to score them by; None for their own.
        pool: What reads and scores their episodes.

    Returns:
        The runs; and the measure: ``LEFT_OUT`` if one of them is the workers themselves, else ``SCORE``.

    Raises:
        NotARun: one of them cannot be read.
    """
    solvers = {RunDirectory(folder).read().config.solver for folder in folders}
    people = bool(solvers & {"crowd", registry("solvers").place("crowd")})
    runs = [read_scored(folder, profile, people=people, pool=pool) for folder in folders]
    return runs, LEFT_OUT if people else SCORE


def result_record(result: Result) -> dict[str, Any]:
    """Which runs a result is made of, as a JSON object."""
    return {
        "name": result.name,
        "runs": [str(run.folder) for run in result.runs],
        "profile": result.runs[0].profile,
        "comparability_id": result.runs[0].comparability_id,
        "seeds": list(result.seeds),
        "headlines": list(result.headlines),
        "between_seeds": result.between_seeds,
        "dropped": dict(result.dropped),
    }


def _reached_goals(instances: pd.DataFrame, seed: int) -> ReachedGoals | None:
    """The goals of the websites among shared instances; None if none of them is on a website.

    Args:
        instances: A row each, with ``task``, ``site`` (empty of a form), ``reached_first`` and ``reached_second``.
        seed: Of the test's random patterns.
    """
    on_site = instances[instances["site"] != ""]
    if on_site.empty:
        return None
    reached = on_site[["reached_first", "reached_second"]].to_numpy()
    known = (reached != REACHED[None]).all(axis=1)
    first, second = (reached[known] == REACHED[True]).T
    net = pd.Series(second.astype(np.float64) - first).groupby(on_site["task"].to_numpy()[known]).sum()
    return ReachedGoals(
        both=int((first & second).sum()),
        only_first=int((first & ~second).sum()),
        only_second=int((second & ~first).sum()),
        neither=int((~first & ~second).sum()),
        unknown=int((~known).sum()),
        p_by_task=sign_flip(net.to_numpy(), seed=seed),
    )

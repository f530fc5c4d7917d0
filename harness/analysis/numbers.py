"""Every number of a report: scores with intervals, people on the same items, outcomes, effort and errors.

``docs/reports.md`` defines each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from harness.analysis.averages import Mean, estimated, over_items, over_one_task, over_tasks
from harness.analysis.means import Numbers, bounds, number, numbers_of, task_means, with_skill
from harness.analysis.score_table import FIELD_MEASURES, MEASURES
from harness.analysis.scored_run import ScoredRun
from harness.analysis.seeds import Result, headline
from harness.analysis.tally import Tally
from harness.people.label_agreement import Agreement, pooled
from harness.runlog.episode import OUTCOMES
from harness.statistics.clustered import LEVEL, How
from harness.statistics.defaults import DRAWS
from harness.statistics.estimate import Estimate

FLOORS = ("do_nothing", "constant", "copy")
"""Measures of solvers that understand nothing."""
CLOSE = 0.05
"""How near to people a floor makes a task trivial."""
_EFFORT = ("steps", "failed", "seconds", "cost", "input_tokens", "output_tokens", "turns")
_ROUNDING = 1e-9
_CROWD = "crowd"
"""The solver whose answers are the workers' own."""


def numbers(result: Result, tallies: Sequence[Tally] = (), *, draws: int = DRAWS, seed: int = 0) -> Numbers:
    """All numbers of a result, as a JSON object. A number that nothing could be measured for is null.

    Args:
        result: One or several seeds of a solver, read with ``people=True`` if workers are to stand beside it.
        tallies: What was seen of its runs while they were read, one a run. Without any, ``errors`` and
            ``unscored_fields`` are null, and so are the labels' ``agreement`` and one of the ``rates``.
        draws: Of each bootstrap.
        seed: Of each bootstrap.

    Returns:
        A *group* is an object with ``score``, ``of_ceiling``, ``own_left_out``, ``crowd`` and ``gap``, each an
        ``Estimate`` as JSON (``value``, ``low``, ``high``, ``clusters``, ``items``, ``method``; all there, with null in
        ``value`` if nothing was measured); ``ceiling``, ``do_nothing``, ``constant``, ``copy``, ``untied``,
        ``skill_over_do_nothing``, ``skill_over_constant``, each a number or null; and the counts ``tasks``,
        ``instances``, ``fields`` (with a score) and ``episodes``.

        - ``profile``, ``comparability_id``, ``level``, ``draws``, ``seed``: what they hold for.
        - ``overall``: the group of all tasks, a mean over tasks; ``instances_mean``, ``fields_mean``: the same as means
          over instances and over fields.
        - ``splits``: split -> group, a mean over its tasks. ``tasks``: task -> group, a mean over its instances, with
          ``split``. ``kinds``: kind of field -> group, a mean over its fields.
        - ``rank``: the tasks from the hardest to the easiest, each with ``task``, ``place`` (1 is the hardest; equals
          share one; null without a score), ``tied`` and ``score`` (a number).
        - ``trivial``: what ``FLOORS`` come close to people, each with ``task``, ``floor``, ``floor_score``, ``against``
          (``crowd``, or ``solver`` where no crowd is known and the solver is no floor) and ``against_score``.
        - ``outcomes``: outcome -> episodes, of all runs. ``rates`` and ``unscored_fields``: as in ``run.json``.
        - ``bounds``: the least and the most that the headline can be; null if no instance is missing.
        - ``effort``: measure -> ``total``, ``per_instance``, ``per_point``, ``known`` (instances). The measures are
          ``steps``, ``failed``, ``seconds``, ``cost``, ``input_tokens``, ``output_tokens``, ``turns``. Beside them
          ``turns_from_cache``, a count or null.
        - ``errors``: failed actions, see ``harness.analysis.failed_actions.FailedActions.to_json``.
        - ``agreement``: ``labels``: of the workers, ``overall``, ``kinds`` and ``tasks``, each as
          ``harness.people.label_agreement.Agreement.to_json``; ``with_workers``: kind of choice -> ``share`` of workers
          who gave the solver's answer, over ``fields``.
        - ``between_seeds``: null of a single run; else ``seeds``, ``headlines``, ``standard_deviation``, ``dropped``.
    """
    how: How = {"draws": draws, "seed": seed, "level": LEVEL}
    seen = Tally.together(tallies) if tallies else None
    instances, fields = _rows(result)
    tasks = task_means(instances)
    overall = _mean_over_tasks(tasks, instances, how)
    groups = {str(name): group for name, group in instances.groupby("task", sort=True, observed=True)}
    by_task = {name: _mean_over_one(tasks, name, group, how) for name, group in groups.items()}
    found = {
        "profile": result.runs[0].profile,
        "comparability_id": result.runs[0].comparability_id,
        "level": LEVEL,
        "draws": draws,
        "seed": seed,
        "overall": overall,
        "instances_mean": _mean_over_instances(instances, how),
        "fields_mean": _mean_over_fields(fields, how),
        "splits": _splits(tasks, instances, overall, how),
        "tasks": by_task,
        "kinds": {str(kind): _mean_over_fields(group, how) for kind, group in fields.groupby("kind", observed=True)},
        "rank": _rank(by_task),
        "trivial": [entry for name, group in groups.items() for entry in _trivial(name, group, result.runs[0].solver)],
        "outcomes": _outcomes(result.runs),
        "rates": _rates(result.runs, seen),
        "unscored_fields": dict(sorted(seen.counts.unscored.items())) if seen else None,
        "bounds": _bounds(result),
        "effort": {**_effort(instances), "turns_from_cache": seen.turns_from_cache if seen else None},
        "errors": seen.failed.to_json() if seen else None,
        "agreement": _agreement(fields, seen),
        "between_seeds": _between_seeds(result),
    }
    if result.runs[0].solver == _CROWD:
        _leave_out_gaps(found)
    return found


def _leave_out_gaps(found: Numbers) -> None:
    """People are at no distance from themselves, and that is not for lack of data: there is nothing to estimate."""
    groups = [found[name] for name in ("overall", "instances_mean", "fields_mean")]
    for name in ("splits", "tasks", "kinds"):
        groups += found[name].values()
    for group in groups:
        group["gap"] = Estimate(None, None, None, 0, 0).to_json()


def _rows(result: Result) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Instances and fields with the numbers of instance and task, and instances with how many fields are scored."""
    codes = result.instances["task"].cat.codes.to_numpy(dtype=np.int64)
    places = result.fields["instance"].to_numpy(dtype=np.int64)
    scored = np.bincount(places, minlength=len(codes))
    instances = result.instances.drop(columns=["id", "index"]).assign(
        instance=np.arange(len(codes)), task_code=codes, scored_fields=scored
    )
    return instances, result.fields.assign(task_code=codes[places])


def _mean_over_tasks(tasks: pd.DataFrame, instances: pd.DataFrame, how: How) -> Numbers:
    return _group(tasks[list(MEASURES)].mean(), instances, over_tasks, how)


def _mean_over_instances(instances: pd.DataFrame, how: How) -> Numbers:
    return _group(instances[list(MEASURES)].mean(), instances, over_items, how)


def _mean_over_fields(fields: pd.DataFrame, how: How) -> Numbers:
    means = fields[list(FIELD_MEASURES)].mean()
    means["untied"] = fields.loc[~fields["tied"].astype(bool), "score"].mean()
    return _group(means, fields, over_items, how)


def _mean_over_one(tasks: pd.DataFrame, name: str, instances: pd.DataFrame, how: How) -> Numbers:
    task = tasks[tasks.index == name].iloc[0]
    return {"split": str(task["split"]), **_group(task[list(MEASURES)], instances, over_one_task, how)}


def _group(means: pd.Series[Any], rows: pd.DataFrame, mean: Mean, how: How) -> Numbers:
    """What ``numbers`` calls a group.

    Args:
        means: The measures, averaged.
        rows: What they are averages of: instances or fields.
        mean: How they were averaged.
        how: To be estimated.
    """
    scored = rows["score"].notna().to_numpy()
    instance, task = rows["instance"].to_numpy(), rows["task_code"].to_numpy()
    fields = scored.sum() if "kind" in rows else rows["scored_fields"].to_numpy()[scored].sum()
    return {
        **with_skill(numbers_of(means)),
        **estimated(rows, mean, how),
        "tasks": len(np.unique(task[scored])),
        "instances": len(np.unique(instance[scored])),
        "fields": int(fields),
        "episodes": len(np.unique(instance)),
    }


def _splits(tasks: pd.DataFrame, instances: pd.DataFrame, overall: Numbers, how: How) -> Numbers:
    rows = instances.groupby("split", observed=True)
    found = {str(split): (group, rows.get_group(split)) for split, group in tasks.groupby("split", observed=True)}
    if len(found) == 1:
        return dict.fromkeys(found, overall)
    return {split: _mean_over_tasks(*both, how) for split, both in found.items()}


def _rank(groups: Mapping[str, Numbers]) -> list[Numbers]:
    """The tasks from the hardest to the easiest, those without a score behind them; equals share a place."""
    scored = sorted((group["score"]["value"], name) for name, group in groups.items() if group["score"]["items"])
    found: list[Numbers] = []
    for place, (score, name) in enumerate(scored, start=1):
        last = found[-1] if found else None
        tied = last is not None and score - last["score"] < _ROUNDING
        if last and tied:
            last["tied"] = True
        found.append({"task": name, "place": last["place"] if last and tied else place, "tied": tied, "score": score})
    unscored = [name for name, group in groups.items() if not group["score"]["items"]]
    return found + [{"task": name, "place": None, "tied": False, "score": None} for name in unscored]


def _trivial(name: str, instances: pd.DataFrame, solver: str) -> list[Numbers]:
    """The floors that come close to people in a task, on the instances whose workers can be scored.

    Where there are none, floors stand beside the solver instead, unless it is a floor itself.
    """
    against, beside = "crowd", instances[instances["crowd"].notna()]
    if beside.empty:
        against, beside = "solver", instances[instances["score"].notna()]
    if beside.empty or (against == "solver" and solver.replace("-", "_") in FLOORS):
        return []
    level = float(beside[against if against == "crowd" else "score"].mean())
    floors = {floor: float(beside[floor].mean()) for floor in FLOORS}
    return [
        {"task": name, "floor": floor, "floor_score": score, "against": against, "against_score": level}
        for floor, score in floors.items()
        if score >= level - CLOSE - _ROUNDING
    ]


def _outcomes(runs: Sequence[ScoredRun]) -> dict[str, int]:
    return {outcome: sum(int((run.instances["outcome"] == outcome).sum()) for run in runs) for outcome in OUTCOMES}


def _rates(runs: Sequence[ScoredRun], seen: Tally | None) -> Numbers:
    accepted = pd.concat([run.instances["accepted"] for run in runs]).mean()
    filled = "filled_where_every_worker_left_blank"
    return {"accepted_submissions": number(accepted), filled: seen.counts.rates()[filled] if seen else None}


def _bounds(result: Result) -> list[float] | None:
    """Of several seeds the mean of the least, and of the most, that each of the headlines can be."""
    found = [bounds(run.instances) for run in result.runs]
    if not any(found):
        return None
    scores = [headline(run.instances) for run in result.runs]
    each = np.array([limits or (score, score) for limits, score in zip(found, scores, strict=True)], dtype=np.float64)
    low, high = each.mean(axis=0)
    return [float(low), float(high)]


def _effort(instances: pd.DataFrame) -> Numbers:
    """What it took, by measure; nothing is known of what an episode took that ended in a harness error."""
    done = instances[instances["outcome"] != "harness_error"]
    found = {}
    for measure in _EFFORT:
        known = done[done[measure].notna()]
        scored = known[known["score"].notna()]
        points = 100 * float(scored["score"].sum())
        found[measure] = {
            "total": float(known[measure].sum()) if len(known) else None,
            "per_instance": number(known[measure].mean()),
            "per_point": float(scored[measure].sum()) / points if points > 0 else None,
            "known": len(known),
        }
    return found


def _agreement(fields: pd.DataFrame, seen: Tally | None) -> Numbers:
    choices = fields[fields["agreement"].notna()].groupby("kind", observed=True)["agreement"]
    shares = {str(kind): {"share": float(column.mean()), "fields": len(column)} for kind, column in choices}
    return {"with_workers": shares, "labels": _label_agreement(seen) if seen else None}


def _label_agreement(seen: Tally) -> Numbers:
    found = seen.agreements.fields()
    kinds: dict[str, list[Agreement]] = {}
    tasks: dict[str, list[Agreement]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each.agreement)
        tasks.setdefault(each.task, []).append(each.agreement)
    return {
        "overall": pooled(each.agreement for each in found).to_json(),
        "kinds": {kind: pooled(group).to_json() for kind, group in sorted(kinds.items())},
        "tasks": {task: pooled(group).to_json() for task, group in sorted(tasks.items())},
    }


def _between_seeds(result: Result) -> Numbers | None:
    if len(result.runs) == 1:
        return None
    return {
        "seeds": list(result.seeds),
        "headlines": list(result.headlines),
        "standard_deviation": result.between_seeds,
        "dropped": dict(result.dropped),
    }

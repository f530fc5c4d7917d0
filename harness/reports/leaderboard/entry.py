"""A record of a leaderboard: what it holds, how it is made of a run, and what can be wrong with one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.aggregation import Rows, groups_of, means_of, number, sizes_of
from harness.analysis.estimation import estimate_of
from harness.episode.registry import SOLVERS
from harness.kit.files.codec import plain
from harness.kit.statistics.clustered import EstimationOptions
from harness.records.agent_name import agent_name
from harness.records.provenance import fingerprint_of
from harness.records.run_record import RunRecord, comparability_id
from harness.reports.leaderboard.checked_run import CheckedRun
from harness.reports.leaderboard.public import public, public_configuration
from harness.reports.leaderboard.rules import rules_of
from harness.reports.leaderboard.shape import misfits
from harness.run.reproduction import Reproduction

SCHEMA = 1
ROLES = {
    "entry": "",
    "baseline": "baseline",
    "oracle": "knows the labels",
    "people": "the workers themselves",
}
"""Role -> the mark that stands beside it. Only entries have a place."""
_ROLE_OF = {
    "oracle": "oracle",
    "crowd": "people",
    "constant": "baseline",
    "do-nothing": "baseline",
    "random": "baseline",
    "copy": "baseline",
    "search": "baseline",
}
MOST_NAME, MOST_NOTE = 80, 400
"""Characters."""
_SAID = frozenset({"id", "name", "note", "started", "ended"})
"""What is said about a result."""
_HOW = frozenset({"task_files_checked", "sandbox", "browser_place", "work", "digests", "replay"})
"""What does not tell one result from another, either; older records lack some of it."""
_ISOLATION = "isolate"
"""The option of a solver that says how its program is shut in; no part of a result, either."""
_EXACT = 1e-9
_MOST = 5
"""Problems of one record that are told."""


def make_entry(run: CheckedRun, *, name: str = "", note: str = "", draws: int = 10_000) -> dict[str, Any]:
    """The record of a run.

    Args:
        run: A run that was checked.
        name: What to call it; empty for the model that answered, or the program, with the solver's name.
        note: Words of the one who adds it.
        draws: Of the bootstrap.

    Returns:
        A JSON object; docs/how-to/leaderboard.md defines it.
    """
    record = run.record
    configuration = public_configuration(plain(record.config))
    told = {key: value for key, value in record.solver.items() if key != "proxy"}  # of somebody's network
    git = record.provenance.git
    made: dict[str, Any] = {
        "schema": SCHEMA,
        "name": name or _default_name(record)[:MOST_NAME],
        "note": note,
        "role": role_of(configuration),
        "configuration": configuration,
        "solver": public({**told, **({"served": sorted(record.served)} if record.served else {})}),
        "harness": {"revision": git.revision if git else None, "changed_files": len(git.changed_files) if git else 0},
        "browser": record.provenance.browser,
        "sandbox": record.sandbox,
        "browser_place": record.config.browser_place,
        "compared": record.compared,
        "task_files_checked": run.task_files_checked,
        "digests": run.digests,
        "answers": run.answers,
        "outcomes": dict(run.outcomes),
        "work": plain(run.work),
        "effort": _effort(next(iter(run.tables.values()))[0]),
        "profiles": {name: _scores(*tables, draws) for name, tables in run.tables.items()},
        "started": record.started,
        "ended": record.ended,
    }
    for name_of_rules, rules in rules_of(record.config.kind, record.config.judge).items():
        made["profiles"][name_of_rules]["comparability_id"] = comparability_id(record.compared, rules)
    return {**made, "id": content_id(made)}


def with_replay(entry: Mapping[str, Any], found: Reproduction, films: int) -> dict[str, Any]:
    """A record that says whether its run came out again.

    Args:
        entry: The record without that.
        found: What doing it again came to.
        films: How many of its episodes have a film.
    """
    said = {"mark": found.mark, "why_not": found.why_not, "films": films}
    counts = {"episodes": found.episodes, "replayed": found.replayed, "same": found.same}
    made = {**entry, "replay": {**said, **counts}}
    return {**made, "id": content_id(made)}


def role_of(configuration: Mapping[str, Any]) -> str:
    """What the solver of a run is to a leaderboard, a key of ``ROLES``.

    Args:
        configuration: Of the run. A solver that was told a golden reference knows what it is judged by.
    """
    if configuration["options"].get("reference", "none") not in (None, "none"):
        return "oracle"
    solver = configuration["solver"]
    named = next((name for name, path in SOLVERS.places().items() if path == solver), solver)
    return _ROLE_OF.get(named, "entry")


def content_id(entry: Mapping[str, Any]) -> str:
    """A hash (sha256, hex) of a record, its name, note and times aside: of what was run and what came of it."""
    return fingerprint_of({key: value for key, value in entry.items() if key not in _SAID})


def result_of(entry: Mapping[str, Any]) -> str:
    """A hash that tells one result from another: of a record, what is said about it and how it was shut in aside."""
    kept = {key: value for key, value in entry.items() if key not in _SAID | _HOW}
    configuration = entry["configuration"]
    options = {name: value for name, value in configuration["options"].items() if name != _ISOLATION}
    return fingerprint_of({**kept, "configuration": {**configuration, "options": options}})


def differences(entry: Mapping[str, Any], again: Mapping[str, Any]) -> list[str]:
    """What a record says otherwise than its run of how program and browser were shut in, and of its replay.

    Args:
        entry: The record; what it does not say at all, as older ones of the sandbox, is no difference.
        again: The record that its run makes now.

    Returns:
        In words; empty if nothing.
    """
    kept, found = _shut_in(entry), _shut_in(again)
    other = [
        f"{key} is {kept[key]!r} in the record and {found[key]!r} in the run" for key in kept if kept[key] != found[key]
    ]
    if is_replayed(entry) and was_tried(again) and not is_replayed(again):
        counts = again["replay"]
        other.append(f"it says replayed, and {counts['same']} of {counts['episodes']} episodes came out the same now")
    return other


def was_tried(entry: Mapping[str, Any]) -> bool:
    """Whether a record was made where its run could have been done again: with the tasks' files, and a browser."""
    return "replay" in entry and entry["replay"]["why_not"] not in ("no_task_files", "not_here")


def is_replayed(entry: Mapping[str, Any]) -> bool:
    """Whether a record says that its run came out again; older ones do not tell, which is no."""
    return "replay" in entry and bool(entry["replay"]["mark"] == "replayed")


def _shut_in(entry: Mapping[str, Any]) -> dict[str, Any]:
    browser = {key: entry[key] for key in ("sandbox", "browser_place") if key in entry}
    return {"isolation": entry["configuration"]["options"].get(_ISOLATION), **browser}


def file_name(entry: Mapping[str, Any]) -> str:
    """The name of the file of a record."""
    return f"{entry['id'][:16]}.json"


def problems(entry: Any, file: Path) -> list[str]:
    """What is wrong with a record that somebody else may have written.

    Checked are its shape, its id and the name of its file, the comparability ids, and whether scores are the means of
    the scores of their tasks and lie between 0 and the ceiling. A record that was made up as a whole passes: only its
    run can tell (``python -m harness leaderboard check --run``).

    Args:
        entry: What the file holds.
        file: Its path.

    Returns:
        In words; empty if nothing is.
    """
    try:
        if not isinstance(entry, dict) or entry.get("schema") != SCHEMA:
            return [f"it is no record of version {SCHEMA}"]
        if wrong := list(islice(misfits(entry), _MOST)):
            return wrong
        if set(entry["profiles"]) != set(_rules_of(entry)):
            return [f"its scores are not those of a record of its kind: {', '.join(_rules_of(entry))}"]
        return [*_wrong_names(entry, file), *_wrong_numbers(entry)][:_MOST]
    except RecursionError:
        return ["it is nested too deeply"]


def _default_name(record: RunRecord) -> str:
    """What is to be credited, and the solver's seed if it has one of its own."""
    seed = record.config.solver_seed
    return str(public(agent_name(record, *([] if seed is None else [f"seed {seed}"]))))


def _effort(instances: pd.DataFrame) -> dict[str, Any]:
    """What it took; null where that is not known of every instance."""
    whole = {name: _total(instances[name]) for name in ("steps", "input_tokens", "output_tokens")}
    return {
        "seconds": math.fsum(instances["seconds"]),
        **{name: None if total is None else int(total) for name, total in whole.items()},
        "cost": _total(instances["cost"]),
    }


def _total(column: pd.Series[float]) -> float | None:
    return None if column.isna().any() else math.fsum(column)


def _scores(instances: pd.DataFrame, fields: pd.DataFrame, draws: int) -> dict[str, Any]:
    groups = groups_of(instances, fields)
    means, how = means_of(groups.overall), EstimationOptions(draws=draws)
    return {
        "score": estimate_of(groups.overall, "score", how).to_json(),
        "of_ceiling": estimate_of(groups.overall, "of_ceiling", how).to_json(),
        "ceiling": means.ceiling,
        "do_nothing": means.do_nothing,
        "constant": means.constant,
        "copy": means.copy,
        "untied": means.untied,
        "mean_over_instances": number(instances["score"].mean()),
        "mean_over_fields": number(fields["score"].mean()),
        "fields": len(fields),
        "splits": {
            split: {"score": estimate_of(rows, "score", how).to_json(), "tasks": sizes_of(rows).tasks}
            for split, rows in groups.splits.items()
        },
        "tasks": {task: _task(rows) for task, rows in groups.tasks.items()},
    }


def _task(rows: Rows) -> dict[str, Any]:
    means = means_of(rows)
    instances = sizes_of(rows).instances
    return {"split": rows.split, "instances": instances, "score": means.score, "ceiling": means.ceiling}


# ---- what can be wrong ----------------------------------------------------------------------------------------------


def _rules_of(entry: Mapping[str, Any]) -> Mapping[str, str]:
    return rules_of(entry["configuration"].get("kind"), entry["configuration"].get("judge"))


def _wrong_names(entry: Mapping[str, Any], file: Path) -> list[str]:
    wrong = []
    if entry["id"] != content_id(entry):
        wrong.append("its content does not fit its id: it was changed after it was added")
    elif file.name != file_name(entry):
        wrong.append(f"it should be called {file_name(entry)}")
    for key, most in (("name", MOST_NAME), ("note", MOST_NOTE)):
        if len(entry[key]) > most or not entry[key].isprintable():
            wrong.append(f"its {key} is not one line of at most {most} characters")
    if "replay" in entry and (told := _wrong_replay(entry["replay"], sum(entry["outcomes"].values()))):
        wrong.append(told)
    if entry["role"] != role_of(entry["configuration"]):
        wrong.append(f"the solver {entry['configuration']['solver']!r} is not of the role {entry['role']!r}")
    if entry["configuration"] != public_configuration(entry["configuration"]):
        wrong.append("its configuration holds a path, or what looks like a key")
    for profile, rules in _rules_of(entry).items():
        own = comparability_id(entry["compared"], rules)
        if entry["profiles"][profile]["comparability_id"] != own:
            wrong.append(f"its comparability id under {profile} is not {own}, which its hashes make")
    return wrong


def _wrong_replay(replay: Mapping[str, Any], episodes: int) -> str:
    """What cannot be in what a record says of its replay; empty if nothing."""
    if not replay["same"] <= replay["replayed"] <= replay["episodes"] == episodes >= replay["films"]:
        return "it counts other episodes in its replay than it has"
    if (replay["mark"] == "replayed") != (replay["same"] == episodes > 0):
        return f"its mark is {replay['mark']!r}, and {replay['same']} of {episodes} episodes came out the same"
    return ""


def _wrong_numbers(entry: Mapping[str, Any]) -> list[str]:
    wrong = []
    for profile, scores in entry["profiles"].items():
        tasks = scores["tasks"]
        if not _is_mean(scores["score"], tasks.values()):
            wrong.append(f"its score under {profile} is not the mean of the scores of its tasks")
        for split, numbers in scores["splits"].items():
            inside = [task for task in tasks.values() if task["split"] == split]
            if not _is_mean(numbers["score"], inside) or numbers["tasks"] != len(_known(inside)):
                wrong.append(f"its score under {profile} on {split!r} is not the mean of the scores of its tasks")
        if set(scores["splits"]) != {task["split"] for task in tasks.values()}:
            wrong.append(f"its splits under {profile} are not those of its tasks")
        beyond = [
            name
            for name, task in tasks.items()
            if task["score"] is not None and not task["score"] <= (task["ceiling"] or 0) + _EXACT <= 1 + 2 * _EXACT
        ]
        wrong += [f"the score of the task {name!r} under {profile} is not between 0 and its ceiling" for name in beyond]
        counted = sum(task["instances"] for task in tasks.values())
        if counted > sum(entry["outcomes"].values()):
            wrong.append(f"it has scores of more instances under {profile} than it has episodes")
    return wrong


def _known(tasks: Sequence[Mapping[str, Any]]) -> list[float]:
    return [task["score"] for task in tasks if task["score"] is not None]


def _is_mean(estimate: Mapping[str, Any], tasks: Any) -> bool:
    """Whether an estimate is the mean of tasks' scores, with limits that are scores."""
    scores, value = _known(list(tasks)), estimate["value"]
    low, high = estimate["low"], estimate["high"]
    if value is None or not scores:
        return value is None and not scores
    if abs(value - math.fsum(scores) / len(scores)) > _EXACT or estimate["clusters"] != len(scores):
        return False
    return (low is None and high is None) or -_EXACT <= low <= high <= 1 + _EXACT

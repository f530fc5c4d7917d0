"""What a run's labels say of the people who gave them, as one JSON object and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.scored_run import ScoredRun, read_scored
from harness.metrics.kinds import CHOICES
from harness.people.label_agreement import Agreements, FieldAgreement, pooled
from harness.people.noisy_instances import noisy_instances
from harness.runlog.directory import RunDirectory
from harness.text.numbers import NOTHING, percent, points
from harness.text.shortening import shorten
from harness.text.tables import aligned

Numbers = dict[str, Any]
_COLUMNS = ("score", "own_left_out", "crowd", "gap", "alpha", "unanimous", "majority", "tie")
_HEADINGS = ("score", "own l.o.", "crowd", "gap", "alpha", "unanim.", "majority", "tie")
_SHOWN_FIELDS = 3
_SHOWN_CHARACTERS = 60


def report(folder: Path, profile: str | None, worst: int) -> Numbers:
    """All that can be said of the people in a run.

    Args:
        folder: The run directory; it is not changed.
        profile: The scoring profile; None for the run's own.
        worst: How many noisy instances to list.

    Returns:
        ``overall``, ``tasks``, ``kinds``, ``fields``, ``noisy``, and which run it is; see docs/people.md.

    Raises:
        harness.runlog.directory.NotARun: it cannot be read.
    """
    agreements = Agreements()
    scored = read_scored(folder, profile, people=True, visitors=[agreements])
    fields = agreements.fields()
    run = RunDirectory(folder)
    noisy = noisy_instances(agreements.ballots, worst)
    return {
        "run": str(folder),
        "solver": scored.solver,
        "profile": scored.profile,
        "comparability_id": scored.comparability_id,
        "status": scored.record.status,
        "overall": _overall(scored, fields),
        "tasks": _tasks(scored, fields),
        "kinds": _kinds(scored, fields),
        "fields": [
            {"task": each.task, "name": each.name, "kind": each.kind, "level": each.level, **each.agreement.to_json()}
            for each in fields
        ],
        "noisy": [each.to_json(run.episode(each.task, each.index)) for each in noisy],
    }


def _beside_people(rows: pd.DataFrame) -> Numbers:
    """Means over the rows on which the workers can be scored."""
    both = rows[rows["crowd"].notna()]
    means = {name: _number(both[name].mean()) for name in ("score", "own_left_out", "crowd")}
    own, crowd = means["own_left_out"], means["crowd"]
    return {**means, "gap": None if own is None or crowd is None else own - crowd}


def _agreement(fields: Iterable[FieldAgreement]) -> Numbers:
    return pooled(each.agreement for each in fields).to_json()


def _choices(fields: Iterable[FieldAgreement]) -> list[FieldAgreement]:
    return [each for each in fields if each.kind in CHOICES]


def _tasks(scored: ScoredRun, fields: Sequence[FieldAgreement]) -> dict[str, Numbers]:
    by_task: dict[str, list[FieldAgreement]] = {}
    for each in _choices(fields):
        by_task.setdefault(each.task, []).append(each)
    return {
        str(task): {
            "instances": int(rows["crowd"].notna().sum()),
            **_beside_people(rows),
            **_agreement(by_task.get(str(task), [])),
        }
        for task, rows in scored.instances.groupby("task", observed=True)
    }


def _kinds(scored: ScoredRun, fields: Sequence[FieldAgreement]) -> dict[str, Numbers]:
    return {
        str(kind): {
            "fields": int(rows["crowd"].notna().sum()),
            **_beside_people(rows),
            **_agreement(each for each in fields if each.kind == kind),
        }
        for kind, rows in scored.fields.groupby("kind", observed=True)
    }


def _overall(scored: ScoredRun, fields: Sequence[FieldAgreement]) -> Numbers:
    """Means over tasks; the agreement is that on all choices."""
    instances = scored.instances[scored.instances["crowd"].notna()]
    means = instances.groupby("task", observed=True)[["score", "own_left_out", "crowd"]].mean()
    return {
        "tasks": len(means),
        "instances": len(instances),
        **_beside_people(means),
        **_agreement(_choices(fields)),
    }


def _number(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def text(found: Mapping[str, Any]) -> str:
    """A report for a terminal; scores and shares in per cent."""
    overall = found["overall"]
    parts = [
        f"People beside the solver {found['solver']} · profile {found['profile']} · comparability id "
        f"{found['comparability_id']}",
        _table("task", {name: (each["instances"], each) for name, each in found["tasks"].items()}),
        _table("kind of field", {name: (each["fields"], each) for name, each in found["kinds"].items()}),
        _table("overall (mean over tasks)", {"": (overall["instances"], overall)}),
        "score: the solver's, on instances with two workers or more. own l.o.: the same with each worker left out in "
        "turn.\ncrowd: each worker left out against the others, on the same labels. gap: own l.o. less crowd.\n"
        "alpha and shares: of choices, by kind of all fields of the kind; docs/people.md defines them.",
    ]
    if not overall["instances"]:
        parts.append("No instance of this run has two workers or more: nothing can be said of the people.")
    if found["noisy"]:
        parts.append("Instances whose workers disagree most, for their task:")
        parts += [_noisy(each) for each in found["noisy"]]
    if found["status"] != "complete":
        parts.append("INCOMPLETE: these numbers cover the finished episodes only.")
    return "\n\n".join(parts)


def _table(title: str, rows: Mapping[str, tuple[int, Mapping[str, Any]]]) -> str:
    lines = [[title, "n", *_HEADINGS]]
    for name, (number, numbers) in rows.items():
        cells = [_shown(column, numbers[column]) for column in _COLUMNS]
        lines.append([shorten(name), str(number), *cells])
    return aligned(lines)


def _shown(column: str, value: float | None) -> str:
    if value is None:
        return NOTHING
    if column == "alpha":
        return f"{value:.2f}"
    return points(value) if column == "gap" else percent(value)


def _noisy(each: Mapping[str, Any]) -> str:
    lines = [
        f"{each['task']}, instance {each['index']} ({each['id']}): {each['workers']} workers; disagreement "
        f"{each['disagreement']:.2f}, usual {each['usual']:.2f}, {each['deviations']:+.1f} deviations"
    ]
    for field in each["fields"][:_SHOWN_FIELDS]:
        labels = " / ".join(
            shorten(" ".join(label.split()) or "(blank)", _SHOWN_CHARACTERS) for label in field["labels"]
        )
        lines.append(f"  {field['name']} ({field['kind']}): {shorten(labels, 3 * _SHOWN_CHARACTERS)}")
    if more := len(each["fields"]) - _SHOWN_FIELDS:
        lines += [f"  and {more} more fields"] if more > 0 else []
    return "\n".join(lines)

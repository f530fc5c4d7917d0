"""What a run's labels say of the people who gave them, as one record and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.analysis.aggregation import BesidePeople, beside_people, groups_of
from harness.analysis.episode_pass import IN_PLACE
from harness.analysis.people.label_agreement import Agreement, Agreements, FieldAgreement, grouped, pooled
from harness.analysis.people.noisy_instances import LabelledInstance, noisy_instances
from harness.analysis.scored_run import read_scored
from harness.catalog.kinds import CHOICES
from harness.kit.files.codec import JsonObject, plain
from harness.kit.text import NOTHING, aligned, counted, percent, points, shorten
from harness.records.agent_name import agent_name
from harness.records.directory import RunDirectory
from harness.records.run_record import RunStatus

_HEADINGS = ("score", "own l.o.", "crowd", "gap", "alpha", "unanim.", "majority", "tie")
_SHOWN_FIELDS = 3
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True)
class PeopleNumbers:
    """The people in a part of a run.

    Attributes:
        scores: The solver and the workers on the same labels.
        agreement: How far the workers agree: on choices, and of a kind of field on all of its fields.
    """

    scores: BesidePeople
    agreement: Agreement

    def to_json(self) -> JsonObject:
        """A JSON object of scores and agreement."""
        scores = self.scores
        shown = {"score": scores.score, "own_left_out": scores.own_left_out, "crowd": scores.crowd, "gap": scores.gap}
        return {**shown, **self.agreement.to_json()}


@dataclass(frozen=True)
class PeopleReport:
    """All that can be said of the people in a run; see docs/explanation/people.md.

    Attributes:
        run: The run directory.
        solver: The solver's name.
        profile: The scoring profile.
        comparability_id: Of the run under this profile.
        status: How far the run is.
        overall: Means over tasks.
        tasks: Task -> means over its instances.
        kinds: Kind of field -> means over its fields.
        fields: The agreement field by field.
        noisy: The instances whose workers disagree most, for their task.
    """

    run: Path
    solver: str
    profile: str
    comparability_id: str
    status: RunStatus
    overall: PeopleNumbers
    tasks: Mapping[str, PeopleNumbers]
    kinds: Mapping[str, PeopleNumbers]
    fields: Sequence[FieldAgreement]
    noisy: Sequence[LabelledInstance]

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the attributes' names as its keys."""
        overall = self.overall.scores
        return {
            "run": str(self.run),
            "solver": self.solver,
            "profile": self.profile,
            "comparability_id": self.comparability_id,
            "status": self.status,
            "overall": {"tasks": overall.tasks, "instances": overall.rows, **self.overall.to_json()},
            "tasks": {task: {"instances": each.scores.rows, **each.to_json()} for task, each in self.tasks.items()},
            "kinds": {kind: {"fields": each.scores.rows, **each.to_json()} for kind, each in self.kinds.items()},
            "fields": [
                {
                    "task": each.task,
                    "name": each.name,
                    "kind": each.kind,
                    "level": each.level,
                    **each.agreement.to_json(),
                }
                for each in self.fields
            ],
            "noisy": plain(self.noisy),
        }


def report(folder: Path, profile: str | None, worst: int, pool: Executor = IN_PLACE) -> PeopleReport:
    """Read a run, and look at the people in it.

    Args:
        folder: The run directory; it is not changed.
        profile: The scoring profile; None for the run's own.
        worst: How many noisy instances to list.
        pool: What reads and scores the episodes.

    Raises:
        harness.records.directory.NotARun: it cannot be read.
    """
    agreements = Agreements()
    scored = read_scored(folder, profile, people=True, visitors=[agreements], pool=pool)
    fields, run = agreements.fields(), RunDirectory(folder)
    everything, choices = grouped(fields), grouped([each for each in fields if each.kind in CHOICES])
    scores, nothing = groups_of(scored.instances, scored.fields).each(beside_people), pooled(())
    return PeopleReport(
        run=folder,
        solver=agent_name(scored.record),
        profile=scored.profile,
        comparability_id=scored.comparability_id,
        status=scored.record.status,
        overall=PeopleNumbers(scores.overall, choices.overall),
        tasks={task: PeopleNumbers(each, choices.tasks.get(task, nothing)) for task, each in scores.tasks.items()},
        kinds={kind: PeopleNumbers(each, everything.kinds.get(kind, nothing)) for kind, each in scores.kinds.items()},
        fields=fields,
        noisy=[
            each.labelled(run.episode(each.task, each.index)) for each in noisy_instances(agreements.ballots, worst)
        ],
    )


def text(found: PeopleReport) -> str:
    """A report for a terminal; scores and shares in per cent."""
    parts = [
        f"People beside the solver {found.solver} · profile {found.profile} · comparability id "
        f"{found.comparability_id}",
        _table("task", found.tasks),
        _table("kind of field", found.kinds),
        _table("overall (mean over tasks)", {"": found.overall}),
        "score: the solver's, on instances with two workers or more. own l.o.: the same with each worker left out in "
        "turn.\ncrowd: each worker left out against the others, on the same labels. gap: own l.o. less crowd.\n"
        "alpha and shares: of choices, by kind of all fields of the kind; docs/explanation/people.md defines them.",
    ]
    if not found.overall.scores.rows:
        parts.append("No instance of this run has two workers or more: nothing can be said of the people.")
    if found.noisy:
        parts.append("Instances whose workers disagree most, for their task:")
        parts += ["\n".join(_noisy(each)) for each in found.noisy]
    if found.status != "complete":
        parts.append("INCOMPLETE: these numbers cover the finished episodes only.")
    return "\n\n".join(parts)


def _table(title: str, rows: Mapping[str, PeopleNumbers]) -> str:
    lines = [[title, "n", *_HEADINGS]]
    for name, each in rows.items():
        scores, agreement = each.scores, each.agreement
        lines.append(
            [
                shorten(name),
                str(scores.rows),
                *map(percent, (scores.score, scores.own_left_out, scores.crowd)),
                points(scores.gap),
                NOTHING if agreement.alpha is None else f"{agreement.alpha:.2f}",
                *map(percent, (agreement.unanimous, agreement.majority, agreement.tie)),
            ]
        )
    return aligned(lines)


def _noisy(each: LabelledInstance) -> Iterator[str]:
    yield (
        f"{each.task}, instance {each.index} ({each.id}): {counted(each.workers, 'worker')}; disagreement "
        f"{each.disagreement:.2f}, usual {each.usual:.2f}, {each.deviations:+.1f} deviations"
    )
    for field in each.fields[:_SHOWN_FIELDS]:
        shown = (shorten(" ".join(label.split()) or "(blank)", _SHOWN_CHARACTERS) for label in field.labels)
        yield f"  {field.name} ({field.kind}): {shorten(' / '.join(shown), 3 * _SHOWN_CHARACTERS)}"
    if (more := len(each.fields) - _SHOWN_FIELDS) > 0:
        yield f"  and {counted(more, 'more field')}"

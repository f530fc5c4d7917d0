"""Whether a batch has enough labels: what a run answered on its instances, weighed against what workers submit.

Workers who were shown the run's answers are left out, for what they say is not their own alone. An instance counts once
it has all the workers that it is to get, so that the same instances count however often somebody looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from django.urls import reverse

from harness.analysis.people.collected_answers import asked_field, cell_of
from harness.analysis.replacement.answers import AnsweredField, AnsweredItem, Answers, answered_field
from harness.analysis.replacement.decisions import Decision
from harness.analysis.replacement.replacement import weigh
from harness.analysis.replacement.sequential import LooksSoFar, look_by_look
from harness.analysis.replacement.workers import KnownWorkers
from harness.catalog import Instance, Task
from harness.catalog.labels import match_option, one_answer
from harness.kit.errors import UserError
from harness.kit.text import counted
from harness.scoring.leave_one_out import workers_of
from harness.scoring.metrics.standard import STANDARD
from turkle_app.annotation.instance_answers import page_fields
from turkle_app.annotation.instances import task_of
from turkle_app.annotation.models import AnonymousWorker, Assignment, Batch, BatchState, Copilot, State

if TYPE_CHECKING:
    from harness.records.episode import FieldRecord
    from harness.reports.html.blocks import ReportPage

Sent = Mapping[str, Sequence[str]]
"""Field -> what was sent for it."""
_PROFILE = "standard"
_VARIABLE = "${"


class NothingToWeigh(UserError):
    """A batch has no answers of a run, or none of instances that workers answered; the message says so."""


@dataclass(frozen=True)
class EnoughLabels:
    """What is known while labels come in.

    Attributes:
        run: What the run is called.
        fields: Field by field.
        complete: Instances that count.
        planned: Instances that will in the end.
        next_look: At how many it is decided next; None if never.
        notes: What is left out, and why; a sentence each.
    """

    run: str
    fields: tuple[Decision, ...]
    complete: int
    planned: int
    next_look: int | None
    notes: tuple[str, ...]

    @property
    def said(self) -> str:
        """The answer in a sentence or two."""
        if not self.fields:
            return "Not yet known: no field has answers of the run and of workers."
        answers = [each.answer for each in self.fields]
        yes, no = answers.count("yes"), answers.count("no")
        which = ", ".join(f"{number} {answer}" for number, answer in ((yes, "yes"), (no, "no")) if number)
        enough = f"{yes + no} of {counted(len(answers), 'field')}: enough labels" + (f" ({which})." if which else ".")
        further = [each.further for each in self.fields if each.further is not None]
        unknown = len(answers) - yes - no
        if not unknown:
            return enough
        would = f": about {counted(max(further), 'more instance')} would tell" if further else ""
        left = self.planned - self.complete
        short = f" (this batch has {left})" if further and max(further) > left else ""
        return f"{enough} {unknown} not yet known{would}{short}."


@dataclass
class _Weighed:
    """A batch's answers, made ready.

    Attributes:
        run: What the run is called.
        complete: The instances that count, in the order in which they became complete.
        others: Those that the run answered too, without labels.
        workers: Who the workers are, and how long they took.
        planned: How many instances will count in the end.
        left_out: Why -> how many.
    """

    run: str
    complete: list[AnsweredItem] = field(default_factory=list)
    others: list[AnsweredItem] = field(default_factory=list)
    workers: KnownWorkers = field(default_factory=lambda: KnownWorkers(source="accounts of the server"))
    planned: int = 0
    left_out: dict[str, int] = field(default_factory=dict)

    @property
    def looks(self) -> LooksSoFar:
        """What has been decided."""
        return look_by_look(self.complete, self.workers.names, self.planned)


def enough_labels(batch: Batch) -> EnoughLabels | None:
    """Say field by field whether it is known that the run may take a worker's place; None without answers of a run.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    try:
        weighed = _weighed(batch)
    except NothingToWeigh:
        return None
    looks = weighed.looks
    notes = tuple(f"{number:,} {why}." for why, number in weighed.left_out.items() if number)
    return EnoughLabels(weighed.run, looks.fields, len(weighed.complete), weighed.planned, looks.next_look, notes)


def replacement_page(batch: Batch) -> ReportPage:
    """The page that says whether the run may take workers' places, with what was decided while labels came in.

    Raises:
        NothingToWeigh: If there are no answers of a run.
        TaskGone: If the task's files cannot be used.
    """
    from harness.reports.replacement_page import page_of  # noqa: PLC0415 - slow to import, and for this page only

    weighed = _weighed(batch)
    looks = weighed.looks
    if not weighed.complete:
        raise NothingToWeigh(f"No instance of “{batch.name}” is complete that the run answered, too.")
    items = tuple(sorted([*weighed.complete, *weighed.others], key=lambda each: each.index))
    answers = Answers(weighed.run, _PROFILE, items, {}, {})
    found = weigh(answers, weighed.workers, level=looks.level)
    tasks = tuple(replace(each, fields=looks.fields) for each in found.tasks)
    return page_of(
        replace(found, tasks=tasks),
        lambda item: reverse("batch-instance", args=[batch.pk, item.id]),
        lists=False,
    )


def _weighed(batch: Batch) -> _Weighed:
    copilot = Copilot.objects.filter(batch=batch).first()
    if copilot is None:
        raise NothingToWeigh(f"“{batch.name}” has no answers of a run: give it some with turkbench manage copilot.")
    task = task_of(batch.task)
    sent: dict[str, Sent] = dict(copilot.suggestions.values_list("instance_id", "answers"))
    asked = _Asked(task, sorted({name for answers in sent.values() for name in answers}))
    gold = set(batch.gold_questions.values_list("instance_id", flat=True))
    instances = {each.id: each for each in task.pages if each.id not in gold}
    given: dict[str, list[Assignment]] = {}
    for row in batch.assignments.filter(state=State.SUBMITTED, gold="").order_by("pk"):
        given.setdefault(row.instance_id, []).append(row)
    unknown = set(AnonymousWorker.objects.filter(user__assignments__batch=batch).values_list("user_id", flat=True))
    found = _Weighed(copilot.run)
    found.planned = sum(each in sent for each in instances) if batch.assignments_per_instance > 1 else 0
    own = {key: [row for row in rows if not row.helped] for key, rows in given.items()}
    full = 1 if batch.state == BatchState.CLOSED else batch.assignments_per_instance
    counting = {key for key, rows in own.items() if len(given[key]) >= full and len(rows) > 1}
    answered = [key for key in given if key in instances]
    found.left_out = {
        "instances that workers answered have no answer of the run": sum(key not in sent for key in answered),
        "instances have answers, but not yet of all their workers, or of fewer than two who were not helped": sum(
            key in sent and key not in counting for key in answered
        ),
        "answers are of workers who were shown the run’s": sum(bool(row.helped) for k in answered for row in given[k]),
    }
    for key, instance in instances.items():
        if key in sent:
            rows = own[key] if key in counting else []
            item = asked.item(instance, sent[key], [row.answers or {} for row in rows])
            (found.complete if rows else found.others).append(item)
            if rows:
                found.workers.names[item.key] = tuple(
                    "" if row.worker_id in unknown else str(row.worker_id) for row in rows
                )
                found.workers.seconds += [row.seconds for row in rows if row.seconds is not None]
            found.workers.words[item.key] = " ".join(instance.inputs.values())
    last = {key: max((row.submitted_at or row.claimed_at, row.pk) for row in given[key]) for key in counting}
    found.complete.sort(key=lambda each: last[each.id])
    return found


class _Asked:
    """The fields of a task's pages that the run answered, and an item of each instance."""

    def __init__(self, task: Task, names: Sequence[str]) -> None:
        self._task, self._names = task, names
        self._same = None if _VARIABLE in "".join(_markup(task)) else self._fields(None)

    def item(self, instance: Instance, sent: Sent, given: Sequence[Sent]) -> AnsweredItem:
        """An instance, with what the run sent and what workers did."""
        fields = self._same if self._same is not None else self._fields(instance)
        records = [_filled(each, sent, given) for each in fields]
        workers = workers_of(records)
        found: list[AnsweredField] = []
        for each in records:
            score = STANDARD.score_field(each.kind, each.options, each.labels, each.sent) if given else None
            found.append(answered_field(STANDARD, each, workers, score))
        blank = sum(not any(each.sent) for each in records) / max(1, len(records))
        longest = max(map(len, instance.inputs.values()), default=0)
        return AnsweredItem(
            task=self._task.name,
            index=instance.index,
            id=instance.id,
            run=Path(),
            fields=tuple(found),
            workers=len(workers),
            rows=len(given),
            signals={"length of the longest input": float(longest), "fields left blank": blank},
            cost=None,
            seconds=None,
        )

    def _fields(self, instance: Instance | None) -> list[FieldRecord]:
        declared = {each.name: each for each in page_fields(self._task, instance)}
        return [
            declared.get(name) or asked_field(name, self._task.facts.kinds.get(name, "hidden")) for name in self._names
        ]


def _markup(task: Task) -> list[str]:
    """The start tags of controls in the template, in which a variable makes fields of their own of each page."""
    from harness.catalog.template.markup import scan  # noqa: PLC0415

    return [
        task.template[piece.start : piece.end]
        for piece in scan(task.template)
        if piece.kind == "start" and piece.name in {"input", "option", "select", "textarea", "button"}
    ]


def _filled(record: FieldRecord, sent: Sent, given: Sequence[Sent]) -> FieldRecord:
    """A field with what was sent and its labels. Buttons of one choice have one answer, though it may be written."""
    own, theirs = tuple(sent.get(record.name, ())), [answers.get(record.name, ()) for answers in given]
    if record.kind != "radio":
        return replace(record, sent=own, labels=tuple(map(cell_of, theirs)))
    labels = tuple(one_answer(each, record.options) for each in theirs)
    written = [each for each in labels if each and match_option(each, record.options) is None]
    return replace(
        record,
        sent=tuple(filter(None, [one_answer(own, record.options)])),
        labels=labels,
        options=tuple(dict.fromkeys((*record.options, *written))),
    )

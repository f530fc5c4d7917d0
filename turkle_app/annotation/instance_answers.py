"""What workers answered on the instances of a batch: side by side, how far they agree, and the answer that counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone

from harness.analysis.people.collected_answers import (
    ComparedField,
    FieldSoFar,
    agreement_of_instances,
    agreement_so_far,
    asked_field,
    cell_of,
    compared,
)
from harness.catalog import Instance, Task
from harness.catalog.annotations.handed_in import SEPARATOR
from harness.catalog.template import render
from harness.catalog.template.wrapping import IDS
from harness.datasets.controls import declared_fields
from harness.kit.errors import UserError
from harness.records.episode import FieldRecord
from turkle_app.annotation.claims import locked
from turkle_app.annotation.models import Adjudication, Assignment, Batch, State

Answers = Mapping[str, Sequence[str]]
"""Field -> values, as an assignment holds them."""


class NoDecision(UserError):
    """The answer that counts cannot be kept so; the message says why and is shown to staff."""


@dataclass(frozen=True)
class Cell:
    """What one worker answered in one field.

    Attributes:
        assignment: The worker's.
        text: The values, several joined by ``|``; empty where nothing was sent.
        majority: Whether it is the answer that more workers gave than any other.
        chosen: Whether it is the answer that counts, or, as long as none does, the majority's.
    """

    assignment: Assignment
    text: str
    majority: bool
    chosen: bool


@dataclass(frozen=True)
class Row:
    """One field of an instance with all answers.

    Attributes:
        number: Its place, by which a form names it.
        field: The answers, compared.
        cells: What each worker answered.
        decided: The answer that counts; None as long as none was decided.
    """

    number: int
    field: ComparedField
    cells: Sequence[Cell]
    decided: str | None

    @property
    def written(self) -> bool:
        """Whether the answer that counts is nobody's of these."""
        return self.decided is not None and not any(cell.chosen for cell in self.cells)


def side_by_side(
    task: Task, instance: Instance, given: Sequence[Assignment], decided: Adjudication | None
) -> list[Row]:
    """Put what workers submitted on an instance side by side.

    Args:
        task: The task.
        instance: The instance.
        given: Their assignments, which are submitted.
        decided: The answer that counts, if there is one.

    Returns:
        A row for each field of the page, and behind them for each further name that somebody sent.
    """
    rows = []
    asked = page_fields(task, instance, decided.answers if decided else ())
    for number, field in enumerate(compared(asked, [_answers(each) for each in given])):
        counts = None if decided is None else cell_of(decided.answers.get(field.name, ()))
        first = _first_choice(field, counts)
        cells = [
            Cell(each, field.cells[place], place in field.majority, place == first) for place, each in enumerate(given)
        ]
        rows.append(Row(number, field, cells, counts))
    return rows


def _first_choice(field: ComparedField, counts: str | None) -> int | None:
    """Whose answer is chosen: of those that count, or of the majority, the first."""
    if counts is None:
        return min(field.majority, default=None)
    return next((place for place, cell in enumerate(field.cells) if cell == counts), None)


def agreement(task: Task, given: Iterable[Assignment]) -> list[FieldSoFar]:
    """How far workers agree so far on the fields of a task.

    Args:
        task: The task.
        given: Submitted assignments.
    """
    instances: dict[str, list[Answers]] = {}
    for each in given:
        instances.setdefault(each.instance_id, []).append(_answers(each))
    return agreement_so_far(page_fields(task), instances.values())


def instance_agreement(task: Task, given: Mapping[str, Sequence[Assignment]]) -> dict[str, float]:
    """Id of an instance -> the mean over its fields of the share of pairs of workers that agree.

    Args:
        task: The task.
        given: Id of an instance -> submitted assignments. Those without two answers to any field are left out.
    """
    found = agreement_of_instances(page_fields(task), [[_answers(each) for each in rows] for rows in given.values()])
    return {instance_id: share for instance_id, share in zip(given, found, strict=True) if share is not None}


def page_fields(task: Task, instance: Instance | None = None, more: Iterable[str] = ()) -> list[FieldRecord]:
    """The fields of a page as its HTML declares them.

    Args:
        task: The task.
        instance: Whose page; None for what all pages of the task have.
        more: Names that are fields, too, for a script can have made them.
    """
    html = task.template if instance is None else render(task.template, instance.inputs, None)
    found = {field.name: field for field in declared_fields(html) if field.name not in IDS}
    return [
        asked_field(name, task.facts.kinds.get(name, field.kind), field.values) for name, field in found.items()
    ] + [asked_field(name, task.facts.kinds.get(name, "hidden")) for name in more if name not in found]


def adjudicated(batch: Batch, instance_id: str) -> Adjudication | None:
    """The answer that counts for an instance; None as long as nobody has decided."""
    found = batch.adjudications.filter(instance_id=instance_id).select_related("by", "chosen__worker")
    return found.order_by("pk").last()


def all_adjudicated(batch: Batch) -> dict[str, Adjudication]:
    """Id of an instance -> the answer that counts for it."""
    return {each.instance_id: each for each in batch.adjudications.select_related("by").order_by("pk")}


def adjudicate_as(chosen: Assignment, by: User) -> Adjudication:
    """Let a worker's answers be those that count for their instance.

    Raises:
        NoDecision: If they are not submitted, or were rejected.
    """
    with locked(chosen.batch_id):
        row = Assignment.objects.get(pk=chosen.pk)
        if row.state != State.SUBMITTED:
            raise NoDecision(f"Assignment {row.pk} is {row.state}: its answers cannot be those that count.")
        return Adjudication.objects.create(
            batch_id=row.batch_id,
            instance_id=row.instance_id,
            answers=row.answers or {},
            chosen=row,
            by=by,
            at=timezone.now(),
        )


def adjudicate(
    batch: Batch, instance_id: str, answers: Mapping[str, str], fields: Sequence[ComparedField], by: User
) -> Adjudication:
    """Keep the answers that count for an instance, put together or written by staff.

    Args:
        batch: The batch.
        instance_id: The instance's id.
        answers: Field -> its answer as a label is written: of several boxes or options those chosen, joined by ``|``.
        fields: The fields of its page, which say where an answer can be several values.
        by: Who decides.

    Raises:
        NoDecision: If all answers are empty.
    """
    if not any(text.strip() for text in answers.values()):
        raise NoDecision("Choose or write an answer for at least one field.")
    kinds = {field.name: field for field in fields}
    values = {name: _values(text, kinds.get(name)) for name, text in answers.items()}
    with locked(batch.pk):
        return Adjudication.objects.create(
            batch=batch, instance_id=instance_id, answers=values, chosen=None, by=by, at=timezone.now()
        )


def _values(text: str, field: ComparedField | None) -> list[str]:
    """What a form would send for an answer as a label is written."""
    several = field is not None and field.kind in {"checkbox", "select"} and text not in field.options
    found = text.replace("\0", "�").split(SEPARATOR) if several else [text.replace("\0", "�")]
    return [value for value in found if value]


def _answers(assignment: Assignment) -> Answers:
    return {name: values for name, values in (assignment.answers or {}).items() if name not in IDS}

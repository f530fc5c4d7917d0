"""Gold questions of a batch: which there are, what their answers are, and how good workers are on them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from harness.analysis.people.collected_answers import cell_of
from harness.catalog import Instance
from harness.catalog.template import render
from harness.datasets.controls import declared_fields
from harness.kit.errors import UserError
from harness.kit.statistics.clustered import mean_of_one
from harness.kit.statistics.estimate import Estimate
from harness.scoring.answers.columns import AnswerColumns, is_answered
from harness.scoring.metrics.standard import STANDARD
from turkle_app.annotation.instance_answers import adjudicated, all_adjudicated, page_fields
from turkle_app.annotation.instances import TaskGone, task_of
from turkle_app.annotation.models import Adjudication, Assignment, Batch, GoldPlan, GoldQuestion, State


class GoldRefused(UserError):
    """A gold question cannot be; the message says why and is shown to staff."""


@dataclass(frozen=True)
class GoldField:
    """One field of a gold question that a worker has answered.

    Attributes:
        name: Its name.
        answered: What the worker answered, several values joined by ``|``.
        right: An answer that would have got most points, in the same way.
        score: The points, from 0 to 1, as a solver would get them (docs/reference/metrics.md).
        ceiling: The points that the right answer gets.
    """

    name: str
    answered: str
    right: str
    score: float
    ceiling: float

    @property
    def is_right(self) -> bool:
        """Whether no answer would have got more."""
        return self.score >= self.ceiling


@dataclass(frozen=True)
class WorkerAccuracy:
    """How good one worker is on the gold questions of a batch.

    Attributes:
        worker: Who.
        answered: How many they have answered.
        unknown: How many of these cannot be scored: the instance or its answer is gone.
        accuracy: The mean over the others of the points of their fields, with its interval.
    """

    worker: User
    answered: int
    unknown: int
    accuracy: Estimate


def set_up_gold(batch: Batch, share: float, *, feedback: bool, seed: int) -> GoldPlan:
    """Say how the gold questions of a batch are given; what was given already stays as it was."""
    plan, _ = GoldPlan.objects.update_or_create(
        batch=batch, defaults={"share": share, "feedback": feedback, "seed": seed}
    )
    return plan


def add_labelled(batch: Batch, count: int, by: User, seed: int) -> int:
    """Make instances that have labels gold questions, drawn by a seed.

    Returns:
        How many were added: fewer than asked for if there are no more.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    taken = set(batch.gold_questions.values_list("instance_id", flat=True))
    labelled = [each.id for each in task_of(batch.task).instances if is_answered(each) and each.id not in taken]
    labelled.sort(key=lambda each: hashlib.sha256(f"gold {seed}:{each}".encode()).hexdigest())
    now = timezone.now()
    chosen = [GoldQuestion(batch=batch, instance_id=each, by=by, at=now) for each in labelled[:count]]
    return len(GoldQuestion.objects.bulk_create(chosen))


def add_question(batch: Batch, instance: Instance, by: User) -> None:
    """Make an instance a gold question.

    Raises:
        GoldRefused: If its answer is not known.
    """
    with transaction.atomic():
        if not is_answered(instance) and adjudicated(batch, instance.id) is None:
            raise GoldRefused(
                f"Instance {instance.index} has no label and no answer that counts: choose or write one first."
            )
        GoldQuestion.objects.get_or_create(
            batch=batch, instance_id=instance.id, defaults={"by": by, "at": timezone.now()}
        )


def marked(assignment: Assignment) -> list[GoldField] | None:
    """The fields of a gold question that is answered, scored; None if that cannot be: it or its answer is gone."""
    try:
        task = task_of(assignment.batch.task)
    except TaskGone:
        return None
    instance = next((each for each in task.pages if each.id == assignment.instance_id), None)
    return (
        None
        if instance is None
        else _marked(AnswerColumns(task), instance, assignment, adjudicated(assignment.batch, instance.id))
    )


def worker_accuracy(batch: Batch) -> list[WorkerAccuracy]:
    """How good each worker is on the gold questions of a batch, rejected assignments included, by name.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    task = task_of(batch.task)
    columns, by_id, decided = AnswerColumns(task), {each.id: each for each in task.pages}, all_adjudicated(batch)
    scores: dict[int, list[float | None]] = {}
    workers: dict[int, User] = {}
    rows = batch.assignments.exclude(gold="").filter(state__in=(State.SUBMITTED, State.REJECTED))
    for row in rows.select_related("worker").order_by("pk"):
        instance = by_id.get(row.instance_id)
        fields = None if instance is None else _marked(columns, instance, row, decided.get(row.instance_id))
        workers[row.worker_id] = row.worker
        scores.setdefault(row.worker_id, []).append(fmean(each.score for each in fields) if fields else None)
    found = []
    for key, worker in workers.items():
        known = [score for score in scores[key] if score is not None]
        found.append(WorkerAccuracy(worker, len(scores[key]), len(scores[key]) - len(known), mean_of_one(known)))
    return sorted(found, key=lambda each: each.worker.username)


def _marked(
    columns: AnswerColumns, instance: Instance, row: Assignment, decided: Adjudication | None
) -> list[GoldField] | None:
    """The fields of an assignment, scored against the answer that counts, or else the labels."""
    found = []
    for name, kind, options, labels in _known(columns, instance, decided):
        sent = (row.answers or {}).get(name, [])
        score = STANDARD.score_field(kind, options, labels, sent)
        if score is not None:
            right = cell_of(STANDARD.best_answer(kind, options, labels))
            found.append(GoldField(name, cell_of(sent), right, score.score, score.ceiling))
    return found or None


def _known(
    columns: AnswerColumns, instance: Instance, decided: Adjudication | None
) -> list[tuple[str, str, Sequence[str], Sequence[str]]]:
    """Name, kind, options and labels of each field whose answer is known."""
    if decided is not None:
        return [
            (field.name, field.kind, field.options, (cell_of(decided.answers[field.name]),))
            for field in page_fields(columns.task, instance, decided.answers)
            if field.name in decided.answers
        ]
    html = render(columns.task.template, instance.inputs, None)
    return [
        (answer.name, answer.kind, answer.options, answer.labels)
        for answer in columns.answers(instance, declared_fields(html))
        if answer.scored
    ]

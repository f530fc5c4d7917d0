"""The help of a batch: what a run sent on its instances, who gets to see it, and what came of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import transaction

from harness.catalog.annotations.help_drawing import WAYS, Way, is_drawn
from harness.kit.errors import UserError
from turkle_app.annotation.models import Assignment, Batch, Copilot, State, Suggestion

if TYPE_CHECKING:
    from harness.catalog.annotations.help_effect import HelpEffect
    from harness.records.directory import RunDirectory

Answers = Mapping[str, tuple[str, ...]]
"""Field -> values."""


class HelpRefused(UserError):
    """The help of a batch cannot be set up so; the message says why and what to do."""


@dataclass(frozen=True)
class HelpPlan:
    """How help is to be given.

    Attributes:
        way: Filled in beforehand, or marked where the worker answers otherwise.
        share: Of the assignments, from 0 to 1.
        seed: Decides which.
    """

    way: Way = "fill"
    share: float = 0.5
    seed: int = 0


def sent_in(run: RunDirectory, task: str) -> dict[str, Answers]:
    """What a run sent on the instances of a task.

    Args:
        run: The run.
        task: The task's name.

    Returns:
        Id of the instance -> what its form sent in the fields that the solver was told, those left blank left out;
        nothing where it submitted nothing of use. What the harness failed on is left out.

    Raises:
        harness.records.directory.NotARun: If an episode cannot be read.
    """
    found: dict[str, Answers] = {}
    for episode in run.episodes():
        if episode.task == task and episode.outcome != "harness_error":
            fields = episode.fields if episode.submission is not None else ()
            found[episode.id] = {field.name: field.sent for field in fields if field.told and any(field.sent)}
    return found


def has_begun(batch: Batch) -> bool:
    """Whether an assignment has been drawn to get help or not: then nothing of the draw may change."""
    return batch.assignments.filter(helped__isnull=False).exists()


def set_up_help(batch: Batch, run: str, sent: Mapping[str, Answers], plan: HelpPlan) -> Copilot:
    """Let workers of a batch get help.

    Args:
        batch: The batch.
        run: What the run is called.
        sent: What it sent: id of the instance -> answers.
        plan: How help is to be given.

    Raises:
        HelpRefused: If the run sent nothing on the batch's task, or help has been drawn for assignments already.
    """
    if not any(sent.values()):
        raise HelpRefused(f"the run {run} sent nothing on the task {batch.task!r}; take a run of this task")
    _refuse_begun(batch)
    with transaction.atomic():
        Copilot.objects.filter(batch=batch).delete()
        made = Copilot.objects.create(batch=batch, run=run, way=plan.way, share=plan.share, seed=plan.seed)
        Suggestion.objects.bulk_create(
            Suggestion(copilot=made, instance_id=instance_id, answers=answers) for instance_id, answers in sent.items()
        )
    return made


def change_help(copilot: Copilot, plan: HelpPlan) -> None:
    """Change how help is given.

    Raises:
        HelpRefused: If help has been drawn for assignments already.
    """
    _refuse_begun(copilot.batch)
    copilot.way, copilot.share, copilot.seed = plan.way, plan.share, plan.seed
    copilot.save(update_fields=["way", "share", "seed"])


def _refuse_begun(batch: Batch) -> None:
    if has_begun(batch):
        raise HelpRefused(
            f"workers of {str(batch)!r} have begun with this help, and what is compared must not change on the way; "
            "switch it off, or make another batch"
        )


def drawn_help(batch: Batch, worker: User, instance_id: str) -> bool | None:
    """Whether a worker gets help on an instance; None if there is none to be had."""
    found = Suggestion.objects.filter(copilot__batch=batch, copilot__active=True, instance_id=instance_id)
    suggestion = found.select_related("copilot").first()
    if suggestion is None or not suggestion.answers:
        return None
    return is_drawn(suggestion.copilot.seed, suggestion.copilot.share, str(worker.pk), instance_id)


def help_for(assignment: Assignment) -> tuple[Way, Answers] | None:
    """How an assignment is helped, and with which answers; None if it is not."""
    if not assignment.helped:
        return None
    found = Suggestion.objects.filter(
        copilot__batch=assignment.batch_id, instance_id=assignment.instance_id
    ).select_related("copilot")
    suggestion = found.first()
    if suggestion is None:
        return None
    return next(way for way in WAYS if way == suggestion.copilot.way), suggestion.answers


def effect_of(batch: Batch) -> HelpEffect:
    """Compare the submitted assignments of a batch with help and without."""
    from harness.catalog.annotations.help_effect import TimedAnswers, help_effect  # noqa: PLC0415 - brings scipy along

    suggested = dict(Suggestion.objects.filter(copilot__batch=batch).values_list("instance_id", "answers"))
    drawn = batch.assignments.filter(state=State.SUBMITTED, helped__isnull=False, seconds__isnull=False)
    return help_effect(
        [
            TimedAnswers(
                worker=str(row.worker_id),
                instance_id=row.instance_id,
                helped=bool(row.helped),
                seconds=row.seconds or 0.0,
                answers=row.answers or {},
                suggested=suggested.get(row.instance_id, {}),
            )
            for row in drawn
        ]
    )

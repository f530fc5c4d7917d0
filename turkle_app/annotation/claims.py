"""The rules of claiming: who gets which instance, for how long, and what may still be submitted.

Everything that changes assignments of a batch holds the lock of the batch's row meanwhile (SQLite has one lock for
all), so that an instance never gets more workers than were asked for, however many ask at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from harness.kit.errors import UserError
from turkle_app.annotation.allotment import Placed, has_place, left_for, published_to
from turkle_app.annotation.instances import TaskGone
from turkle_app.annotation.models import (
    Adjudication,
    Assignment,
    Batch,
    BatchState,
    GoldMode,
    Project,
    State,
)
from turkle_app.annotation.suggested_answers import drawn_help


class AssignmentRefused(UserError):
    """What a worker asked for is not possible any more; the message says why and is shown to them."""


def open_projects(worker: User) -> QuerySet[Project]:
    """Return the projects that a worker may work on.

    They have a batch that is published, and are for the worker; or something of such a batch is reserved for them.
    """
    published = Batch.objects.filter(state=BatchState.PUBLISHED)
    theirs = published.filter(Q(project__in=published_to(worker)) | Q(reservations__worker=worker))
    return Project.objects.filter(batches__in=theirs).distinct()


def open_batches(project: Project) -> QuerySet[Batch]:
    """Return the batches of a project that are given out, in the order in which they are."""
    return project.batches.filter(state=BatchState.PUBLISHED)


def held_in(project: Project, worker: User) -> Assignment | None:
    """Return the claim that a worker has in a project, None without one."""
    return Assignment.objects.filter(batch__project=project, worker=worker, state=State.CLAIMED).first()


@dataclass(frozen=True)
class Offer:
    """The instance that a worker would get now.

    Attributes:
        batch: Of which batch.
        index: Its place in the batch's table.
        instance_id: Its id.
    """

    batch: Batch
    index: int
    instance_id: str


def next_in_project(project: Project, worker: User) -> Offer | None:
    """Return what the worker would get now in a project; None if nothing is left for them.

    Raises:
        TaskGone: If nothing is left but in a batch whose files cannot be used.
    """
    gone: TaskGone | None = None
    for batch in open_batches(project):
        try:
            if found := next_instance(batch, worker):
                return Offer(batch, *found)
        except TaskGone as error:
            gone = gone or error
    if gone:
        raise gone
    return None


def claim_next(project: Project, worker: User) -> Assignment:
    """Claim the next instance of a project for a worker, or find the claim that they have in it already.

    Raises:
        AssignmentRefused: If nothing is left for them.
        TaskGone: If nothing is left but in a batch whose files cannot be used.
    """
    if held := held_in(project, worker):
        return held
    gone: TaskGone | None = None
    for batch in open_batches(project):
        try:
            if next_instance(batch, worker):  # so that nobody waits for the lock of a batch that is done
                return claim(batch.pk, worker)
        except AssignmentRefused:
            continue
        except TaskGone as error:
            gone = gone or error
    raise gone or AssignmentRefused("There is nothing left for you in this project.")


def next_instance(batch: Batch, worker: User) -> tuple[int, str] | None:
    """Return index and id of the instance that the worker would get now; None if nothing is left for them.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    return next(iter(left_for(batch, worker).instances), None)


def places_left(batch: Batch, worker: User) -> int:
    """Return how many instances of a batch the worker could still claim, one after the other.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    return left_for(batch, worker).count


def claim(batch_id: int, worker: User, wanted: str | None = None) -> Assignment:
    """Claim an instance for a worker, or find the claim of this batch that they have already.

    Args:
        batch_id: The batch; whether the worker may see it is for the caller to know (`open_projects`).
        worker: For whom.
        wanted: The id of the instance that they want; None for whichever is next.

    Raises:
        AssignmentRefused: If the batch is paused, the instance is taken, or nothing is left for this worker.
        TaskGone: If the task's files cannot be used.
    """
    with locked(batch_id) as (batch, now):
        if held := batch.assignments.filter(worker=worker, state=State.CLAIMED).first():
            return held
        if batch.state != BatchState.PUBLISHED:
            raise AssignmentRefused("This project is paused.")
        left = left_for(batch, worker)
        chosen = next((each for each in left.instances if wanted in {None, each[1]}), None)
        if chosen is None and wanted:
            raise AssignmentRefused("Others have taken this instance meanwhile.")
        if chosen is None:
            raise AssignmentRefused("There is nothing left for you in this project.")
        return _begin(batch, worker, chosen, left.mode_of(chosen), now)


def skip(batch_id: int, worker: User, instance_id: str) -> None:
    """Note that a worker does not want an instance that they have seen but not claimed: it comes last for them.

    Raises:
        AssignmentRefused: If it is not among what is left for them.
        TaskGone: If the task's files cannot be used.
    """
    with locked(batch_id) as (batch, now):
        left = left_for(batch, worker)
        chosen = next((each for each in left.instances if each[1] == instance_id), None)
        if chosen is None:
            raise AssignmentRefused("This instance is not open to you any more.")
        row = _begin(batch, worker, chosen, left.mode_of(chosen), now)
        row.state, row.expires_at = State.SKIPPED, now
        row.save(update_fields=["state", "expires_at"])


def give_back(assignment: Assignment, state: State) -> None:
    """End a claim unanswered, so that others can have the instance.

    Args:
        assignment: The claim.
        state: `State.RETURNED` or `State.SKIPPED`. Both come back to this worker when all else is done.

    Raises:
        AssignmentRefused: If it is no claim any more.
    """
    with locked(assignment.batch_id):
        changed = Assignment.objects.filter(pk=assignment.pk, state=State.CLAIMED).update(state=state)
        if not changed:
            raise AssignmentRefused("This assignment is over already.")


def submit(assignment_id: int, answers: Mapping[str, Sequence[str]]) -> Assignment:
    """Keep the answers of a claimed assignment, and the time that it took.

    What comes too late is kept all the same while the place has not been given to another.

    Args:
        assignment_id: Which.
        answers: Field -> everything that the browser sent for it.

    Raises:
        AssignmentRefused: If it has been submitted or given back, or its time is over and another has the place.
        Assignment.DoesNotExist: If there is no such assignment.
    """
    batch_id = Assignment.objects.values_list("batch_id", flat=True).get(pk=assignment_id)
    with locked(batch_id) as (batch, now):
        assignment = Assignment.objects.select_related("batch").get(pk=assignment_id)
        if assignment.state == State.SUBMITTED:
            raise AssignmentRefused("This assignment has been submitted before. The first answers count.")
        late = assignment.state == State.EXPIRED
        if not late and assignment.state != State.CLAIMED:
            raise AssignmentRefused("This assignment was given back. Claim an instance again to answer it.")
        if late and batch.state == BatchState.CLOSED:
            raise AssignmentRefused("The time for this assignment is over, and no more answers are taken.")
        if late and not has_place(batch, assignment):
            raise AssignmentRefused("The time for this assignment is over, and another worker has its place.")
        assignment.state, assignment.submitted_at = State.SUBMITTED, now
        assignment.seconds = (now - assignment.claimed_at).total_seconds()
        assignment.answers = _stored(answers)
        assignment.save(update_fields=["state", "submitted_at", "seconds", "answers"])
        return assignment


def correct(assignment_id: int, correction: int, answers: Mapping[str, Sequence[str]]) -> Assignment:
    """Put other answers of its worker in the place of those of a submitted assignment. The earlier ones are kept.

    Args:
        assignment_id: Which.
        correction: How many corrections of it there were when its sheet was opened.
        answers: Field -> everything that the browser sent for it.

    Raises:
        AssignmentRefused: If it has been reviewed, or corrected since the sheet was opened.
        Assignment.DoesNotExist: If there is no such assignment.
    """
    batch_id = Assignment.objects.values_list("batch_id", flat=True).get(pk=assignment_id)
    with locked(batch_id) as (_, now):
        assignment = Assignment.objects.select_related("batch").get(pk=assignment_id)
        if not correctable([assignment]):
            raise AssignmentRefused("This assignment cannot be changed any more. The answers before count.")
        if assignment.earlier.count() != correction:
            raise AssignmentRefused("This assignment has been changed meanwhile. Open it again to change it once more.")
        assignment.earlier.create(answers=assignment.answers or {}, replaced_at=now)
        assignment.answers, assignment.corrected_at = _stored(answers), now
        assignment.save(update_fields=["answers", "corrected_at"])
        return assignment


def correctable(assignments: Iterable[Assignment]) -> set[int]:
    """Return the numbers of those assignments that their workers may still correct.

    They are submitted, and neither approved nor decided on since; their batch is not closed, and their worker has not
    been told the right answers.
    """
    open_to = [
        each
        for each in assignments
        if each.state == State.SUBMITTED
        and each.approved_at is None
        and each.gold != GoldMode.FEEDBACK
        and each.batch.state != BatchState.CLOSED
    ]
    instances = {each.instance_id for each in open_to}
    decisions = Adjudication.objects.filter(batch__in={each.batch_id for each in open_to}, instance_id__in=instances)
    decided = {(batch_id, each): at for batch_id, each, at in decisions.values_list("batch", "instance_id", "at")}
    return {
        each.pk
        for each in open_to
        if (at := decided.get((each.batch_id, each.instance_id))) is None
        or (each.submitted_at and at < each.submitted_at)
    }


def approve(assignment: Assignment, staff: User) -> None:
    """Say that a submitted assignment is good: its worker does not change it any more.

    Raises:
        AssignmentRefused: If it is not submitted, or approved already.
    """
    with locked(assignment.batch_id) as (_, now):
        changed = Assignment.objects.filter(pk=assignment.pk, state=State.SUBMITTED, approved_at=None).update(
            approved_at=now, approved_by=staff
        )
        if not changed:
            raise AssignmentRefused("Only an assignment that is submitted can be approved, and once.")


def reject(assignment: Assignment, staff: User, reason: str) -> None:
    """Take a submitted assignment out of what counts: its answers are kept, and its place is free for another worker.

    Raises:
        AssignmentRefused: If it is not a submitted one.
    """
    with locked(assignment.batch_id) as (_, now):
        changed = Assignment.objects.filter(pk=assignment.pk, state=State.SUBMITTED).update(
            state=State.REJECTED, rejected_at=now, rejected_by=staff, reason=reason
        )
        if not changed:
            raise AssignmentRefused("Only an assignment that is submitted can be rejected.")


def change_state(batch: Batch, state: BatchState) -> Batch:
    """Publish, pause or close a batch.

    What is accepted can be submitted in any state, but to a closed batch not when its time is over.

    Returns:
        The batch as it is now.

    Raises:
        AssignmentRefused: If it is in that state, or would be a draft again.
    """
    with locked(batch.pk) as (found, now):
        if state == BatchState.DRAFT or (state == BatchState.PAUSED and found.state != BatchState.PUBLISHED):
            raise AssignmentRefused("Only a batch that is published can be paused, and none becomes a draft again.")
        if found.state == state:
            raise AssignmentRefused(f"This batch is {state} already.")
        found.state, found.closed_at = state, now if state == BatchState.CLOSED else None
        if state == BatchState.PUBLISHED:
            found.published_at = found.published_at or now
        found.save(update_fields=["state", "published_at", "closed_at"])
        return found


def free_expired() -> None:
    """Give back every claim of every batch whose time is over: lists then show them as expired."""
    over = Assignment.objects.filter(state=State.CLAIMED, expires_at__lte=timezone.now())
    if over.exists():  # each page asks, and a look needs no lock
        over.update(state=State.EXPIRED)


def seconds_left(assignment: Assignment) -> float:
    """Return for how long the assignment is kept for its worker; 0 when it is not any more."""
    if assignment.state != State.CLAIMED:
        return 0.0
    return max(0.0, (assignment.expires_at - timezone.now()).total_seconds())


@contextmanager
def locked(batch_id: int) -> Iterator[tuple[Batch, datetime]]:
    """Hold a batch's lock for a transaction, in which no claim is past its time."""
    with transaction.atomic():
        batch = Batch.objects.select_for_update(no_key=True).get(pk=batch_id)
        now = timezone.now()
        batch.assignments.filter(state=State.CLAIMED, expires_at__lte=now).update(state=State.EXPIRED)
        yield batch, now


def _begin(batch: Batch, worker: User, chosen: Placed, gold: str, now: datetime) -> Assignment:
    return Assignment.objects.create(
        batch=batch,
        worker=worker,
        index=chosen[0],
        instance_id=chosen[1],
        claimed_at=now,
        expires_at=now + timedelta(seconds=batch.expiry_seconds),
        helped=drawn_help(batch, worker, chosen[1]),
        gold=gold,
    )


def _stored(answers: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {_storable(name): list(map(_storable, values)) for name, values in answers.items()}


def _storable(value: str) -> str:
    # No form that a person fills in holds one, and PostgreSQL does not take it.
    return value.replace("\0", "�")

"""The rules of claiming: who gets which instance, for how long, and what may still be submitted.

Everything that changes assignments of a project holds the lock of the project's row meanwhile (SQLite has one lock for
all), so that an instance never gets more workers than were asked for, however many ask at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from harness.kit.errors import UserError
from turkle_app.annotation.instances import instance_ids
from turkle_app.annotation.models import TAKEN, Assignment, Project, State
from turkle_app.annotation.suggested_answers import drawn_help


class AssignmentRefused(UserError):
    """What a worker asked for is not possible any more; the message says why and is shown to them."""


def open_projects(worker: User) -> QuerySet[Project]:
    """Return the projects that a worker may work on: active, and published to one of their groups."""
    return Project.objects.filter(active=True, groups__in=worker.groups.all()).distinct()


def next_instance(project: Project, worker: User) -> tuple[int, str] | None:
    """Return index and id of the instance that the worker would get now; None if nothing is left for them.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    return next(iter(_left(project, worker)), None)


def places_left(project: Project, worker: User) -> int:
    """Return how many instances of a project the worker could still claim, one after the other.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    return len(_left(project, worker))


def claim(project_id: int, worker: User, wanted: str | None = None) -> Assignment:
    """Claim an instance for a worker, or find the claim of this project that they have already.

    Args:
        project_id: The project; whether the worker may see it is for the caller to know (`open_projects`).
        worker: For whom.
        wanted: The id of the instance that they want; None for whichever is next.

    Raises:
        AssignmentRefused: If the project is paused, the instance is taken, or nothing is left for this worker.
        TaskGone: If the task's files cannot be used.
    """
    with _locked(project_id) as (project, now):
        if held := project.assignments.filter(worker=worker, state=State.CLAIMED).first():
            return held
        if not project.active:
            raise AssignmentRefused("This project is paused.")
        left = _left(project, worker)
        chosen = next((each for each in left if wanted in {None, each[1]}), None)
        if chosen is None and left:
            raise AssignmentRefused("Others have taken this instance meanwhile. Here is another one.")
        if chosen is None:
            raise AssignmentRefused("There is nothing left for you in this project.")
        return _begin(project, worker, chosen, now)


def skip(project_id: int, worker: User, instance_id: str) -> None:
    """Note that a worker does not want an instance that they have seen but not claimed: it comes last for them.

    Raises:
        AssignmentRefused: If it is not among what is left for them.
        TaskGone: If the task's files cannot be used.
    """
    with _locked(project_id) as (project, now):
        chosen = next((each for each in _left(project, worker) if each[1] == instance_id), None)
        if chosen is None:
            raise AssignmentRefused("This instance is not open to you any more.")
        row = _begin(project, worker, chosen, now)
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
    with _locked(assignment.project_id):
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
    project_id = Assignment.objects.values_list("project_id", flat=True).get(pk=assignment_id)
    with _locked(project_id) as (project, now):
        assignment = Assignment.objects.select_related("project").get(pk=assignment_id)
        if assignment.state == State.SUBMITTED:
            raise AssignmentRefused("This assignment has been submitted before. The first answers count.")
        late = assignment.state == State.EXPIRED
        if not late and assignment.state != State.CLAIMED:
            raise AssignmentRefused("This assignment was given back. Claim an instance again to answer it.")
        if late and not _has_place(project, assignment):
            raise AssignmentRefused("The time for this assignment is over, and another worker has its place.")
        assignment.state, assignment.submitted_at = State.SUBMITTED, now
        assignment.seconds = (now - assignment.claimed_at).total_seconds()
        assignment.answers = {_storable(name): list(map(_storable, values)) for name, values in answers.items()}
        assignment.save(update_fields=["state", "submitted_at", "seconds", "answers"])
        return assignment


def reject(assignment: Assignment, staff: User, reason: str) -> None:
    """Take a submitted assignment out of what counts: its answers are kept, and its place is free for another worker.

    Raises:
        AssignmentRefused: If it is not a submitted one.
    """
    with _locked(assignment.project_id) as (_, now):
        changed = Assignment.objects.filter(pk=assignment.pk, state=State.SUBMITTED).update(
            state=State.REJECTED, rejected_at=now, rejected_by=staff, reason=reason
        )
        if not changed:
            raise AssignmentRefused("Only an assignment that is submitted can be rejected.")


def free_expired() -> None:
    """Give back every claim of every project whose time is over: lists then show them as expired."""
    over = Assignment.objects.filter(state=State.CLAIMED, expires_at__lte=timezone.now())
    if over.exists():  # each page asks, and a look needs no lock
        over.update(state=State.EXPIRED)


def seconds_left(assignment: Assignment) -> float:
    """Return for how long the assignment is kept for its worker; 0 when it is not any more."""
    if assignment.state != State.CLAIMED:
        return 0.0
    return max(0.0, (assignment.expires_at - timezone.now()).total_seconds())


@contextmanager
def _locked(project_id: int) -> Iterator[tuple[Project, datetime]]:
    """Hold a project's lock for a transaction, in which no claim is past its time."""
    with transaction.atomic():
        project = Project.objects.select_for_update(no_key=True).get(pk=project_id)
        now = timezone.now()
        project.assignments.filter(state=State.CLAIMED, expires_at__lte=now).update(state=State.EXPIRED)
        yield project, now


def _left(project: Project, worker: User) -> list[tuple[int, str]]:
    """Index and id of what is left for a worker: in the order of the table, what they put off before at the end."""
    now = timezone.now()
    taken = project.assignments.filter(Q(state=State.SUBMITTED) | Q(state=State.CLAIMED, expires_at__gt=now))
    counts = taken.order_by().values("instance_id").annotate(count=Count("pk"))
    full = counts.filter(count__gte=project.assignments_per_instance)
    closed = set(full.values_list("instance_id", flat=True))
    put_off: dict[str, int] = {}
    for key, instance_id, state in project.assignments.filter(worker=worker).values_list("pk", "instance_id", "state"):
        if state in {*TAKEN, State.REJECTED}:
            closed.add(instance_id)
        elif state != State.EXPIRED:
            put_off[instance_id] = key
    left = [each for each in enumerate(instance_ids(project.task)) if each[1] not in closed]
    return sorted(left, key=lambda each: (put_off.get(each[1], 0), each[0]))


def _begin(project: Project, worker: User, chosen: tuple[int, str], now: datetime) -> Assignment:
    return Assignment.objects.create(
        project=project,
        worker=worker,
        index=chosen[0],
        instance_id=chosen[1],
        claimed_at=now,
        expires_at=now + timedelta(seconds=project.expiry_seconds),
        helped=drawn_help(project, worker, chosen[1]),
    )


def _has_place(project: Project, late: Assignment) -> bool:
    """Whether an assignment that ran out could be claimed again now, by the same worker."""
    workers = project.assignments.filter(instance_id=late.instance_id, state__in=TAKEN).values_list("worker", flat=True)
    return len(workers) < project.assignments_per_instance and late.worker_id not in workers


def _storable(value: str) -> str:
    # No form that a person fills in holds one, and PostgreSQL does not take it.
    return value.replace("\0", "�")

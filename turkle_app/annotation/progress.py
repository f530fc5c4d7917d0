"""How far a project is, and who has done how much of it in what time."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count

from turkle_app.annotation.claims import places_left
from turkle_app.annotation.instances import TaskGone, instance_ids
from turkle_app.annotation.models import Assignment, Project, State


@dataclass(frozen=True)
class OwnProgress:
    """How far one worker is in a project.

    Attributes:
        instances: How many instances the task has.
        submitted: How many of them the worker has answered.
        left: How many they could still claim.
    """

    instances: int
    submitted: int
    left: int


@dataclass(frozen=True)
class ProjectProgress:
    """How far a project is.

    Attributes:
        asked: How many assignments it needs in all; None if its task cannot be used.
        submitted: How many there are that count: of instances that are still in the table.
        claimed: How many are being worked on.
        complete: How many instances have all that they need; None if the task cannot be used.
        instances: How many instances there are; None if the task cannot be used.
        strays: How many submitted assignments are of instances that are no longer in the table.
        median_seconds: The median time of a submitted assignment; None without one.
        problem: Why the task cannot be used; empty if it can.
    """

    asked: int | None
    submitted: int
    claimed: int
    complete: int | None
    instances: int | None
    strays: int
    median_seconds: float | None
    problem: str = ""

    @property
    def percent(self) -> int | None:
        """How much of what was asked for is there, in per cent, rounded down."""
        return None if not self.asked else min(100, 100 * self.submitted // self.asked)


@dataclass(frozen=True)
class WorkerProgress:
    """What one worker has done in a project.

    Attributes:
        worker: Who.
        counts: State -> how many assignments of theirs are in it.
        median_seconds: The median time of those submitted; None without one.
    """

    worker: User
    counts: dict[str, int]
    median_seconds: float | None


def own_progress(project: Project, worker: User) -> OwnProgress:
    """Count what a worker has done and could do in a project.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    submitted = project.assignments.filter(worker=worker, state=State.SUBMITTED).count()
    return OwnProgress(len(instance_ids(project.task)), submitted, places_left(project, worker))


def project_progress(project: Project) -> ProjectProgress:
    """Count what has been done of a project."""
    rows = project.assignments.filter(state=State.SUBMITTED).order_by()
    done: Counter[str] = Counter(dict(rows.values_list("instance_id").annotate(Count("pk"))))
    claimed = project.assignments.filter(state=State.CLAIMED).count()
    median = _median(project)
    try:
        ids = instance_ids(project.task)
    except TaskGone as error:
        return ProjectProgress(None, done.total(), claimed, None, None, 0, median, str(error))
    wanted = project.assignments_per_instance
    here = {instance_id: done[instance_id] for instance_id in ids}
    return ProjectProgress(
        asked=len(ids) * wanted,
        submitted=sum(here.values()),
        claimed=claimed,
        complete=sum(count >= wanted for count in here.values()),
        instances=len(ids),
        strays=done.total() - sum(here.values()),
        median_seconds=median,
    )


def worker_progress(project: Project) -> list[WorkerProgress]:
    """Return what each worker of a project has done, those with most submitted first."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    seconds: dict[int, list[float]] = defaultdict(list)
    for worker, state, took in project.assignments.order_by().values_list("worker", "state", "seconds"):
        counts[worker][state] += 1
        if state == State.SUBMITTED and took is not None:
            seconds[worker].append(took)
    users = User.objects.in_bulk(counts)
    found = [
        WorkerProgress(users[key], dict(count), statistics.median(seconds[key]) if seconds[key] else None)
        for key, count in counts.items()
    ]
    return sorted(found, key=lambda each: (-each.counts.get(State.SUBMITTED, 0), each.worker.username))


def _median(project: Project) -> float | None:
    rows = Assignment.objects.filter(project=project, state=State.SUBMITTED)
    times = [seconds for seconds in rows.values_list("seconds", flat=True) if seconds is not None]
    return statistics.median(times) if times else None

"""How far a batch and a project are, and who has done how much in what time."""

from __future__ import annotations

import contextlib
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, QuerySet

from turkle_app.annotation.allotment import gold_questions
from turkle_app.annotation.claims import open_batches, places_left
from turkle_app.annotation.instances import TaskGone, instance_ids
from turkle_app.annotation.models import Assignment, Batch, Project, State


@dataclass(frozen=True)
class OwnProgress:
    """How far one worker is in the published batches of a project.

    Attributes:
        instances: How many instances they have.
        submitted: How many of them the worker has answered.
        left: How many they could still claim.
    """

    instances: int
    submitted: int
    left: int


@dataclass(frozen=True)
class Progress:
    """How far a batch is, or all batches of a project.

    Attributes:
        asked: How many assignments it needs in all; None if its task cannot be used.
        submitted: How many there are that count: of instances that are still in the table.
        claimed: How many are being worked on.
        complete: How many instances have all that they need; None if the task cannot be used.
        instances: How many instances there are; None if the task cannot be used.
        strays: How many submitted assignments are of instances that are no longer in the table.
        median_seconds: The median time of a submitted assignment; None without one.
        gold: How many submitted assignments are answers to gold questions; they count in nothing else of this.
        problem: Why the task cannot be used; empty if it can.
    """

    asked: int | None
    submitted: int
    claimed: int
    complete: int | None
    instances: int | None
    strays: int
    median_seconds: float | None
    gold: int = 0
    problem: str = ""

    @property
    def percent(self) -> int | None:
        """How much of what was asked for is there, in per cent, rounded down."""
        return None if not self.asked else min(100, 100 * self.submitted // self.asked)


@dataclass(frozen=True)
class WorkerProgress:
    """What one worker has done in a batch or a project.

    Attributes:
        worker: Who.
        anonymous: Whether they have no account, and are a browser: one person can be several of these.
        counts: State -> how many assignments of theirs are in it.
        median_seconds: The median time of those submitted; None without one.
    """

    worker: User
    anonymous: bool
    counts: dict[str, int]
    median_seconds: float | None


def own_progress(project: Project, worker: User) -> OwnProgress:
    """Count what a worker has done and could do in a project; batches whose files cannot be used are left out."""
    instances = submitted = left = 0
    for batch in open_batches(project):
        with contextlib.suppress(TaskGone):
            instances += len(instance_ids(batch.task))
            left += places_left(batch, worker)
            submitted += batch.assignments.filter(worker=worker, state=State.SUBMITTED).count()
    return OwnProgress(instances, submitted, left)


def batch_progress(batch: Batch) -> Progress:
    """Count what has been done of a batch."""
    submitted = batch.assignments.filter(state=State.SUBMITTED).order_by()
    rows, gold = submitted.filter(gold=""), submitted.exclude(gold="").count()
    done: Counter[str] = Counter(dict(rows.values_list("instance_id").annotate(Count("pk"))))
    claimed = batch.assignments.filter(state=State.CLAIMED).count()
    median = _median(batch.assignments.all())
    try:
        questions = gold_questions(batch)
        ids = [each for each in instance_ids(batch.task) if each not in questions]
    except TaskGone as error:
        return Progress(None, done.total(), claimed, None, None, 0, median, gold, str(error))
    wanted = batch.assignments_per_instance
    here = {instance_id: done[instance_id] for instance_id in ids}
    return Progress(
        asked=len(ids) * wanted,
        submitted=sum(here.values()),
        claimed=claimed,
        complete=sum(count >= wanted for count in here.values()),
        instances=len(ids),
        strays=done.total() - sum(here.values()),
        median_seconds=median,
        gold=gold,
    )


def project_progress(project: Project) -> Progress:
    """Count what has been done of all batches of a project."""
    parts = [batch_progress(batch) for batch in project.batches.all()]
    return Progress(
        asked=_sum(part.asked for part in parts),
        submitted=sum(part.submitted for part in parts),
        claimed=sum(part.claimed for part in parts),
        complete=_sum(part.complete for part in parts),
        instances=_sum(part.instances for part in parts),
        strays=sum(part.strays for part in parts),
        median_seconds=_median(Assignment.objects.filter(batch__project=project)),
        gold=sum(part.gold for part in parts),
        problem=" ".join(part.problem for part in parts if part.problem),
    )


def worker_progress(assignments: QuerySet[Assignment]) -> list[WorkerProgress]:
    """Return what each worker of a batch or a project has done, those with most submitted first."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    seconds: dict[int, list[float]] = defaultdict(list)
    for worker, state, took in assignments.order_by().values_list("worker", "state", "seconds"):
        counts[worker][state] += 1
        if state == State.SUBMITTED and took is not None:
            seconds[worker].append(took)
    users = User.objects.select_related("anonymous").in_bulk(counts)
    found = [
        WorkerProgress(
            users[key],
            hasattr(users[key], "anonymous"),
            dict(count),
            statistics.median(seconds[key]) if seconds[key] else None,
        )
        for key, count in counts.items()
    ]
    return sorted(found, key=lambda each: (-each.counts.get(State.SUBMITTED, 0), each.worker.username))


def without_account(workers: Iterable[WorkerProgress]) -> dict[str, int]:
    """Return how many of the workers have no account, and how many assignments they have submitted."""
    apart = [each for each in workers if each.anonymous]
    return {"workers": len(apart), "submitted": sum(each.counts.get(State.SUBMITTED, 0) for each in apart)}


def _median(assignments: QuerySet[Assignment]) -> float | None:
    rows = assignments.filter(state=State.SUBMITTED)
    times = [seconds for seconds in rows.values_list("seconds", flat=True) if seconds is not None]
    return statistics.median(times) if times else None


def _sum(parts: Iterable[int | None]) -> int | None:
    """The sum of what is known; None if a part of it is not."""
    found = list(parts)
    return None if None in found else sum(part or 0 for part in found)

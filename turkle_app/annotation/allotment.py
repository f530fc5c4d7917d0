"""Which instances of a batch are left for a worker, and in which order they come.

An instance is left if a place of it is free, the worker has not answered it, and it is not reserved for others. In a
batch with gold questions, a draw for each worker decides before which of their assignments one comes: a gold question
is given to all workers, takes no place, and looks like any other. So that an instance's number does not tell it from
others, all instances of such a batch come in an order that is drawn, the same for all workers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from harness.catalog.annotations.help_drawing import is_drawn
from turkle_app.annotation.instances import instance_ids
from turkle_app.annotation.models import (
    TAKEN,
    AnonymousWorker,
    Assignment,
    Batch,
    GoldMode,
    GoldPlan,
    Project,
    State,
)

Placed = tuple[int, str]
"""Index and id of an instance."""


@dataclass(frozen=True)
class Left:
    """What is left of a batch for a worker.

    Attributes:
        instances: What they can have now, what comes next first.
        count: How many assignments they would get, one after the other.
        gold: The gold question among them; None if none is.
        mode: How it is given.
    """

    instances: list[Placed]
    count: int
    gold: Placed | None = None
    mode: str = ""

    def mode_of(self, instance: Placed) -> str:
        """How an instance is given as a gold question; empty if it is none."""
        return self.mode if instance == self.gold else ""


def left_for(batch: Batch, worker: User) -> Left:
    """Return what is left of a batch for a worker.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    own = list(batch.assignments.filter(worker=worker).values_list("pk", "instance_id", "state"))
    closed = {instance_id for _, instance_id, state in own if state in {*TAKEN, State.REJECTED}}
    away = {State.SKIPPED, State.RETURNED}
    put_off = {instance_id: key for key, instance_id, state in own if state in away}
    may = _allowed(batch, worker)
    open_to = [each for each in enumerate(instance_ids(batch.task)) if each[1] not in closed and may(each[1])]
    full = _full(batch)
    plan = GoldPlan.objects.filter(batch=batch).first()
    questions = gold_questions(batch)
    ordinary = [each for each in open_to if each[1] not in full and each[1] not in questions]
    if plan is None or not questions:
        return Left(sorted(ordinary, key=lambda each: (put_off.get(each[1], 0), each[0])), len(ordinary))

    def order(each: Placed) -> tuple[int, str]:
        return put_off.get(each[1], 0), _drawn_place(plan.seed, each[1])

    ordinary.sort(key=order)
    gold = sorted((each for each in open_to if each[1] in questions), key=order)
    count = _count(plan, worker, len(own), len(ordinary), len(gold))
    if not gold or not _is_next(plan, worker, len(own)):
        return Left(ordinary, count)
    mixed = sorted([gold[0], *ordinary], key=lambda each: (put_off.get(each[1], 0), each != gold[0]))
    return Left(mixed, count, gold[0], GoldMode.FEEDBACK if plan.feedback else GoldMode.SECRET)


def gold_questions(batch: Batch) -> set[str]:
    """Return the ids of the instances of a batch that are given as gold questions."""
    return set(batch.gold_questions.filter(batch__gold_plan__isnull=False).values_list("instance_id", flat=True))


def published_to(worker: User) -> QuerySet[Project]:
    """Return the projects that are for a worker, whether something of them is reserved for them or not.

    Those for everybody are not for who has no account, and those that allow work without an account are for all.
    """
    theirs = Q(groups__in=worker.groups.all()) | Q(anonymous=True)
    if not AnonymousWorker.objects.filter(user=worker).exists():
        theirs |= Q(everybody=True)
    return Project.objects.filter(theirs).distinct()


def has_place(batch: Batch, late: Assignment) -> bool:
    """Return whether an assignment that ran out could be claimed again now, by the same worker."""
    others = batch.assignments.filter(instance_id=late.instance_id, state__in=TAKEN)
    if others.filter(worker=late.worker_id).exists():
        return False
    return bool(late.gold) or others.filter(gold="").count() < batch.assignments_per_instance


def _full(batch: Batch) -> set[str]:
    """Ids of the instances without a free place."""
    held = Q(state=State.SUBMITTED) | Q(state=State.CLAIMED, expires_at__gt=timezone.now())
    counts = batch.assignments.filter(held, gold="").order_by().values("instance_id").annotate(count=Count("pk"))
    return set(counts.filter(count__gte=batch.assignments_per_instance).values_list("instance_id", flat=True))


def _allowed(batch: Batch, worker: User) -> Callable[[str], bool]:
    """Whether an instance is for a worker: reserved for them; or for nobody, and the batch is theirs.

    Who sees the project only because something of it is reserved for them gets that and nothing else.
    """
    named: dict[str, set[int]] = {}
    for instance_id, worker_id in batch.reservations.values_list("instance_id", "worker"):
        named.setdefault(instance_id, set()).add(worker_id)
    whole = named.pop("", None)
    if whole is None:
        is_named = worker.reservations.filter(batch__project=batch.project_id).exists()
        others = not is_named or published_to(worker).filter(pk=batch.project_id).exists()
    else:
        others = worker.pk in whole
    return lambda instance_id: worker.pk in named[instance_id] if instance_id in named else others


def _is_next(plan: GoldPlan, worker: User, done: int) -> bool:
    """Whether a worker who has had so many assignments of a batch gets a gold question now."""
    return is_drawn(plan.seed, plan.share, str(worker.pk), f"assignment {done}")


def _count(plan: GoldPlan, worker: User, done: int, ordinary: int, gold: int) -> int:
    """How many assignments a worker will get: each draw is known beforehand, so that the number falls by one each time.

    A number of ordinary ones alone would stay as it is where a gold question was answered.
    """
    total = 0
    while ordinary or gold:
        if gold and _is_next(plan, worker, done + total):
            gold -= 1
        elif ordinary:
            ordinary -= 1
        else:
            break
        total += 1
    return total


def _drawn_place(seed: int, instance_id: str) -> str:
    return hashlib.sha256(f"{seed}:{instance_id}".encode()).hexdigest()

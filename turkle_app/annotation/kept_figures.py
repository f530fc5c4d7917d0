"""What is computed of the answers of a batch: kept until they change, and of many computed now and then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.core.cache import cache
from django.db.models import Count, Max, Q
from django.utils import timezone

from turkle_app.annotation.instances import task_fingerprint
from turkle_app.annotation.models import Batch, BatchState, Copilot, State

MANY = 2_000
"""Of more submitted assignments, what was computed is shown for a while though others have come in."""
A_WHILE = timedelta(minutes=5)
"""At least; what took long to compute is shown for ``TIMES`` as long."""
TIMES = 20

Figures = TypeVar("Figures")


@dataclass(frozen=True)
class Kept(Generic[Figures]):
    """Something that was computed.

    Attributes:
        figures: It.
        settings: What it depends on besides assignments.
        answers: How many answers there were, and when the newest came or changed.
        at: When it was computed.
        took: How long that took.
        is_current: Whether nothing has come in since.
    """

    figures: Figures
    settings: tuple[Any, ...]
    answers: tuple[Any, ...]
    at: datetime
    took: timedelta
    is_current: bool = True


def kept(batch: Batch, what: str, compute: Callable[[], Figures]) -> Kept[Figures]:
    """Compute something of the answers of a batch, unless it is known already.

    Args:
        batch: The batch.
        what: What it is called; one word.
        compute: Computes it.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    settings, answers = _settings(batch), _answers(batch)
    place = f"figures-{batch.pk}-{what}"
    known: Kept[Figures] | None = cache.get(place)
    now = timezone.now()
    if known and known.settings == settings:
        if known.answers == answers:
            return known
        if answers[0] > MANY and now - known.at < max(A_WHILE, TIMES * known.took):
            return replace(known, is_current=False)
    # The state is of before, so that what comes in meanwhile is not missed.
    figures = compute()
    found = Kept(figures, settings, answers, now, timezone.now() - now)
    cache.set(place, found, timeout=None)
    return found


def _settings(batch: Batch) -> tuple[Any, ...]:
    return (
        str(batch.created),
        task_fingerprint(batch.task),
        batch.assignments_per_instance,
        batch.state == BatchState.CLOSED,
        *batch.gold_questions.aggregate(Count("pk"), Max("pk")).values(),
        *Copilot.objects.filter(batch=batch).values_list("pk", flat=True),
    )


def _answers(batch: Batch) -> tuple[Any, ...]:
    newest = {when: Max(when) for when in ("submitted_at", "corrected_at", "rejected_at")}
    count = Count("pk", filter=Q(state=State.SUBMITTED, gold=""))
    found = batch.assignments.order_by().aggregate(count=count, **newest)
    return found["count"], *(found[when] for when in newest)

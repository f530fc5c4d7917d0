"""What of a batch is for named workers: the whole of it, or single instances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from django.contrib.auth.models import User
from django.utils import timezone

from harness.kit.errors import UserError
from harness.kit.text import did_you_mean
from turkle_app.annotation.claims import locked
from turkle_app.annotation.instances import instance_ids
from turkle_app.annotation.models import Batch, Reservation

_WHOLE = ""
"""What stands for the batch among ids of instances."""
_BETWEEN = re.compile(r"[\s,;:]+")


class ReservationRefused(UserError):
    """What was asked for cannot be reserved; the message says why and is shown to staff."""


def reserve(batch: Batch, named: Mapping[str, Sequence[str]], by: User) -> None:
    """Reserve instances of a batch, or the batch, for named workers; what was reserved before is free.

    Args:
        batch: The batch.
        named: Id of an instance, or empty for the whole batch -> names of workers.
        by: Who decides.

    Raises:
        ReservationRefused: If a name is nobody's, or an account is closed. Nothing is changed then.
    """
    names = {name for each in named.values() for name in each}
    known = {user.username: user for user in User.objects.filter(username__in=names)}
    for name in sorted(names):
        if name not in known:
            hint = did_you_mean(name, list(User.objects.values_list("username", flat=True)))
            raise ReservationRefused(
                f"No account is called “{name}”.{hint} Write the name with which the worker logs in."
            )
        if not known[name].is_active:
            raise ReservationRefused(f"The account “{name}” is closed: open it, or name somebody else.")
    now = timezone.now()
    with locked(batch.pk):
        before = {(each.instance_id, each.worker_id): each for each in batch.reservations.all()}
        wanted = {(instance_id, known[name].pk) for instance_id, each in named.items() for name in each}
        batch.reservations.filter(pk__in=[each.pk for key, each in before.items() if key not in wanted]).delete()
        Reservation.objects.bulk_create(
            Reservation(batch=batch, instance_id=instance_id, worker_id=worker, by=by, at=now)
            for instance_id, worker in sorted(wanted - before.keys())
        )


def read_reservations(batch: Batch, whole: str, lines: str) -> dict[str, list[str]]:
    """What a form asks for, as `reserve` takes it.

    Args:
        batch: The batch.
        whole: Names for the whole batch, with commas or spaces between them.
        lines: A line for each instance: its number or id, and names.

    Raises:
        ReservationRefused: If a line names no instance of the batch, or nobody.
        TaskGone: If the task's files cannot be used.
    """
    ids = instance_ids(batch.task)
    by_name = {str(index): instance_id for index, instance_id in enumerate(ids)} | {each: each for each in ids}
    found: dict[str, list[str]] = {_WHOLE: names} if (names := _split(whole)) else {}
    for number, line in enumerate(lines.splitlines(), 1):
        if not (words := _split(line)):
            continue
        if words[0] not in by_name:
            raise ReservationRefused(
                f"Line {number}: the batch has no instance {words[0]!r}. Begin with a number from 0 to {len(ids) - 1}."
            )
        if len(words) == 1:
            raise ReservationRefused(f"Line {number}: it names nobody. Write the names behind the instance.")
        found.setdefault(by_name[words[0]], []).extend(words[1:])
    for instance_id, name in batch.reservations.exclude(instance_id=_WHOLE).values_list(
        "instance_id", "worker__username"
    ):
        if instance_id not in by_name:  # of an instance that has left the table, and may come back
            found.setdefault(instance_id, []).append(name)
    return found


def written_reservations(batch: Batch) -> tuple[str, str]:
    """What is reserved, as `read_reservations` reads it: for the whole batch, and for instances.

    Raises:
        TaskGone: If the task's files cannot be used.
    """
    places = {instance_id: index for index, instance_id in enumerate(instance_ids(batch.task))}
    named: dict[str, list[str]] = {}
    for instance_id, name in batch.reservations.values_list("instance_id", "worker__username"):
        named.setdefault(instance_id, []).append(name)
    whole = _joined(named.pop(_WHOLE, ()))
    here = sorted((places[each], names) for each, names in named.items() if each in places)
    return whole, "\n".join(f"{index}: {_joined(names)}" for index, names in here)


def _split(text: str) -> list[str]:
    return [word for word in _BETWEEN.split(text) if word]


def _joined(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))

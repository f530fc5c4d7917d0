"""The instances of a project: which there are, by id, straight from the task's files."""

from __future__ import annotations

from harness.catalog import Instance, MalformedTask, Task
from harness.kit.errors import UserError
from turkle_app.tasks import UnknownTask, catalog, find_task

_ids: dict[str, tuple[str, tuple[str, ...]]] = {}


class TaskGone(UserError):
    """The task of a project is not in the served folder, or its files cannot be used."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"The task “{name}” {why}")


def instance_ids(name: str) -> tuple[str, ...]:
    """Return the ids of a task's instances, in the order of its table: the place of each is its index.

    The table is read at the first call and again when a file of the task has changed.

    Raises:
        TaskGone: If there is no such task, or its files cannot be used.
    """
    fingerprint = task_fingerprint(name)
    known = _ids.get(name)
    if known is None or known[0] != fingerprint:
        known = _ids[name] = (fingerprint, tuple(instance.id for instance in task_of(name).pages))
    return known[1]


def find_by_id(name: str, instance_id: str) -> Instance | None:
    """Return the instance of a task that has this id, None if its table no longer holds it.

    Raises:
        TaskGone: If there is no such task, or its files cannot be used.
    """
    return next((instance for instance in task_of(name).pages if instance.id == instance_id), None)


def task_fingerprint(name: str) -> str:
    """Return `Catalog.fingerprint` of a task.

    Raises:
        TaskGone: If there is no such task, or its files cannot be read.
    """
    try:
        return catalog().fingerprint(name)
    except KeyError:
        raise TaskGone(name, "is no longer in the served folder. Put its folder back.") from None
    except OSError as error:
        raise TaskGone(name, f"cannot be read: {error.strerror}.") from error


def task_of(name: str) -> Task:
    """Return a task that is worked on.

    Raises:
        TaskGone: If there is no such task, or its files cannot be used.
    """
    try:
        return find_task(name)
    except UnknownTask:
        raise TaskGone(name, "is no longer in the served folder. Put its folder back.") from None
    except MalformedTask as error:
        raise TaskGone(name, "cannot be used until its files are mended: “Check all tasks” lists why.") from error

"""Batches of a project: made of a task of the served folder, and changed while nobody has begun them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from harness.catalog import Task
from harness.catalog.task import TABLE, TEMPLATE
from harness.datasets.uploaded_task import free_task_name
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.files.writing import write_bytes
from turkle_app.annotation.instances import TaskGone, task_fingerprint
from turkle_app.annotation.models import Batch, BatchState, Project
from turkle_app.annotation.uploads import KeptUpload, add, forget


class NameTaken(UserError):
    """Another batch of the project has the name of a new one."""


class FilesFixed(UserError):
    """The template and the table of a batch cannot be changed; the message says why and what to do instead."""


def free_name(project: Project) -> str:
    """Return a name that no batch of a project has: "Batch 2"."""
    taken = set(project.batches.values_list("name", flat=True))
    number = len(taken) + 1
    while f"Batch {number}" in taken:
        number += 1
    return f"Batch {number}"


def make_project(task: Task, requester: User) -> Project:
    """Make a project of a requester's own, whose first batch, a draft, is a task that they have added."""
    with transaction.atomic():
        title = (task.facts.title or task.name)[:200]
        project = Project.objects.create(title=title, created_by=requester)
        project.requesters.add(requester)
        make_batch(project, task.name, requester)
    return project


def make_batch(
    project: Project,
    task: str,
    by: User | None,
    *,
    name: str = "",
    assignments: int = 1,
    seconds: int = 3600,
    publish: bool = False,
) -> Batch:
    """Add a batch to a project.

    Args:
        project: The project.
        task: A task of the served folder.
        by: Who does it; None for a program.
        name: What it is called; left empty, "Batch" and a number.
        assignments: How many workers are to answer each instance.
        seconds: For how long a claimed instance is kept for its worker.
        publish: Whether its instances can be accepted at once; else it is a draft.

    Raises:
        TaskGone: If there is no such task, or its files cannot be read.
        NameTaken: If another batch of the project has this name.
    """
    with _named(project, name) as free:
        return Batch.objects.create(
            project=project,
            name=free,
            task=task,
            state=BatchState.PUBLISHED if publish else BatchState.DRAFT,
            published_at=timezone.now() if publish else None,
            assignments_per_instance=assignments,
            expiry_seconds=seconds,
            fingerprint=task_fingerprint(task),
            created_by=by,
        )


@contextmanager
def _named(project: Project, name: str) -> Iterator[str]:
    """Hold a project's lock for a transaction, in which a name is free that was wanted for a batch, or is found."""
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if name and project.batches.filter(name=name).exists():
            raise NameTaken(f"Another batch of this project is called {name}. Give it another name.")
        yield name or free_name(project)


def batch_files(batch: Batch) -> tuple[bytes, bytes]:
    """Return the template and the table of a batch.

    Raises:
        TaskGone: If its task is no form of the served folder, or cannot be read.
    """
    folder = settings.TURKLE_TASKS_DIR / batch.task
    task_fingerprint(batch.task)  # whether there is one
    try:
        return read_inside(folder, TEMPLATE), read_inside(folder, TABLE)
    except OSError as error:
        raise TaskGone(batch.task, f"has no template or no table that can be read: {error.strerror}.") from error


def add_uploaded(
    project: Project,
    found: KeptUpload,
    by: User | None,
    *,
    name: str = "",
    assignments: int = 1,
    seconds: int = 3600,
    publish: bool = False,
) -> Batch:
    """Add a batch of an uploaded template and table, which become a task of the served folder.

    Args:
        project: The project.
        found: What was handed over.
        by: Who does it; None for a program.
        name: As for `make_batch`, and so are the others.
        assignments: How many workers are to answer each instance.
        seconds: For how long a claimed instance is kept for its worker.
        publish: Whether its instances can be accepted at once.

    Raises:
        NameTaken: If another batch of the project has this name.
        harness.datasets.uploaded_task.NoNewTask: If somebody has made a task of its name just now.
        OSError: If the files cannot be written.
    """
    with _named(project, name) as free:
        task = new_task_name(project)
        add(found, settings.TURKLE_TASKS_DIR, task)
        return make_batch(project, task, by, name=free, assignments=assignments, seconds=seconds, publish=publish)


def new_task_name(project: Project) -> str:
    """Return the name of the task of a project's next batch: that of the first one, with a number behind it."""
    first = project.batches.first()
    return free_task_name(first.task if first else project.title, settings.TURKLE_TASKS_DIR)


def refuse_fixed(batch: Batch) -> None:
    """Refuse to change the template and the table of a batch, unless nobody has begun it and it has them for itself.

    Raises:
        FilesFixed: If they cannot be changed.
    """
    others = Batch.objects.filter(task=batch.task).exclude(pk=batch.pk).select_related("project")
    if batch.assignments.exists():
        raise FilesFixed("Workers have begun this batch, and its answers belong to its pages. Add a batch instead.")
    if other := others.first():
        raise FilesFixed(f"{other} is made of the same task, {batch.task}. Add a batch instead.")


def replace_files(batch: Batch, found: KeptUpload) -> None:
    """Put an uploaded template and table in the place of a batch's own, and keep the upload no longer.

    Raises:
        FilesFixed: If they cannot be changed, or not any more.
        TaskGone: If the task is no longer in the served folder.
        OSError: If the files cannot be written.
    """
    folder: Path = settings.TURKLE_TASKS_DIR / batch.task
    with transaction.atomic():
        locked = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)  # nobody can accept anything meanwhile
        refuse_fixed(locked)
        task_fingerprint(locked.task)
        for name in (TEMPLATE, TABLE):
            write_bytes(folder / name, read_inside(found.task.folder, name))
        locked.fingerprint = task_fingerprint(locked.task)
        locked.save(update_fields=["fingerprint"])
    forget(found.token)

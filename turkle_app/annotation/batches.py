"""Batches of a project: made of a task of the served folder, each with a name of its own."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from harness.catalog import Task
from turkle_app.annotation.instances import task_fingerprint
from turkle_app.annotation.models import Batch, BatchState, Project


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
        django.db.IntegrityError: If another batch of the project has this name.
    """
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # so that two at once get two names
        return Batch.objects.create(
            project=project,
            name=name or free_name(project),
            task=task,
            state=BatchState.PUBLISHED if publish else BatchState.DRAFT,
            published_at=timezone.now() if publish else None,
            assignments_per_instance=assignments,
            expiry_seconds=seconds,
            fingerprint=task_fingerprint(task),
            created_by=by,
        )

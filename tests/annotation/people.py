"""People and projects for tests."""

from __future__ import annotations

from django.contrib.auth.models import Group, User

from tests.annotation.conftest import TASK
from turkle_app.annotation.instances import task_fingerprint
from turkle_app.annotation.models import Batch, BatchState, Project


def group(name: str = "annotators") -> Group:
    return Group.objects.get_or_create(name=name)[0]


def worker(name: str, *groups: str, staff: bool = False) -> User:
    """A member of the group annotators, or of others; without a password."""
    user = User.objects.create(username=name, is_staff=staff)
    user.groups.set([group(each) for each in groups or ["annotators"]])
    return user


def batch(*groups: str, title: str = "Which one?", asked: int = 1, seconds: int = 3600, **values: object) -> Batch:
    """The published batch of a project of the task, whose members are the group annotators, or others."""
    made = Project.objects.create(pk=100 + Project.objects.count(), title=title)  # no number of a batch
    made.groups.set([group(each) for each in groups or ["annotators"]])
    values = {"task": TASK, "fingerprint": task_fingerprint(TASK), "state": BatchState.PUBLISHED} | values
    return another(made, name="Batch 1", assignments_per_instance=asked, expiry_seconds=seconds, **values)


def another(project: Project, **values: object) -> Batch:
    """A further batch of a project, a draft unless said otherwise."""
    return Batch.objects.create(project=project, **({"task": TASK, "fingerprint": task_fingerprint(TASK)} | values))

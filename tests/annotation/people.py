"""People and projects for tests."""

from __future__ import annotations

from django.contrib.auth.models import Group, User

from tests.annotation.conftest import TASK
from turkle_app.annotation.instances import task_fingerprint
from turkle_app.annotation.models import Project


def group(name: str = "annotators") -> Group:
    return Group.objects.get_or_create(name=name)[0]


def worker(name: str, *groups: str, staff: bool = False) -> User:
    """A member of the group annotators, or of others; without a password."""
    user = User.objects.create(username=name, is_staff=staff)
    user.groups.set([group(each) for each in groups or ["annotators"]])
    return user


def project(*groups: str, asked: int = 1, seconds: int = 3600, **values: object) -> Project:
    """A project of the task, published to the group annotators, or to others."""
    values = {"task": TASK, "title": "Which one?", "fingerprint": task_fingerprint(TASK)} | values
    made = Project.objects.create(assignments_per_instance=asked, expiry_seconds=seconds, **values)
    made.groups.set([group(each) for each in groups or ["annotators"]])
    return made

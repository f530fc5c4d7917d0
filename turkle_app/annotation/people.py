"""Who is asking: the account behind a request of a view that needs a log-in, and whether it makes projects."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.http import HttpRequest

from turkle_app.annotation.models import Batch, Project

_MAKES_PROJECTS = "add_project"


def person(request: HttpRequest) -> User:
    """Return the account of who is logged in.

    Raises:
        TypeError: If nobody is: the view lacks its audience.
    """
    if not isinstance(request.user, User):
        raise TypeError("nobody is logged in where only workers and staff come")
    return request.user


def makes_projects(user: User) -> bool:
    """Return whether an account was given the right to make projects; staff may without it."""
    return user.user_permissions.filter(content_type__app_label="annotation", codename=_MAKES_PROJECTS).exists()


def let_make_projects(user: User, may: bool) -> None:
    """Give an account the right to make projects and to manage those, or take it."""
    kind = ContentType.objects.get_for_model(Project)
    name = {"name": "Can add project"}
    right, _ = Permission.objects.get_or_create(content_type=kind, codename=_MAKES_PROJECTS, defaults=name)
    (user.user_permissions.add if may else user.user_permissions.remove)(right)


def managed_projects(user: User) -> QuerySet[Project]:
    """Return the projects that somebody may manage: of staff all, of a requester those that name them."""
    return Project.objects.all() if user.is_staff else Project.objects.filter(requesters=user)


def managed_batches(user: User) -> QuerySet[Batch]:
    """Return the batches of the projects that somebody may manage."""
    return Batch.objects.filter(project__in=managed_projects(user)).select_related("project", "created_by")


def requester_accounts() -> QuerySet[User]:
    """Return the open accounts that were given the right to make projects."""
    right = {"user_permissions__content_type__app_label": "annotation", "user_permissions__codename": _MAKES_PROJECTS}
    return User.objects.filter(is_active=True, **right).order_by("username")

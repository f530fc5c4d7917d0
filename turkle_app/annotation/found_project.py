"""The project and the batch that somebody names at a terminal: by number, title or name, or task."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import OperationalError, ProgrammingError
from django.db.models import Q

from turkle_app.annotation.models import Batch, Project

WRONG_USE = 2


def found_project(name: str) -> Project:
    """Return the one project of this number, title or task of a batch.

    Raises:
        CommandError: With exit status 2, if there is none, or several, or the database cannot be used.
    """
    with _usable_database():
        number = _number(name)
        if number is not None and (by_number := Project.objects.filter(pk=number).first()):
            return by_number
        found = list(Project.objects.filter(Q(title=name) | Q(batches__task=name)).distinct())
        if len(found) == 1:
            return found[0]
        listed = "; ".join(f"{project.pk}: {project.title}" for project in found or Project.objects.all())
    raise _not_one(name, "project", listed, several=bool(found), none="make one on the page Manage")


def found_batch(project: Project, name: str | None) -> Batch:
    """Return the one batch of a project of this number, name or task.

    Args:
        project: The project.
        name: What it is called; None for the only one that there is.

    Raises:
        CommandError: With exit status 2, if there is none, or several.
    """
    found = list(project.batches.all())
    listed = "; ".join(f"{batch.pk}: {batch.name} ({batch.task})" for batch in found)
    if name is not None:
        found = [each for each in found if _number(name) == each.pk] or [
            each for each in found if name in {each.name, each.task}
        ]
    if len(found) == 1:
        return found[0]
    if name is None and found:
        message = f"{project.title!r} has several batches; name one with --batch. {listed}"
        raise CommandError(message, returncode=WRONG_USE)
    raise _not_one(name or project.title, "batch", listed, several=bool(found), none="add one on the project's page")


@contextmanager
def _usable_database() -> Iterator[None]:
    try:
        yield
    except (OperationalError, ProgrammingError) as error:
        reason = str(error).partition("\n")[0]
        remedy = "Start the server once with --annotate, which makes its tables."
        raise CommandError(f"The database cannot be used: {reason}. {remedy}", returncode=WRONG_USE) from None


def _number(name: str) -> int | None:
    return int(name) if name.isascii() and name.isdecimal() and len(name) < 19 else None


def _not_one(name: str, what: str, listed: str, *, several: bool, none: str) -> CommandError:
    """The error that a name is no project's or batch's, or several ones'."""
    plural = {"project": "projects", "batch": "batches"}[what]
    if several:
        message = f"{name!r} names several {plural}; give the number of one. {listed}"
    else:
        known = f"There are {listed}" if listed else f"There are no {plural} yet; {none}"
        message = f"no {what} is called {name!r}. {known}"
    return CommandError(message, returncode=WRONG_USE)

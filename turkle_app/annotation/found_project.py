"""The project that somebody names at a terminal: by its number, its title or its task."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import OperationalError, ProgrammingError
from django.db.models import Q

from turkle_app.annotation.models import Project

WRONG_USE = 2


def found_project(name: str) -> Project:
    """Return the one project of this number, title or task.

    Raises:
        CommandError: With exit status 2, if there is none, or several, or the database cannot be used.
    """
    try:
        return _found(name)
    except (OperationalError, ProgrammingError) as error:
        reason = str(error).partition("\n")[0]
        remedy = "Start the server once with --annotate, which makes its tables."
        raise CommandError(f"The database cannot be used: {reason}. {remedy}", returncode=WRONG_USE) from None


def _found(name: str) -> Project:
    if name.isascii() and name.isdecimal() and (by_number := Project.objects.filter(pk=int(name)).first()):
        return by_number
    found = list(Project.objects.filter(Q(title=name) | Q(task=name)))
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"{project.pk}: {project.title} ({project.task})" for project in found or Project.objects.all())
    if found:
        raise CommandError(f"{name!r} names several projects; give the number of one. {listed}", returncode=WRONG_USE)
    known = f"There are {listed}" if listed else "There are no projects yet; make one on the page Manage"
    raise CommandError(f"no project is called {name!r}. {known}", returncode=WRONG_USE)

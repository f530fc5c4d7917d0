"""Runs in addresses: the path below the folder of runs as one part.

``/`` is written ``~``; a ``~`` or ``%`` in a name is written ``%7E`` or ``%25`` (and encoded once more by the address),
and so is the first letter of a path that would be one of the other words below ``/runs/``.
The folder of runs itself, if it is a run, is ``~``. An address is ``/runs/<slug>/...``: a view takes the slug as its
argument ``run`` and begins with ``find_run(run)``; a link is ``reverse(name, args=[slug_of(place.parts), ...])``.
"""

from __future__ import annotations

from urllib.parse import unquote

from django.conf import settings
from django.http import Http404

from harness.reports.watch.runs_folder import RunPlace, RunsFolder, UnknownRun

_BETWEEN = "~"
_WORDS = frozenset({"compare"})
"""What stands below ``/runs/`` and is no run."""


def runs_folder() -> RunsFolder:
    """Return the folder of runs that this process serves."""
    folder = settings.TURKLE_RUNS_DIR
    assert folder is not None  # noqa: S101 - without it there are no such addresses
    return RunsFolder(folder)


def slug_of(parts: tuple[str, ...]) -> str:
    """Return the path of a run as one part of an address."""
    slug = _BETWEEN.join(part.replace("%", "%25").replace(_BETWEEN, "%7E") for part in parts) or _BETWEEN
    return f"%{ord(slug[0]):02X}{slug[1:]}" if slug in _WORDS else slug


def parts_of(slug: str) -> tuple[str, ...]:
    """Return the path that a slug stands for."""
    return () if slug == _BETWEEN else tuple(unquote(part) for part in slug.split(_BETWEEN))


class UnknownRunAddress(Http404):
    """An address with a run that the folder of runs does not hold."""


def find_run(slug: str) -> RunPlace:
    """Return the run of a slug.

    Raises:
        UnknownRunAddress: If there is none.
    """
    try:
        return runs_folder().place(parts_of(slug))
    except UnknownRun as error:
        raise UnknownRunAddress(str(error)) from error

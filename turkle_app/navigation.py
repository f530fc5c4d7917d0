"""The entries at the top of people's pages: one for each part of the server that is on."""

from __future__ import annotations

from dataclasses import dataclass

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from harness.kit.files.installation import task_set_name
from turkle_app.access import is_requester


@dataclass(frozen=True)
class NavigationEntry:
    """A link at the top.

    Attributes:
        text: Its words.
        url: Where it leads.
        current: Whether this page belongs to it.
    """

    text: str
    url: str
    current: bool


_Found = tuple[str, str, tuple[str, ...]]
"""Words, name of the address, first parts of the addresses of its pages."""


def navigation(request: HttpRequest) -> dict[str, object]:
    """Give each page the ``entries``, as ``home`` where the first leads, and whether there are ``accounts``.

    A context processor of templates. To those who may see the tasks it tells the name of the ``task_set``, too.
    """
    found: list[_Found] = [("Tasks", "tasks", ("", "task", "problems"))]
    found.append(("Sites", "sites", ("sites",)))
    if apps.is_installed("turkle_app.viewer"):
        found.append(("Runs", "runs", ("runs",)))
    if apps.is_installed("turkle_app.recording"):
        found.append(("Record", "recordings", ("record",)))
    accounts = apps.is_installed("turkle_app.annotation")
    if accounts:
        found = _permitted(request, found)
    here = request.path_info.split("/")[1]
    entries = [NavigationEntry(text, reverse(name), here in places) for text, name, places in found]
    home = entries[0].url if entries else reverse("login")
    listed = any(name == "tasks" for _, name, _ in found)
    task_set = task_set_name(settings.TURKLE_TASKS_DIR) if listed else ""
    return {"entries": entries, "home": home, "task_set": task_set, "accounts": accounts}


def _permitted(request: HttpRequest, of_staff: list[_Found]) -> list[_Found]:
    """The entries that lead somewhere for who is logged in."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return []
    work = ("Work", "work", ("work",))
    manage = ("Manage", "manage", ("manage",))
    if user.is_staff:
        return [work, manage, *of_staff]
    return [work, manage] if is_requester(user) else [work]

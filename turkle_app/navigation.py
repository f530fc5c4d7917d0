"""The entries at the top of people's pages: one for each part of the server that is on."""

from __future__ import annotations

from dataclasses import dataclass

from django.apps import apps
from django.http import HttpRequest
from django.urls import reverse


@dataclass(frozen=True)
class Entry:
    """A link at the top.

    Attributes:
        text: Its words.
        url: Where it leads.
        current: Whether this page belongs to it.
    """

    text: str
    url: str
    current: bool


def navigation(request: HttpRequest) -> dict[str, list[Entry]]:
    """Give each page the entries as ``entries``; a context processor of templates."""
    found: list[tuple[str, str, tuple[str, ...]]] = [("Tasks", "tasks", ("", "task", "problems"))]
    if apps.is_installed("turkle_app.viewer"):
        found.append(("Runs", "runs", ("runs",)))
    here = request.path_info.split("/")[1]
    return {"entries": [Entry(text, reverse(name), here in places) for text, name, places in found]}

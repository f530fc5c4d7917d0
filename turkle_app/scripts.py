"""The scripts of people's pages: files of ours, in the folder ``script`` of each app that is on."""

from __future__ import annotations

from pathlib import Path

from django.apps import apps
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from turkle_app.access import everybody

_FOLDER = "script"


@require_safe
@everybody
def script(request: HttpRequest, name: str) -> HttpResponse:
    """Show everybody a script of people's pages."""
    del request
    found = _scripts().get(name)
    if found is None:
        raise Http404
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(found.read_bytes(), content_type="text/javascript; charset=utf-8", headers=headers)


def _scripts() -> dict[str, Path]:
    """Return all scripts by name."""
    folders = (Path(config.path) / _FOLDER for config in apps.get_app_configs())
    return {file.name: file for folder in folders for file in folder.glob("*.js")}

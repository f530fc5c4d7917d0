"""The styles and scripts of Django's admin, straight from its package: there is nothing to collect."""

from __future__ import annotations

import contextlib
from pathlib import Path

from django.contrib import admin
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve

from turkle_app.access import everybody

_FOLDER = str(Path(admin.__file__).parent / "static")


@require_safe
@everybody
def admin_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show everybody a style, a script or a picture of Django's admin."""
    found = serve(request, name, document_root=_FOLDER)
    if not isinstance(found, FileResponse):  # the browser has it already
        return found
    with contextlib.closing(found):  # read at once, so that no file stays open
        return HttpResponse(found.getvalue(), headers=dict(found.items()))

"""The styles and scripts of Django's admin, straight from its package: there is nothing to collect."""

from __future__ import annotations

from pathlib import Path

from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve

from turkle_app.access import everybody

_FOLDER = str(Path(admin.__file__).parent / "static")


@require_safe
@everybody
def admin_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show everybody a style, a script or a picture of Django's admin."""
    return serve(request, name, document_root=_FOLDER)

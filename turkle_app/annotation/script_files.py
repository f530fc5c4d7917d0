"""The scripts of these pages, as files: a page of people may hold none of its own."""

from __future__ import annotations

from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from turkle_app.access import everybody

_FOLDER = Path(__file__).parent / "scripts"


def script_text(name: str) -> str:
    """Return the text of one of the scripts.

    Raises:
        FileNotFoundError: If there is no such script.
    """
    files = {file.stem: file for file in _FOLDER.glob("*.js")}
    if name not in files:
        raise FileNotFoundError(name)
    return files[name].read_text(encoding="utf-8")


@require_safe
@everybody
def script(request: HttpRequest, name: str) -> HttpResponse:
    """Show everybody a script: it holds nothing of anybody."""
    del request
    try:
        text = script_text(name)
    except FileNotFoundError:
        raise Http404 from None
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})

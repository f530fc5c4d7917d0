"""Views of MiniWoB++: the files of the fetched task set, and for people a list of its pages."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from harness.kit.files.inside import read_inside
from turkle_app.sites.miniwob.pages_folder import PAGES, pages_folder
from turkle_app.sites.pages import show

CORE = "core/core.js"
"""The script with which each page begins."""
LARGEST = 16 * 1024 * 1024
_SCRIPT = Path(__file__).parent / "static" / "episode.js"
_CACHED = {"Cache-Control": "private, max-age=600"}


@require_safe
def page_list(request: HttpRequest) -> HttpResponse:
    """List the pages."""
    names = sorted(file.stem for file in (pages_folder() / PAGES).glob("*.html"))
    return show(request, "page_list.html", {"names": names, "folder": PAGES})


@require_safe
def file(request: HttpRequest, name: str) -> HttpResponse:
    """Return a file of the task set as it is; behind the script that all pages begin with stands ours."""
    del request
    try:
        data = read_inside(pages_folder(), name, LARGEST)
    except (OSError, ValueError) as error:  # a name can hold what no file name has
        raise Http404 from error
    if name == CORE:
        data += b"\n" + _SCRIPT.read_bytes()
    kind, _ = mimetypes.guess_type(name)
    of_text = kind and (kind.startswith("text/") or kind in ("application/javascript", "application/json"))
    kind = f"{kind}; charset=utf-8" if of_text else kind or "application/octet-stream"
    return HttpResponse(data, content_type=kind, headers=_CACHED)


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Say that there is no icon, for which browsers ask by themselves."""
    del request
    return HttpResponse(status=204)

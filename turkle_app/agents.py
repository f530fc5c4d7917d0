"""Pages for agents: the bare page of an instance, and the marker by which a run knows the server.

These, and the files that pages load, are the only routes in agent mode. Nothing here ever holds a label, a task
name or a path: an agent may
read whatever its browser can reach.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from harness.catalog import MalformedTask
from harness.catalog.mirror import Mirror
from turkle_app.access import everybody
from turkle_app.tasks import catalog, page_html

# Raised when the addresses or the making of agent pages change: a run refuses versions that it does not know.
VERSION = 3

# An edit of a task shows at the next visit.
_FRESH = {"Cache-Control": "no-store"}


@csrf_exempt  # a stranger's form has no token, and nothing of it is kept
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def page(request: HttpRequest, name: str, index: int) -> HttpResponse:
    """Show everybody the bare page of an instance; drop a posted form, since answers are read back in the browser."""
    if request.method == "POST":
        return HttpResponse(status=204, headers=_FRESH)
    try:
        return bare_page(name, index)
    except MalformedTask:
        return _plain("The files of this task cannot be used. Browse mode shows what is wrong.\n", 500)


def bare_page(name: str, index: int) -> HttpResponse:
    """Return the page of an instance as a response, byte for byte what the template library makes.

    Raises:
        Http404: If there is no such task or instance.
        MalformedTask: If the task's files cannot be used.
    """
    return HttpResponse(page_html(name, index), headers=_FRESH)


@require_safe
@everybody
def agent_mode(request: HttpRequest) -> HttpResponse:
    """Tell everybody whether agents are shown anything else, which task set is served, and which outside files."""
    del request
    tasks = catalog()
    names = tasks.names()
    marker = {
        "agent_mode": settings.TURKLE_AGENT_MODE,
        "assets": Mirror.load().fingerprint() if settings.TURKLE_NETWORK == "mirror" else "",
        "count": len(names),
        "network": settings.TURKLE_NETWORK,
        "tasks": tasks.set_fingerprint(names),
        "version": VERSION,
    }
    return JsonResponse(marker, headers=_FRESH)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read, or one under a foreign host name."""
    del request, exception
    return _plain("Bad request.\n", 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer any other address."""
    del request, exception
    return _plain("There is no such page.\n", 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer after a defect of the server; the details are on its stderr."""
    del request
    return _plain("The server failed. Its stderr says why.\n", 500)


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8", headers=_FRESH)

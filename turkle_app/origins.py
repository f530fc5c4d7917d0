"""Two origins in browse mode: one for people, whose pages show labels, and one for strangers' pages.

``manage.py serve`` listens at two ports, and each answers its own addresses only; behind a proxy with a name for each
(``TURKLE_ORIGINS``) the names tell them apart. Behind any other WSGI server there is one port for both; what keeps a
stranger's page from the labels is then its sandbox and the checks of this module alone.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port

from turkle_app.sites.hosts import is_dispatched

PAGE_PLACES = frozenset({"page", "sheet", "asset", "media", "filled"})
"""First parts of the addresses of strangers' pages and of what they load."""

# Scripts, forms and dialogs work, in an origin that is no other document's. No other window, and no leaving the frame.
_SANDBOX = "sandbox allow-scripts allow-forms allow-modals"
# What is filled in already is to be looked at.
_SHOWN_ONLY = "sandbox allow-scripts"
# Scripts are files of ours; nothing that a page quotes can become one. Styles may stand in a page: bars have widths.
_PEOPLE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src "
)
REPORT_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""No script of a report runs, and it sends nothing; its links lead on as its reader."""
_OF_PEOPLE = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Not "no-referrer": with that browsers do not say where a form comes from, and it would be taken for a forged one.
    "Referrer-Policy": "same-origin",
}
_REFUSAL = "This page shows labels. It opens from this server's own pages, or when you enter its address yourself.\n"


def pages_origin(request: HttpRequest) -> str:
    """Return where the pages of strangers are for who asks here, "" if at this very origin."""
    if settings.TURKLE_ORIGINS:
        origin: str = settings.TURKLE_ORIGINS[1]
        return origin
    return _origin(request, settings.TURKLE_PORTS[1]) if settings.TURKLE_PORTS else ""


def keep_apart(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """In browse mode, answer strangers' pages and people's under their own origins, out of each other's reach."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.TURKLE_AGENT_MODE or is_dispatched(request):
            return get_response(request)
        place = request.path_info.split("/")[1]
        if _is_misplaced(request, place in PAGE_PLACES):
            return _plain("There is no such page at this port.\n", 404)
        if place in PAGE_PLACES:
            response = get_response(request)
            if place in {"page", "sheet"}:
                # Its form stays here, wherever it wants to go: a person may type into it.
                response["Content-Security-Policy"] = f"{_SANDBOX}; form-action 'self'; {_framed_by_people(request)}"
            elif place == "filled":
                response["Content-Security-Policy"] = f"{_SHOWN_ONLY}; form-action 'none'; {_framed_by_people(request)}"
            return response
        # Told by the browser, which a page cannot change: a stranger's page is of the same site, or of none.
        if request.headers.get("Sec-Fetch-Site", "none") not in {"none", "same-origin"} and not _is_link(request):
            return _plain(_REFUSAL, 403)
        response = get_response(request)
        for name, value in _OF_PEOPLE.items():
            response[name] = value
        # A view's own policy holds as well: of several, browsers keep each.
        policies = (response.get("Content-Security-Policy"), _PEOPLE_POLICY + (pages_origin(request) or "'self'"))
        response["Content-Security-Policy"] = ", ".join(filter(None, policies))
        return response

    return answer


def _is_misplaced(request: HttpRequest, of_pages: bool) -> bool:
    """Whether an address was asked for at the origin of the others."""
    if settings.TURKLE_ORIGINS:
        return of_pages != (request.get_host() == urlsplit(settings.TURKLE_ORIGINS[1]).netloc)
    ports = settings.TURKLE_PORTS
    return ports is not None and of_pages != (request.META["SERVER_PORT"] == str(ports[1]))


def _is_link(request: HttpRequest) -> bool:
    """Whether somebody followed a link to here and accounts guard what it shows: it may stand in a letter."""
    wanted = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    followed = all(request.headers.get(name) == value for name, value in wanted.items())
    return settings.TURKLE_ANNOTATION and request.method == "GET" and followed


def _framed_by_people(request: HttpRequest) -> str:
    """Who may frame a stranger's page."""
    if settings.TURKLE_ORIGINS:
        return f"frame-ancestors {settings.TURKLE_ORIGINS[0]}"
    people = _origin(request, settings.TURKLE_PORTS[0]) if settings.TURKLE_PORTS else "'self'"
    return f"frame-ancestors {people}"


def _origin(request: HttpRequest, port: int) -> str:
    return f"{request.scheme}://{split_domain_port(request.get_host())[0]}:{port}"


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")

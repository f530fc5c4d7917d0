"""Requests by host name: those under a site's go to its addresses with the episode's state, and to nothing else.

An episode is known by a token in the cookie ``episode``, which pages cannot read. In a run it is put into the browser
before the first page; in browse mode a person who comes without one gets an episode of their own.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port
from django.utils.http import url_has_allowed_host_and_scheme

from turkle_app.access import is_here_alone
from turkle_app.sites.episodes import EPISODES, LARGEST_SEED, SiteEpisode
from turkle_app.sites.registry import HOSTS, find_site
from turkle_app.sites.site import Site, SiteMissing

COOKIE = "episode"
CONTROL, CONTROL_HOST = "/control/", "127.0.0.1"
CONTROL_KEY = "TURKLE_CONTROL_KEY"
"""The environment variable that holds the key; without one there is no control."""
ANEW = "/visit-anew/"
"""For people: where a visit begins again, with ``?seed=`` and ``?variant=``, at the path ``?at=``."""
_FRESH = "no-store"
_NO_EPISODE = (
    "This page belongs to an episode that this server does not know: it has ended, or your browser does not say which "
    "it is in. There is nothing to be seen here without one.\n"
)


def by_host(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer requests under sites' host names by the sites; let others pass, to the control API if they ask for it."""

    def dispatch(request: HttpRequest) -> HttpResponse:
        host = _host(request)
        if site := find_site(HOSTS.get(host, "")):
            try:
                return _answer(request, site, get_response)
            except SiteMissing as error:
                return HttpResponse(f"{error}\n", status=404, content_type="text/plain; charset=utf-8")
        if _is_control(request, host):
            request.urlconf = "turkle_app.sites.site_control_urls"
        return get_response(request)

    return dispatch


def is_dispatched(request: HttpRequest) -> bool:
    """Whether a request was sent to addresses that are neither agents' nor people's."""
    return hasattr(request, "urlconf")


def _host(request: HttpRequest) -> str:
    try:
        return split_domain_port(request.get_host())[0]
    except DisallowedHost:  # refused by those behind
        return ""


def _is_control(request: HttpRequest, host: str) -> bool:
    """Whether a request is one from this machine to the control API, and there is one."""
    here = host == CONTROL_HOST and request.META.get("REMOTE_ADDR") == CONTROL_HOST
    return here and request.path_info.startswith(CONTROL) and bool(os.environ.get(CONTROL_KEY))


def _answer(request: HttpRequest, site: Site, get_response: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
    if _welcomes_people() and request.path_info == ANEW:
        return _begin_anew(request, site)
    token = request.COOKIES.get(COOKIE, "")
    episode = EPISODES.find(token)
    visitor = ""
    if (episode is None or episode.site is not site) and _welcomes_people():
        visitor = secrets.token_urlsafe(24)
        episode = EPISODES.begin(visitor, site, 0, "")
    if episode is None or episode.site is not site:
        return HttpResponse(_NO_EPISODE, status=403, content_type="text/plain; charset=utf-8")
    response = _of_episode(request, episode, get_response)
    if visitor:
        _set_cookie(response, visitor)
    return response


def _of_episode(
    request: HttpRequest, episode: SiteEpisode, get_response: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    request.urlconf = episode.site.urlconf
    request.episode = episode  # type: ignore[attr-defined]
    with episode.lock:  # pages are whole when they come back: nothing of them is made later
        response = get_response(request)
    if "Cache-Control" not in response:
        response["Cache-Control"] = _FRESH  # so that going back shows what is so now
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _welcomes_people() -> bool:
    """Whether somebody without an episode gets one: not agents, and not strangers where there are accounts."""
    return not settings.TURKLE_AGENT_MODE and (is_here_alone() or not settings.TURKLE_ANNOTATION)


def _begin_anew(request: HttpRequest, site: Site) -> HttpResponse:
    seed, variant = request.GET.get("seed", "0"), request.GET.get("variant", "")
    if not (seed.isascii() and seed.isdecimal() and len(seed) < 19) or not site.is_variant(variant):
        return HttpResponse("There is no such seed or variant.\n", status=404, content_type="text/plain; charset=utf-8")
    token = secrets.token_urlsafe(24)
    EPISODES.end(request.COOKIES.get(COOKIE, ""))
    EPISODES.begin(token, site, int(seed) % LARGEST_SEED, variant)
    at = request.GET.get("at", "/")
    response = HttpResponseRedirect(at if url_has_allowed_host_and_scheme(at, None) and at.startswith("/") else "/")
    _set_cookie(response, token)
    return response


def _set_cookie(response: HttpResponse, token: str) -> None:
    response.set_cookie(COOKIE, token, httponly=True, samesite="Lax")

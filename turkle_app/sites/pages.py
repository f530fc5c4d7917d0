"""What the views of all sites are made with: their state, their templates, their static files."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from turkle_app.sites.episodes import SiteEpisode

ENGINE = "sites"
"""The name of the template engine of sites (``settings.TEMPLATES``)."""

P = ParamSpec("P")
S = TypeVar("S")
_HERE = Path(__file__).parent
_STATIC = {"Cache-Control": "private, max-age=600"}


def page(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Make a function a view of a site: for GET, HEAD and POST, without tokens against forged requests.

    The cookie of an episode goes with no form that another site sends (SameSite).
    """
    return csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(view))


def episode_of(request: HttpRequest) -> SiteEpisode:
    """The episode that a request under a site's host name belongs to."""
    episode: SiteEpisode = request.episode  # type: ignore[attr-defined]
    return episode


def state_of(request: HttpRequest, kind: type[S]) -> S:
    """The state of a request's episode, which the views of a site change as they like.

    Args:
        request: Under the site's host name.
        kind: The class that the site's states have.

    Raises:
        TypeError: It is the state of another site.
    """
    state = episode_of(request).state
    if not isinstance(state, kind):
        raise TypeError(f"{request.path} is shown a state of {type(state).__name__}")
    return state


def show(
    request: HttpRequest, template: str, context: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """A page made of a template of the request's site.

    Args:
        request: Under the site's host name.
        template: Its name in the site's own folder of templates, e.g. ``cart.html``.
        context: What it is filled in with, beside what ``in_every_page`` gives.
        status: Of the answer.
    """
    name = f"{episode_of(request).site.name}/{template}"
    return render(request, name, dict(context or {}), status=status, using=ENGINE)


def in_every_page(request: HttpRequest) -> dict[str, object]:
    """Give each page its ``site``, the episode's ``state`` and the name of the ``variant``. A context processor.

    And whether it ``offers_tools``, which it does for a visitor with the cookie ``page-tools``.
    """
    episode = episode_of(request)
    offers_tools = "page-tools" in request.COOKIES
    return {"site": episode.site, "state": episode.state, "variant": episode.variant, "offers_tools": offers_tools}


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that the site does not have; a site's ``handler404``."""
    del exception
    return show(request, "not_found.html", status=404)


@page
def static(request: HttpRequest, name: str) -> HttpResponse:
    """A file of the folder ``static`` of the request's site, or of that of all sites."""
    folders = (_HERE / episode_of(request).site.name / "static", _HERE / "static")
    # No path is made of a stranger's word.
    file = next((each for folder in folders for each in folder.iterdir() if each.name == name), None)
    if file is None:
        raise Http404
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return HttpResponse(file.read_bytes(), content_type=f"{kind}; charset=utf-8", headers=_STATIC)

"""The control API: how a run begins an episode on a site, asks how it stands, and ends it.

Nobody gets here under a site's host name, from another machine, or without the key of this run (``hosts.py``).
"""

from __future__ import annotations

import hmac
import json
import os
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from turkle_app.sites.episodes import EPISODES, LARGEST_SEED, SiteEpisode, is_token
from turkle_app.sites.hosts import CONTROL_KEY
from turkle_app.sites.registry import SITES, find_site
from turkle_app.sites.site import SiteMissing


class _Unusable(ValueError):
    """What was sent cannot begin an episode; the message says why."""


@csrf_exempt  # who has the key is no browser
@require_http_methods(["GET", "POST", "DELETE"])
def control(request: HttpRequest, episode: str) -> HttpResponse:
    """Begin (POST), tell (GET) or end (DELETE) an episode, for who has the key."""
    key = os.environ.get(CONTROL_KEY, "").encode()
    if not key or not hmac.compare_digest(request.headers.get("X-Control-Key", "").encode(), key):
        raise Http404
    if request.method == "DELETE":
        EPISODES.end(episode)
        return HttpResponse(status=204)
    if request.method == "GET":
        found = EPISODES.find(episode)
        return JsonResponse({"error": "there is no such episode"}, status=404) if found is None else _told(found)
    try:
        return _told(_begin(episode, request.body))
    except _Unusable as error:
        return JsonResponse({"error": str(error)}, status=400)


def _told(episode: SiteEpisode) -> HttpResponse:
    with episode.lock:
        return JsonResponse(episode.state.told(), headers={"Cache-Control": "no-store"})


def _begin(token: str, body: bytes) -> SiteEpisode:
    if not is_token(token):
        raise _Unusable("an episode is named by 8 to 128 letters, digits, _ and -")
    try:
        wanted: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _Unusable("the body is no JSON") from error
    if not isinstance(wanted, dict):
        raise _Unusable('the body is no object like {"site": "shop", "seed": 0, "variant": ""}')
    name, seed, variant = wanted.get("site"), wanted.get("seed", 0), wanted.get("variant", "")
    site = find_site(name) if isinstance(name, str) else None
    if site is None:
        raise _Unusable(f"site is {name!r}: the bundled sites are {', '.join(SITES)}")
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < LARGEST_SEED:
        raise _Unusable(f"seed is {seed!r}: it has to be a whole number from 0")
    if not isinstance(variant, str) or not site.is_variant(variant):
        raise _Unusable(f"variant is {variant!r}: {name} has {', '.join(site.variants) or 'none'}")
    try:
        return EPISODES.begin(token, site, seed, variant)
    except SiteMissing as error:
        raise _Unusable(str(error)) from error

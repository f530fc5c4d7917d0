"""The list of the bundled sites, for people who want to look around in them."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.views.decorators.http import require_safe

from turkle_app.access import staff
from turkle_app.sites.goals import ListedGoal, goals
from turkle_app.sites.hosts import ANEW
from turkle_app.sites.registry import SITES, find_site
from turkle_app.sites.site import PEOPLE_DOMAIN, Site, SiteMissing


@dataclass(frozen=True)
class ListedSite:
    """A site in the list.

    Attributes:
        site: The site.
        url: Where people find it.
        origin: Of the site, for people.
        goals: What there is to do on it.
        anew: Where a visit of it begins again; a seed and a variant may be put behind.
        missing: What it needs that is not on this machine, and how to have it; empty if it is all there.
    """

    site: Site
    url: str
    origin: str
    goals: list[ListedGoal]
    anew: str
    missing: str


@require_safe
@staff
def site_list(request: HttpRequest) -> HttpResponse:
    """List the bundled sites, for staff: what they are, where they are, their layouts, and the goals on them."""
    port = split_domain_port(request.get_host())[1]  # by which the browser came, maybe through a tunnel
    end = f":{port}" if port else ""
    origins = {name: f"{request.scheme}://{name}.{PEOPLE_DOMAIN}{end}" for name in SITES}
    found = [(site, origins[name]) for name in SITES if (site := find_site(name))]
    listed = [
        ListedSite(site, f"{origin}/", origin, goals().get(site.name, []), origin + ANEW, _missing(site))
        for site, origin in found
    ]
    return render(request, "turkle/site_list.html", {"listed": listed})


def _missing(site: Site) -> str:
    try:
        site.make_state(0, "")
    except SiteMissing as error:
        return str(error)
    return ""

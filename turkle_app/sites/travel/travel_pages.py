"""What all views of the travel portal share: their state, what each page is given, and where dialogs lead back to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

from turkle_app.sites.pages import show, state_of
from turkle_app.sites.travel.calendar_clock import last_day
from turkle_app.sites.travel.moved import address_in, as_moved
from turkle_app.sites.travel.travel_state import TravelState


def portal_of(request: HttpRequest) -> TravelState:
    """Return the portal of a request's episode."""
    return state_of(request, TravelState)


def half_days(state: TravelState) -> bool:
    """Whether the customer wants times with am and pm."""
    return state.preferences.time_format == "12h"


def show_page(
    request: HttpRequest, template: str, context: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """Return a page of the portal, in the layout of the episode's variant.

    Args:
        request: Of the page.
        template: Its name in the folder of templates.
        context: What it is filled in with.
        status: Of the answer.
    """
    state = portal_of(request)
    given = {
        "here": request.get_full_path(),
        "today": state.today,
        "last_day": last_day(state.today),
        "cookies_asked": not state.consent.answered,
        **(context or {}),
    }
    response = show(request, template, given, status)
    if state.variant:
        response.content = as_moved(response.content)
    return response


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Return the answer that leads to an address of the portal, as the episode's variant names it."""
    return HttpResponseRedirect(address_in(portal_of(request).variant, address))


def go_back_to(request: HttpRequest, otherwise: str = "/") -> HttpResponse:
    """Return the answer that leads to where a form says it was sent from, if that is on the portal."""
    wanted = request.POST.get("next", "")
    fine = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) and wanted.startswith("/")
    return HttpResponseRedirect(wanted) if fine else go(request, otherwise)


def sent(request: HttpRequest) -> dict[str, str]:
    """Return what a form has sent, the last value of each field."""
    return {key: str(value) for key, value in request.POST.items()}


def problem_page(request: HttpRequest, words: str) -> HttpResponse:
    """Return a page that says what cannot be done."""
    return show_page(request, "sorry.html", {"words": words}, status=404)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that the portal does not have; its ``handler404``."""
    del exception
    return problem_page(request, "There is no such page.")

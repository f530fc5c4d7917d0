"""The pages about trips that are booked: all of them, one, another date, and giving it back."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.pages import page
from turkle_app.sites.travel.calendar_clock import last_day, read_date
from turkle_app.sites.travel.travel_pages import go, half_days, portal_of, problem_page, show_page
from turkle_app.sites.travel.trips import CANCEL_REASONS, Trip
from turkle_app.sites.travel.wording import PortalField, shown_trip


@page
def trips(request: HttpRequest) -> HttpResponse:
    """All trips: those to come, those that were, and those that were given back."""
    state = portal_of(request)
    shown = [shown_trip(trip, half_days=half_days(state)) for trip in state.all_trips]
    sections = [
        (title, name, [one for one in shown if one.trip.status == status])
        for title, name, status in (
            ("Coming up", "coming", "confirmed"),
            ("Past trips", "past", "completed"),
            ("Cancelled", "cancelled", "cancelled"),
        )
    ]
    return show_page(request, "trips.html", {"sections": sections})


@page
def trip(request: HttpRequest, reference: str) -> HttpResponse:
    """One trip."""
    return _show_trip(request, "trip.html", _trip_of(request, reference), {"said": request.GET.get("said", "")})


@page
def change(request: HttpRequest, reference: str) -> HttpResponse:
    """Another date for a trip: asked for, shown with its cost, and then made so."""
    found = _trip_of(request, reference)
    if found.status != "confirmed":
        return problem_page(request, "This trip cannot be changed any more.")
    today = portal_of(request).today
    text = request.POST.get("date", "")
    wanted = read_date(text)
    problem = ""
    if request.method == "POST":
        if wanted is None:
            problem = f"“{text}” is not a date: write it as 2031-05-14." if text else "Enter the new date."
        elif not today <= wanted <= last_day(today):
            problem = f"Trips are sold from {today} to {last_day(today)}."
        elif wanted == found.begins:
            problem = "That is the date it has already."
    agreed = request.POST.get("confirm") == "on"
    if wanted and not problem and agreed and request.method == "POST":
        found.move(wanted)
        return go(request, f"/trips/{reference}/?said=changed")
    label = "New check-in" if found.hotel else "New day of departure"
    field = PortalField(name="date", label=label, kind="date", value=text, problem=problem)
    sure = "Please confirm the new date." if wanted and not problem and request.POST.get("step") == "confirm" else ""
    context: dict[str, object] = {"field": field, "wanted": None if problem else wanted, "confirm_problem": sure}
    return _show_trip(request, "change.html", found, context)


@page
def cancel(request: HttpRequest, reference: str) -> HttpResponse:
    """A trip is given back, once somebody has said why and that they are sure."""
    found = _trip_of(request, reference)
    if found.status != "confirmed":
        return problem_page(request, "This trip cannot be cancelled any more.")
    problems = {}
    reason = request.POST.get("reason", "")
    if request.method == "POST":
        if reason not in CANCEL_REASONS:
            problems["reason"] = "Choose a reason."
        if request.POST.get("sure") != "on":
            problems["sure"] = "Please confirm that you want to cancel."
        if not problems:
            found.cancel(reason)
            return go(request, f"/trips/{reference}/?said=cancelled")
    return _show_trip(
        request, "cancel.html", found, {"reasons": CANCEL_REASONS, "reason": reason, "problems": problems}
    )


def _trip_of(request: HttpRequest, reference: str) -> Trip:
    found = portal_of(request).trip(reference)
    if found is None:
        raise Http404
    return found


def _show_trip(request: HttpRequest, template: str, found: Trip, context: dict[str, object]) -> HttpResponse:
    shown = shown_trip(found, half_days=half_days(portal_of(request)))
    return show_page(request, template, {"shown": shown, "trip": found, **context})

"""The pages about the customer: settings, letters, cookies, saved searches, the shortlist, and help."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict

from turkle_app.sites.pages import page
from turkle_app.sites.travel.account import FREQUENCIES, LETTERS, TIME_FORMATS
from turkle_app.sites.travel.destinations import BY_CODE
from turkle_app.sites.travel.drafts import BAG, MEALS, SEATS
from turkle_app.sites.travel.hotels import hotel_of
from turkle_app.sites.travel.searches import FlightSearch, StaySearch, read_flight_search, read_stay_search
from turkle_app.sites.travel.travel_pages import go, go_back_to, portal_of, problem_page, sent, show_page
from turkle_app.sites.travel.wording import PortalField, euros, shown_hotel

_PROFILE = (
    ("first_name", "First name", "given-name"),
    ("last_name", "Last name", "family-name"),
    ("birth_date", "Date of birth", "bday"),
    ("email", "E-mail", "email"),
    ("phone", "Phone", "tel"),
)
_HELP = (
    (
        "Cabin bags",
        "Basic fares include one small bag of up to 7 kg, Standard fares one of 10 kg, Flex one of 12 kg.",
    ),
    (
        "Bags to check in",
        f"Each bag of up to 23 kg costs {euros(BAG)} for the whole trip; there may be three.",
    ),
    ("Check-in", "Online check-in opens 30 hours before departure and closes 90 minutes before it."),
    ("Changing a date", "Open the trip under My trips. Basic costs €45 a person, Standard €15, Flex nothing."),
    ("Cancelling", "Basic fares are not paid back, of Standard half, Flex wholly. Hotels say whether they are free."),
    ("Travelling with pets", "Small animals travel in the cabin for €55 each way, in a bag of up to 8 kg altogether."),
    ("Children", "Children below two years travel free on a lap; from two years on they have a seat of their own."),
)


@page
def profile(request: HttpRequest) -> HttpResponse:
    """Who the customer is."""
    state = portal_of(request)
    problems: dict[str, str] = {}
    if request.method == "POST":
        problems = state.profile.enter(sent(request))
        if not problems:
            return go(request, "/account/?said=saved")
    values = sent(request) if problems else vars(state.profile)
    fields = [
        PortalField(
            name=name, label=label, value=values.get(name, ""), problem=problems.get(name, ""), complete=complete
        )
        for name, label, complete in _PROFILE
    ]
    return _show_account(request, "profile", {"fields": fields})


@page
def preferences(request: HttpRequest) -> HttpResponse:
    """What the customer likes."""
    state = portal_of(request)
    problems: dict[str, str] = {}
    if request.method == "POST":
        problems = state.preferences.enter(sent(request))
        if not problems:
            return go(request, "/account/preferences/?said=saved")
    liked = state.preferences
    text = request.POST.get("home", "") if problems else BY_CODE[liked.home].label
    context = {
        "home": PortalField(
            name="home", label="Home airport", kind="place", value=text, problem=problems.get("home", "")
        ),
        "seats": list(SEATS),
        "meals": list(MEALS),
        "time_formats": TIME_FORMATS.items(),
        "liked": liked,
    }
    return _show_account(request, "preferences", context)


@page
def letters(request: HttpRequest) -> HttpResponse:
    """What the customer is sent."""
    state = portal_of(request)
    if request.method == "POST":
        state.subscriptions.enter(sent(request))
        return go(request, "/account/notifications/?said=saved")
    context = {
        "frequencies": FREQUENCIES,
        "newsletter": state.subscriptions.newsletter,
        "letters": [(name, words, state.subscriptions.letters[name]) for name, words in LETTERS.items()],
    }
    return _show_account(request, "notifications", context)


def _show_account(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    return show_page(request, f"{name}.html", {"tab": name, "said": request.GET.get("said", ""), **context})


@page
def consent(request: HttpRequest) -> HttpResponse:
    """What the customer says to cookies."""
    said = portal_of(request).consent
    if request.method == "POST":
        everything = request.POST.get("cookies") == "all"
        chosen = request.POST.get("cookies") == "chosen"
        said.answered = True
        said.statistics = everything or (chosen and request.POST.get("statistics") == "on")
        said.marketing = everything or (chosen and request.POST.get("marketing") == "on")
    return go_back_to(request)


@page
def newsletter(request: HttpRequest) -> HttpResponse:
    """What the customer says to the newsletter that a dialog offers."""
    state = portal_of(request)
    if request.method == "POST":
        state.letter_offered = True
        if request.POST.get("answer") == "yes":
            state.subscriptions.newsletter = "weekly"
    return go_back_to(request)


@page
def saved(request: HttpRequest) -> HttpResponse:
    """Saved searches, and hotels on the list."""
    state = portal_of(request)
    if request.method == "POST":
        number = request.POST.get("delete", "")
        state.saved = [search for search in state.saved if str(search.number) != number]
        return go(request, "/saved/")
    hotels = [shown_hotel(hotel, 0, state.shortlist) for hotel in state.shortlisted()]
    return show_page(request, "saved.html", {"searches": state.saved, "hotels": hotels})


@page
def save(request: HttpRequest) -> HttpResponse:
    """Keep a search under a name."""
    state = portal_of(request)
    kind = request.POST.get("kind", "")
    query = QueryDict(request.POST.get("query", ""))
    read = read_stay_search(query, state.today) if kind == "hotels" else read_flight_search(query, state.today)
    if request.method != "POST" or read.search is None:
        return problem_page(request, "There is no search to be saved.")
    name = " ".join(request.POST.get("name", "").split())[:60] or "My search"
    below = request.POST.get("alert_below", "").strip()
    alert = int(below) if below.isdecimal() and len(below) < 6 and request.POST.get("alert") == "on" else None
    told = _told(read.search)
    state.save_search("hotels" if kind == "hotels" else "flights", name, read.search.query, told, alert)
    return go(request, "/saved/")


def _told(search: FlightSearch | StaySearch) -> dict[str, Any]:
    """Return a search field by field, for conditions."""
    if isinstance(search, StaySearch):
        return {
            "place": search.city.code,
            "check_in": search.check_in.isoformat(),
            "check_out": search.check_out.isoformat(),
            "guests": search.guests,
            "least_stars": search.least_stars,
            "most_euros": search.euros[1],
            "amenities": list(search.amenities),
            "order": search.order,
        }
    return {
        "from": search.origin.code,
        "to": search.destination.code,
        "depart": search.depart.isoformat(),
        "return": search.back.isoformat() if search.back else "",
        "adults": search.adults,
        "most_stops": search.most_stops,
        "most_euros": search.most_euros,
        "hours": list(search.hours),
        "order": search.order,
    }


@page
def shortlist(request: HttpRequest) -> HttpResponse:
    """Put a hotel on the list, or take it off."""
    state = portal_of(request)
    slug = request.POST.get("hotel", "")
    if slug in state.shortlist:
        state.shortlist.remove(slug)
    elif hotel_of(state.seed, slug):
        state.shortlist.append(slug)
    return go_back_to(request, "/saved/")


@page
def help_page(request: HttpRequest) -> HttpResponse:
    """Questions that customers have, with answers."""
    return show_page(request, "help.html", {"questions": _HELP})

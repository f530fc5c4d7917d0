"""The pages on which a booking is made: who travels, what beside, how it is paid, and that it is done."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse

from turkle_app.sites.pages import page
from turkle_app.sites.travel.drafts import ARRIVALS, FARES, MEALS, SEATS, STEPS, SWITCHES_OF_STAYS, Draft
from turkle_app.sites.travel.flights import CABINS, flight_of
from turkle_app.sites.travel.hotels import ROOMS, hotel_of
from turkle_app.sites.travel.payment import card_problems, last_digits
from turkle_app.sites.travel.searches import MOST_PEOPLE, StaySearch, read_stay_search
from turkle_app.sites.travel.travel_pages import go, half_days, portal_of, problem_page, sent, show_page
from turkle_app.sites.travel.wording import PortalField, euros, shown_flight, shown_hotel, shown_trip

_TITLES = {"passengers": "Who travels", "extras": "Extras", "payment": "Payment"}
_FARES = {
    "basic": ("Basic", "One small cabin bag. Change of date for €45 a person, no refund."),
    "standard": ("Standard", "Cabin bag up to 10 kg. Change of date for €15 a person, half of the price back."),
    "flex": ("Flex", "Cabin bag up to 12 kg. Change of date for free, all of the price back."),
}


@page
def book_flight(request: HttpRequest) -> HttpResponse:
    """Begin to book the flights that were chosen."""
    state = portal_of(request)
    chosen = [flight_of(state.seed, offer) for offer in request.POST.getlist("offer")]
    flights = tuple(flight for flight in chosen if flight and flight.day >= state.today)
    people = request.POST.get("adults", "1")
    cabin = request.POST.get("cabin", "economy")
    if not 1 <= len(flights) <= 2 or len(flights) != len(chosen) or cabin not in CABINS:
        return problem_page(request, "This flight is not on sale any more. Please search again.")
    count = int(people) if people in {str(number) for number in range(1, MOST_PEOPLE + 1)} else 1
    draft = state.begin_flight(flights, count, cabin)
    return go(request, f"/book/{draft.number}/passengers/")


@page
def book_stay(request: HttpRequest) -> HttpResponse:
    """Begin to book the room that was chosen."""
    state = portal_of(request)
    hotel = hotel_of(state.seed, request.POST.get("hotel", ""))
    given = request.POST.copy()
    given["place"] = hotel.city if hotel else ""
    search = read_stay_search(given, state.today).search
    room = request.POST.get("room", "")
    if hotel is None or room not in ROOMS or not isinstance(search, StaySearch) or ROOMS[room][0] < search.guests:
        return problem_page(request, "This room cannot be had for these days. Please choose another one.")
    draft = state.begin_stay(hotel, room, (search.check_in, search.check_out), search.guests)
    return go(request, f"/book/{draft.number}/passengers/")


@page
def step(request: HttpRequest, number: int, name: str) -> HttpResponse:
    """A step of a booking: shown, or taken down and then the next."""
    draft = portal_of(request).drafts.get(number)
    if draft is None or name not in STEPS:
        raise Http404
    if draft.trip:
        return go(request, f"/book/{number}/done/")
    missing = next((earlier for earlier in STEPS[: STEPS.index(name)] if earlier not in draft.done), None)
    if missing:
        return go(request, f"/book/{number}/{missing}/")
    return {"passengers": _passengers, "extras": _extras, "payment": _payment}[name](request, draft)


def _passengers(request: HttpRequest, draft: Draft) -> HttpResponse:
    problems: Mapping[str, str] = {}
    if request.method == "POST":
        problems = draft.enter_people(sent(request), portal_of(request).today)
        if not problems:
            return go(request, f"/book/{draft.number}/extras/")
    people = [(number, _person_fields(draft, number, problems)) for number in draft.travellers]
    contact = [
        PortalField(
            name=name,
            label=label,
            kind=kind,
            value=draft.entered.get(name, ""),
            problem=problems.get(name, ""),
            complete=kind,
        )
        for name, label, kind in (("email", "E-mail", "email"), ("phone", "Phone", "tel"))
    ]
    return _show_step(request, draft, "passengers", {"people": people, "contact": contact, "problems": len(problems)})


def _person_fields(draft: Draft, number: int, problems: Mapping[str, str]) -> list[PortalField]:
    rows = [("first_name", "First name", "text", ""), ("last_name", "Last name", "text", "")]
    rows += [("birth_date", "Date of birth", "text", "Year, month, day: 1990-04-30")] if draft.flights else []
    return [
        PortalField(
            name=f"{name}_{number}",
            label=label,
            kind=kind,
            hint=hint,
            value=draft.entered.get(f"{name}_{number}", ""),
            problem=problems.get(f"{name}_{number}", ""),
        )
        for name, label, kind, hint in rows
    ]


def _extras(request: HttpRequest, draft: Draft) -> HttpResponse:
    if request.method == "POST":
        draft.enter_extras(sent(request))
        if request.POST.get("go") == "update":
            return go(request, f"/book/{draft.number}/extras/")
        return go(request, f"/book/{draft.number}/payment/")
    context = {
        "fares": [
            (name, _FARES[name][0], _FARES[name][1], euros(cents), name == draft.extras.get("fare"))
            for name, cents in FARES.items()
        ],
        "seats": _priced(SEATS),
        "meals": _priced(MEALS),
        "bags": range(4),
        "arrivals": ARRIVALS,
        "switches": [(name, words, draft.extras.get(name, False)) for name, words in SWITCHES_OF_STAYS.items()],
    }
    return _show_step(request, draft, "extras", context)


def _priced(costs: Mapping[str, int]) -> list[tuple[str, str]]:
    names = {"none": "No preference", "legroom": "Extra legroom", "gluten-free": "Gluten-free"}
    surcharges = {name: f" (+{euros(cents)})" if cents else "" for name, cents in costs.items()}
    return [(name, names.get(name, name.title()) + more) for name, more in surcharges.items()]


def _payment(request: HttpRequest, draft: Draft) -> HttpResponse:
    state = portal_of(request)
    problems: dict[str, str] = {}
    if request.method == "POST":
        problems = card_problems(sent(request), state.today)
        if request.POST.get("terms") != "on":
            problems["terms"] = "Please accept the conditions."
        if not problems:
            state.book(draft, last_digits(request.POST["card_number"]))
            return go(request, f"/book/{draft.number}/done/")
    rows = (
        ("card_number", "Card number", "16 digits"),
        ("card_name", "Name on the card", ""),
        ("expiry", "Valid until", "MM/YY"),
        ("cvc", "Security code", "Three digits on the back"),
    )
    # What was entered stays, but for the secret of the card.
    kept = {name: request.POST.get(name, "") for name, _, _ in rows if name != "cvc"}
    fields = [
        PortalField(name=name, label=label, hint=hint, value=kept.get(name, ""), problem=problems.get(name, ""))
        for name, label, hint in rows
    ]
    context = {"fields": fields, "terms_problem": problems.get("terms", ""), "problems": len(problems)}
    return _show_step(request, draft, "payment", context)


@page
def done(request: HttpRequest, number: int) -> HttpResponse:
    """That a booking is made."""
    state = portal_of(request)
    draft = state.drafts.get(number)
    trip = state.trip(draft.trip) if draft and draft.trip else None
    if trip is None:
        raise Http404
    return show_page(request, "done.html", {"shown": shown_trip(trip, half_days=half_days(state))})


def _show_step(request: HttpRequest, draft: Draft, name: str, context: Mapping[str, object]) -> HttpResponse:
    state = portal_of(request)
    halves = half_days(state)
    reached = STEPS.index(name)
    shared = {
        "draft": draft,
        "step": name,
        "title": _TITLES[name],
        "steps": [
            {"name": other, "title": _TITLES[other], "on": other == name, "past": place < reached}
            for place, other in enumerate(STEPS)
        ],
        "lines": [(words, euros(cents)) for words, cents in draft.lines],
        "total": euros(draft.cents),
        "shown_flights": [shown_flight(flight, draft.cabin, half_days=halves) for flight in draft.flights],
        "shown_stay": shown_hotel(draft.hotel, draft.nights, ()) if draft.hotel else None,
    }
    return show_page(request, f"book_{name}.html", {**shared, **context})

"""The pages on which flights and hotels are looked for."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse

from turkle_app.sites.pages import page
from turkle_app.sites.travel.destinations import BY_CODE, Destination, suggestions
from turkle_app.sites.travel.flights import AIRLINES, CABINS, Flight, flight_of, flights_of
from turkle_app.sites.travel.hotels import AMENITIES, hotel_of, hotels_of
from turkle_app.sites.travel.searches import (
    FLIGHT_ORDERS,
    HOTEL_ORDERS,
    MOST_PEOPLE,
    FlightSearch,
    ReadSearch,
    StaySearch,
    read_flight_search,
    read_stay_search,
)
from turkle_app.sites.travel.travel_pages import go, half_days, portal_of, problem_page, show_page
from turkle_app.sites.travel.wording import PortalField, euros, shown_flight, shown_hotel, shown_rooms, shown_trip

_IDEAS = ("GRX", "BGO", "SJO", "VIE", "SCQ", "POA")
_FLIGHT_FILTERS = frozenset({"stops", "max_price", "leave_from", "leave_before", "airline"})
_STAY_FILTERS = frozenset({"stars", "min_price", "max_price", "rating", "with", "free_cancellation"})
_PLACES_OF_SEARCH = frozenset({"from", "to", "depart", "return", "place", "checkin", "checkout"})


@page
def home(request: HttpRequest) -> HttpResponse:
    """The first page: a search, the next trip, and where one could go."""
    state = portal_of(request)
    coming = [trip for trip in state.all_trips if trip.status == "confirmed" and trip.begins >= state.today]
    stays = request.GET.get("search") == "hotels"
    context = {
        "stays": stays,
        "fields": _stay_fields({}, {}) if stays else _flight_fields({}, {}, state.preferences.home),
        "ideas": [_idea(request, BY_CODE[code]) for code in _IDEAS if code != state.preferences.home],
        "next_trip": shown_trip(coming[0], half_days=half_days(state)) if coming else None,
    }
    return show_page(request, "home.html", context)


def _idea(request: HttpRequest, place: Destination) -> dict[str, object]:
    state = portal_of(request)
    day = state.today + timedelta(days=40)
    flights = flights_of(state.seed, state.preferences.home, place.code, day)
    search = FlightSearch(origin=BY_CODE[state.preferences.home], destination=place, depart=day)
    hue = sum(map(ord, place.code)) * 11 % 360
    return {"place": place, "price": euros(min(flight.cents for flight in flights)), "query": search.query, "hue": hue}


@page
def places(request: HttpRequest) -> HttpResponse:
    """What may be meant by the letters ``q``, as JSON: what the fields for places ask."""
    found = suggestions(request.GET.get("q", ""))
    listed = [{"code": place.code, "label": place.label, "name": place.name, "region": place.region} for place in found]
    return JsonResponse({"places": listed})


@page
def flights(request: HttpRequest) -> HttpResponse:
    """Flights: the search by itself, or what it has found."""
    state = portal_of(request)
    asked = "from" in request.GET or "to" in request.GET
    read = read_flight_search(request.GET, state.today)
    if request.GET.get("trip") == "return" and asked and not request.GET.get("return", "").strip():
        read = ReadSearch(
            None, {**read.problems, "return": "Enter the day of return, or choose one way."}, read.unclear
        )
    if not isinstance(read.search, FlightSearch):
        return _ask_again(request, "flights", read, asked=asked)
    if _stands_otherwise(request, read.search.query):
        return go(request, f"/flights/?{read.search.query}")
    return _found_flights(request, read.search)


def _found_flights(request: HttpRequest, search: FlightSearch) -> HttpResponse:
    state = portal_of(request)
    chosen = flight_of(state.seed, request.GET["out"]) if search.back and "out" in request.GET else None
    way = (search.origin, search.destination, search.depart)
    if chosen and search.back:
        way = (search.destination, search.origin, search.back)
    there = flights_of(state.seed, way[0].code, way[1].code, way[2])
    found = search.found(there)
    halves = half_days(state)
    prices = [flight.cents_in(search.cabin) // 100 for flight in there]
    context = {
        "search": search,
        "way": way,
        "chosen": shown_flight(chosen, search.cabin, half_days=halves) if chosen else None,
        "choose_out": bool(search.back) and chosen is None,
        "shown": [shown_flight(flight, search.cabin, half_days=halves) for flight in found],
        "count_all": len(there),
        "prices": (min(prices), max(prices) + 1),
        "orders": _order_links("flights", search.query, FLIGHT_ORDERS, search.order, _out(chosen)),
        "kept": [
            *_pairs_but(search.query, _FLIGHT_FILTERS),
            *_out(chosen),
        ],
        "airlines": AIRLINES,
        "hours": [(hour, f"{hour:02}:00") for hour in range(0, 25, 2)],
        "fields": _flight_fields(request.GET, {}, state.preferences.home),
        "one_way": search.back is None,
        "saved_name": f"{search.origin.name} to {search.destination.name}",
        "letter_offered": not state.letter_offered,
    }
    return show_page(request, "flights.html", context)


def _out(chosen: Flight | None) -> list[tuple[str, str]]:
    return [("out", chosen.offer)] if chosen else []


@page
def hotels(request: HttpRequest) -> HttpResponse:
    """Hotels: the search by itself, or what it has found."""
    state = portal_of(request)
    read = read_stay_search(request.GET, state.today)
    if not isinstance(read.search, StaySearch):
        return _ask_again(request, "hotels", read, asked="place" in request.GET)
    search = read.search
    if _stands_otherwise(request, search.query):
        return go(request, f"/hotels/?{search.query}")
    there = hotels_of(state.seed, search.city.code)
    found = search.found(there)
    context = {
        "search": search,
        "shown": [shown_hotel(hotel, search.nights, state.shortlist) for hotel in found],
        "count_all": len(there),
        "orders": _order_links("hotels", search.query, HOTEL_ORDERS, search.order, []),
        "kept": _pairs_but(search.query, _STAY_FILTERS),
        "amenities": AMENITIES,
        "fields": _stay_fields(request.GET, {}),
        "saved_name": f"Hotels in {search.city.name}",
        "letter_offered": not state.letter_offered,
    }
    return show_page(request, "hotels.html", context)


@page
def hotel(request: HttpRequest, slug: str) -> HttpResponse:
    """One hotel and its rooms."""
    state = portal_of(request)
    found = hotel_of(state.seed, slug)
    if found is None:
        return problem_page(request, "We know no such hotel.")
    given = request.GET.copy()
    given["place"] = found.city
    read = read_stay_search(given, state.today)
    search = read.search if isinstance(read.search, StaySearch) else None
    context = {
        "shown": shown_hotel(found, search.nights if search else 0, state.shortlist),
        "search": search,
        "rooms": shown_rooms(found, search.nights, search.guests) if search else [],
        "fields": _stay_fields(given, {})[1:],
        "problems": read.problems.values() if "checkin" in request.GET else (),
    }
    return show_page(request, "hotel.html", context)


def _ask_again(request: HttpRequest, kind: str, read: ReadSearch, *, asked: bool) -> HttpResponse:
    """Show the search with what is wrong, and of names that fit several cities the ways to go on with each."""
    problems = dict(read.problems) if asked else {}
    problems |= dict.fromkeys(read.unclear, "Several places have this name: choose one below.")
    unclear = [
        {"name": key, "text": request.GET.get(key, ""), "choices": [_with_place(request, key, one) for one in several]}
        for key, several in read.unclear.items()
    ]
    fields = (
        _stay_fields(request.GET, problems)
        if kind == "hotels"
        else _flight_fields(request.GET, problems, portal_of(request).preferences.home)
    )
    context = {"stays": kind == "hotels", "fields": fields, "unclear": unclear}
    return show_page(request, "ask.html", {**context, "one_way": asked and request.GET.get("trip") != "return"})


def _with_place(request: HttpRequest, key: str, place: Destination) -> dict[str, object]:
    pairs = [(name, place.code if name == key else value) for name, value in parse_qsl(request.META["QUERY_STRING"])]
    return {"place": place, "query": urlencode(pairs)}


def _stands_otherwise(request: HttpRequest, query: str) -> bool:
    """Whether an address says places and days in other words than those in which they are kept."""
    kept = dict(parse_qsl(query))
    said = {key: value for key, value in request.GET.items() if key in _PLACES_OF_SEARCH | {"trip"}}
    return any(kept.get(key) != value for key, value in said.items())


def _pairs_but(query: str, left_out: AbstractSet[str]) -> list[tuple[str, str]]:
    return [(key, value) for key, value in parse_qsl(query) if key not in left_out]


def _order_links(
    kind: str, query: str, orders: Mapping[str, str], order: str, more: list[tuple[str, str]]
) -> list[dict[str, Any]]:
    pairs = [*_pairs_but(query, {"sort"}), *more]
    return [
        {"name": name, "words": words, "on": name == order, "href": f"/{kind}/?{urlencode([*pairs, ('sort', name)])}"}
        for name, words in orders.items()
    ]


def _flight_fields(given: Mapping[str, str], problems: Mapping[str, str], home_code: str) -> list[PortalField]:
    home_label = BY_CODE[home_code].label
    people = {str(number): f"{number} adult{'s' * (number > 1)}" for number in range(1, MOST_PEOPLE + 1)}
    cabins = {cabin: cabin.title() for cabin in CABINS}
    rows: list[tuple[str, str, str, str, Mapping[str, str] | None]] = [
        ("from", "From", "place", _place_text(given.get("from", home_label)), None),
        ("to", "To", "place", _place_text(given.get("to", "")), None),
        ("depart", "Depart", "date", given.get("depart", ""), None),
        ("return", "Return", "date", given.get("return", ""), None),
        ("adults", "Travellers", "select", given.get("adults", "1"), people),
        ("cabin", "Cabin", "select", given.get("cabin", "economy"), cabins),
    ]
    return _fields(rows, problems)


def _stay_fields(given: Mapping[str, str], problems: Mapping[str, str]) -> list[PortalField]:
    people = {str(number): f"{number} guest{'s' * (number > 1)}" for number in range(1, MOST_PEOPLE + 1)}
    rows: list[tuple[str, str, str, str, Mapping[str, str] | None]] = [
        ("place", "Where", "place", _place_text(given.get("place", "")), None),
        ("checkin", "Check-in", "date", given.get("checkin", ""), None),
        ("checkout", "Check-out", "date", given.get("checkout", ""), None),
        ("guests", "Guests", "select", given.get("guests", "2"), people),
    ]
    return _fields(rows, problems)


def _fields(
    rows: list[tuple[str, str, str, str, Mapping[str, str] | None]], problems: Mapping[str, str]
) -> list[PortalField]:
    return [
        PortalField(name=name, label=label, kind=kind, value=value, choices=choices, problem=problems.get(name, ""))
        for name, label, kind, value, choices in rows
    ]


def _place_text(text: str) -> str:
    return BY_CODE[text].label if text in BY_CODE else text

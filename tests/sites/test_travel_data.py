"""What the travel portal is made of: cities, flights, hotels, dates, searches, cards and drafts."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.http import QueryDict

from turkle_app.sites.travel.calendar_clock import clock_text, last_day, read_date, today_of
from turkle_app.sites.travel.destinations import DESTINATIONS, meant, suggestions
from turkle_app.sites.travel.flights import cheaper, flight_of, flights_of
from turkle_app.sites.travel.hotels import cheaper_hotels, hotel_of, hotels_of
from turkle_app.sites.travel.payment import card_problems, last_digits
from turkle_app.sites.travel.searches import FlightSearch, StaySearch, read_flight_search, read_stay_search
from turkle_app.sites.travel.travel_state import MOST_DRAFTS, MOST_SAVED, make_state

DAY = date(2031, 5, 14)
TODAY = today_of(0)
SEEDS = range(20)
GOOD_CARD = {"card_number": "4111 1111 1111 1111", "card_name": "Robin Ekberg", "expiry": "09/34", "cvc": "123"}


def codes(places):
    return [place.code for place in places]


def test_there_are_thirty_cities_and_more_and_some_have_one_name():
    names = [place.name for place in DESTINATIONS]
    assert len(names) >= 30
    assert len(set(names)) <= len(names) - 10
    assert len({place.code for place in DESTINATIONS}) == len({place.full_name for place in DESTINATIONS}) == len(names)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("san jos", ["SJC", "SJO"]),
        ("SAN JOSÉ", ["SJC", "SJO"]),
        ("cordoba", ["COR", "ODB"]),
        ("gra", ["MGA", "GRX"]),
        ("sjo", ["SJO"]),
        ("costa", ["SJO"]),
        ("compostela", ["SCQ"]),
        ("nowhere", []),
        ("  ", []),
    ],
)
def test_suggestions_begin_with_what_was_typed(typed, first):
    assert codes(suggestions(typed)) == first


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("OSL", ["OSL"]),
        ("oslo", ["OSL"]),
        ("Oslo (OSL)", ["OSL"]),
        ("San José, Costa Rica", ["SJO"]),
        ("porto", ["OPO"]),
        ("Os", []),
        ("", []),
    ],
)
def test_a_text_names_one_place_or_none(text, clear):
    assert codes(meant(text)) == clear


def test_a_name_that_two_cities_have_is_not_clear():
    assert codes(meant("san jose")) == ["SJC", "SJO"]
    assert codes(meant("athens")) == ["ATH", "AHN"]


@pytest.mark.parametrize(
    "text", ["2031-05-14", "14/05/2031", "14.5.2031", "14 May 2031", " 14 may, 2031 ", "2031/05/14"]
)
def test_dates_are_read_as_people_write_them(text):
    assert read_date(text) == DAY


@pytest.mark.parametrize("text", ["", "soon", "2031-02-30", "14 Mayday 2031", "14 Ma 2031", "May 2031", "14-05-31"])
def test_what_is_no_date_is_none(text):
    assert read_date(text) is None


def test_times_are_shown_in_either_way():
    assert [clock_text(minutes) for minutes in (5, 735, 1445)] == ["00:05", "12:15", "00:05"]
    assert [clock_text(minutes, half_days=True) for minutes in (5, 735, 1170)] == ["12:05 am", "12:15 pm", "7:30 pm"]


def test_the_clock_of_every_seed_stands_in_one_month():
    assert {today_of(seed).month for seed in SEEDS} == {3}
    assert len({today_of(seed) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_part_of_the_day_has_nonstop_flights_and_no_two_cost_the_same(seed):
    flights = flights_of(seed, "LIS", "SJC", DAY)
    nonstop = [flight.part_of_day for flight in flights if not flight.stops]
    assert sorted(nonstop) == sorted(["morning", "afternoon", "evening"] * 2)
    assert len({flight.cents for flight in flights}) == len(flights)
    assert any(flight.stops for flight in flights)


def test_flights_are_the_same_whenever_they_are_asked_for_and_others_with_another_seed():
    flights = flights_of(1, "LIS", "OSL", DAY)
    flights_of.cache_clear()
    assert flights_of(1, "LIS", "OSL", DAY) == flights
    assert flights_of(2, "LIS", "OSL", DAY) != flights
    assert [flight_of(1, flight.offer) for flight in flights] == list(flights)


@pytest.mark.parametrize(
    "offer", ["", "LIS-OSL", "LIS-XXX-20310514-1", "LIS-OSL-2031051-1", "LIS-LIS-20310514-1", "LIS-OSL-20310514-99"]
)
def test_an_offer_that_is_none_names_no_flight(offer):
    assert flight_of(0, offer) is None


def test_the_cheapest_of_its_kind_has_nothing_cheaper():
    flights = flights_of(0, "LIS", "OSL", DAY)
    best = min(flights, key=lambda flight: flight.cents)
    noon = [flight for flight in flights if flight.part_of_day == "afternoon" and not flight.stops]
    assert cheaper(0, best) == dict.fromkeys(("any", "nonstop", "same_part_of_day", "nonstop_same_part_of_day"), 0)
    ordered = sorted(noon, key=lambda flight: flight.cents)
    assert [cheaper(0, flight)["nonstop_same_part_of_day"] for flight in ordered] == [0, 1]
    dearest = max(flights, key=lambda flight: flight.cents)
    assert cheaper(0, dearest)["any"] == len(flights) - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_each_city_has_hotels_of_every_class_that_tasks_ask_for(seed):
    for city in ("GRX", "VIE", "VLC"):
        hotels = hotels_of(seed, city)
        good = [hotel for hotel in hotels if hotel.stars >= 4 and "Pool" in hotel.amenities and hotel.free_cancellation]
        assert len(good) >= 3
        assert any("Pets allowed" in hotel.amenities for hotel in hotels)
        assert len({hotel.cents for hotel in hotels}) == len(hotels)
        assert [hotel_of(seed, hotel.slug) for hotel in hotels] == list(hotels)


def test_the_cheapest_hotel_of_a_class_has_nothing_cheaper_in_it():
    hotels = hotels_of(0, "GRX")
    fitting = sorted(
        (hotel for hotel in hotels if hotel.stars >= 4 and "Pool" in hotel.amenities), key=lambda one: one.cents
    )
    assert [cheaper_hotels(0, hotel)["four_stars_pool"] for hotel in fitting] == list(range(len(fitting)))


def flight_search(query):
    return read_flight_search(QueryDict(query), TODAY)


FLIGHTS = "from=LIS&to=OSL&depart=2031-05-14"


def test_an_address_says_the_whole_search_and_back():
    query = FLIGHTS + "&return=2031-05-20&adults=2&cabin=business&stops=1&max_price=900&leave_from=6&leave_before=12"
    query += "&airline=Norrvik&sort=price"
    search = flight_search(query).search
    assert isinstance(search, FlightSearch)
    assert search.query == query


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", {"from", "to", "depart"}),
        ("from=LIS&to=LIS&depart=2031-05-14", {"to"}),
        ("from=LIS&to=Atlantis&depart=2031-05-14", {"to"}),
        ("from=LIS&to=OSL&depart=2031-02-01", {"depart"}),
        ("from=LIS&to=OSL&depart=2033-02-01", {"depart"}),
        (FLIGHTS + "&return=2031-05-13", {"return"}),
        (FLIGHTS + "&return=never", {"return"}),
    ],
)
def test_what_is_wrong_with_a_search_is_said_by_field(query, fields):
    read = flight_search(query)
    assert read.search is None
    assert set(read.problems) == fields


def test_filters_and_orders_of_flights_do_what_they_say():
    flights = flights_of(0, "LIS", "OSL", DAY)
    found = flight_search(FLIGHTS + "&stops=0&leave_from=12&leave_before=18&sort=price").search.found(flights)
    assert [flight.cents for flight in found] == sorted(flight.cents for flight in found)
    assert {(flight.stops, flight.part_of_day) for flight in found} == {(0, "afternoon")}
    most = sorted(flight.cents for flight in flights)[3] // 100
    assert len(flight_search(f"{FLIGHTS}&max_price={most}").search.found(flights)) == 4
    early = flight_search(FLIGHTS + "&sort=departure").search.found(flights)
    assert [flight.departs for flight in early] == sorted(flight.departs for flight in flights)


STAY = "place=GRX&checkin=2031-06-12&checkout=2031-06-15"


def test_filters_and_orders_of_hotels_do_what_they_say():
    hotels = hotels_of(0, "GRX")
    search = read_stay_search(QueryDict(STAY + "&stars=4&with=Pool&free_cancellation=on&sort=price"), TODAY).search
    assert isinstance(search, StaySearch)
    found = search.found(hotels)
    wanted = [hotel for hotel in hotels if hotel.stars >= 4 and "Pool" in hotel.amenities and hotel.free_cancellation]
    assert found == sorted(wanted, key=lambda hotel: hotel.cents)
    ranged = read_stay_search(QueryDict(STAY + "&min_price=90&max_price=140&rating=7"), TODAY).search.found(hotels)
    assert ranged == [hotel for hotel in hotels if 9_000 <= hotel.cents <= 14_000 and hotel.rating >= 7]


@pytest.mark.parametrize("checkout", ["2031-06-12", "2031-08-01"])
def test_a_stay_has_one_night_at_least_and_thirty_at_most(checkout):
    read = read_stay_search(QueryDict(f"place=GRX&checkin=2031-06-12&checkout={checkout}"), TODAY)
    assert set(read.problems) == {"checkout"}


def test_a_good_card_has_no_problem():
    assert card_problems(GOOD_CARD, TODAY) == {}
    assert last_digits(GOOD_CARD["card_number"]) == "1111"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("card_number", "4111 1111 1111 1112"),
        ("card_number", "4111"),
        ("card_number", "4000 0000 0000 0002"),
        ("card_name", " "),
        ("expiry", "02/31"),
        ("expiry", "13/34"),
        ("expiry", "soon"),
        ("cvc", "12"),
    ],
)
def test_what_is_wrong_with_a_card_is_said_of_its_field(field, value):
    assert set(card_problems({**GOOD_CARD, field: value}, TODAY)) == {field}


def test_what_is_told_is_json_and_the_same_for_one_seed():
    assert json.dumps(make_state(3).told()) == json.dumps(make_state(3).told())
    assert make_state(3).told() != make_state(4).told()


def test_an_episode_changes_nothing_of_the_next():
    before = make_state(0).told()
    state = make_state(0)
    state.trips["DW2077"].cancel("Illness")
    state.trips["DW2041"].move(date(2031, 4, 25))
    state.preferences.seat = "aisle"
    state.subscriptions.letters["deals"] = True
    assert state.told() != before
    assert make_state(0).told() == before


def test_drafts_and_saved_searches_do_not_grow_without_end():
    state = make_state(0)
    flight = flights_of(0, "LIS", "OSL", DAY)[0]
    for number in range(MOST_DRAFTS + 5):
        state.begin_flight((flight,), 1, "economy")
        state.save_search("flights", f"Search {number}", FLIGHTS, {}, None)
    assert len(state.drafts) == MOST_DRAFTS
    assert len(state.saved) == MOST_SAVED
    assert max(state.drafts) == MOST_DRAFTS + 5


def test_a_change_costs_what_the_fare_says_and_a_cancelled_trip_is_paid_back_by_it():
    state = make_state(0)
    basic, flex = state.trips["DW2102"], state.trips["DW2041"]
    assert (basic.change_fee, flex.change_fee) == (4_500, 0)
    assert (basic.refund_due, flex.refund_due) == (0, flex.cents)
    paid = basic.cents
    basic.move(date(2031, 6, 9))
    assert (basic.begins, basic.cents, basic.changes) == (date(2031, 6, 9), paid + 4_500, 1)


def test_nothing_is_sold_after_the_last_day():
    assert (last_day(TODAY) - TODAY).days == 330

"""The pages of the travel portal, as a client without scripts walks through them."""

from __future__ import annotations

import pytest
from lxml import html

from tests.sites.visits import visit
from tests.sites.walk import CARD, FLIGHTS, PERSON
from turkle_app.sites.travel.hotels import hotels_of
from turkle_app.sites.travel.moved import MOVED
from turkle_app.sites.travel.travel_state import make_state

HOTELS = "/hotels/?place=VIE&checkin=2031-05-09&checkout=2031-05-12&guests=2"


@pytest.fixture
def portal():
    with visit("travel") as visited:
        yield visited


def page(visited, address, status=200):
    answer = visited.client.get(address, follow=True)
    assert answer.status_code == status
    return html.document_fromstring(answer.content)


def send(visited, address, **fields):
    answer = visited.client.post(address, fields)
    assert answer.status_code in {200, 302}
    return answer


def begin_flight(visited):
    flight = page(visited, FLIGHTS).cssselect("[data-offer]")[0].get("data-offer")
    answer = send(visited, "/book/flight/", offer=flight, adults="1", cabin="economy")
    assert answer.headers["Location"] == "/book/1/passengers/"


def pay_for_flight(visited):
    begin_flight(visited)
    send(visited, "/book/1/passengers/", **PERSON)
    send(visited, "/book/1/extras/", fare="basic", bags="0", seat="none", meal="none", go="on")
    return send(visited, "/book/1/payment/", **CARD)


def test_a_state_is_made_within_what_a_request_may_take_and_told():
    assert set(make_state(7).told()) == {
        "today",
        "bookings",
        "trips",
        "searches",
        "shortlist",
        "subscriptions",
        "consent",
        "settings",
    }


def test_the_dialog_about_cookies_is_in_the_way_until_it_is_answered(portal):
    assert page(portal, "/help/").cssselect("#cookie-dialog")
    answer = send(portal, "/consent/", cookies="chosen", statistics="on", next="/help/")
    assert answer.headers["Location"] == "/help/"
    assert not page(portal, "/help/").cssselect("#cookie-dialog")
    assert portal.told["consent"] == {"answered": True, "statistics": True, "marketing": False}


@pytest.mark.parametrize(("answer", "often"), [("yes", "weekly"), ("no", "never"), ("close", "never")])
def test_the_newsletter_is_offered_once_on_results(portal, answer, often):
    send(portal, "/consent/", cookies="necessary")
    assert not page(portal, "/").cssselect("#letter-dialog")
    assert page(portal, FLIGHTS).cssselect("#letter-dialog")
    send(portal, "/newsletter/", answer=answer, next=FLIGHTS)
    assert not page(portal, FLIGHTS).cssselect("#letter-dialog")
    assert portal.told["subscriptions"]["newsletter"] == often


@pytest.mark.parametrize("wanted", ["http://shop.test/", "//shop.test/", "javascript:alert(1)", ""])
def test_a_dialog_leads_back_to_the_portal_only(portal, wanted):
    assert send(portal, "/consent/", cookies="all", next=wanted).headers["Location"] == "/"


def test_a_search_in_any_words_comes_to_one_address(portal):
    answer = portal.client.get(
        "/flights/?trip=oneway&from=Lisbon+(LIS)&to=oslo&depart=14+May+2031&return=&adults=1&cabin=economy"
    )
    assert answer.headers["Location"] == FLIGHTS


def test_a_name_of_several_cities_asks_which_is_meant(portal):
    asked = page(portal, "/flights/?trip=oneway&from=LIS&to=san+jose&depart=2031-05-14")
    choices = {link.get("data-code"): link.get("href") for link in asked.cssselect("#unclear-to a")}
    assert set(choices) == {"SJC", "SJO"}
    found = page(portal, f"/flights/{choices['SJO']}")
    assert found.cssselect("#found-title")[0].text == "Lisbon to San José"


def test_returning_needs_a_second_day(portal):
    asked = page(portal, "/flights/?trip=return&from=LIS&to=OSL&depart=2031-05-14&return=")
    assert "day of return" in asked.cssselect("#return-problem")[0].text


def test_there_and_back_are_chosen_one_after_the_other(portal):
    there = page(portal, FLIGHTS + "&return=2031-05-20")
    back = page(portal, there.cssselect("#results .choose")[0].get("href"))
    form = back.cssselect("#results li form")[0]
    offers = [field.get("value") for field in form.cssselect("[name=offer]")]
    assert [offer[:7] for offer in offers] == ["LIS-OSL", "OSL-LIS"]
    send(portal, "/book/flight/", offer=offers, adults="1", cabin="economy")
    pay = pay_steps(portal)
    assert pay.headers["Location"] == "/book/1/done/"
    assert [flight["date"] for flight in portal.told["bookings"][0]["flights"]] == ["2031-05-14", "2031-05-20"]


def pay_steps(visited):
    send(visited, "/book/1/passengers/", **PERSON)
    send(visited, "/book/1/extras/", go="on")
    return send(visited, "/book/1/payment/", **CARD)


def test_what_is_booked_is_told_with_all_that_was_chosen(portal):
    assert pay_for_flight(portal).headers["Location"] == "/book/1/done/"
    (booking,) = portal.told["bookings"]
    assert booking["guests"] == [{"first_name": "Kim", "last_name": "Ekberg", "birth_date": "1991-02-17"}]
    assert booking["extras"] == {"bags": 0, "seat": "none", "meal": "none", "insurance": False, "priority": False}
    assert (booking["card"], booking["fare"], booking["flights"][0]["to"]) == ("1111", "basic", "OSL")
    assert booking["reference"] in page(portal, "/trips/").text_content()


def test_steps_of_a_booking_cannot_be_left_out(portal):
    begin_flight(portal)
    assert portal.client.get("/book/1/payment/").headers["Location"] == "/book/1/passengers/"
    assert portal.client.get("/book/1/done/").status_code == 404
    assert portal.client.get("/book/2/passengers/").status_code == 404


def test_going_back_keeps_what_was_entered_and_never_the_code_of_the_card(portal):
    begin_flight(portal)
    send(portal, "/book/1/passengers/", **PERSON)
    send(portal, "/book/1/extras/", bags="2", seat="aisle", go="on")
    wrong = html.document_fromstring(send(portal, "/book/1/payment/", **{**CARD, "expiry": "x"}).content)
    assert wrong.cssselect("#card-number")[0].get("value") == CARD["card_number"]
    assert wrong.cssselect("#cvc")[0].get("value") == ""
    assert page(portal, "/book/1/passengers/").cssselect("#first-name-1")[0].get("value") == "Kim"
    assert page(portal, "/book/1/extras/").cssselect("#bags option[selected]")[0].get("value") == "2"


def test_insurance_is_chosen_unless_it_is_refused(portal):
    begin_flight(portal)
    send(portal, "/book/1/passengers/", **PERSON)
    assert page(portal, "/book/1/extras/").cssselect("#insurance[checked]")
    send(portal, "/book/1/extras/", go="update")
    assert not page(portal, "/book/1/extras/").cssselect("#insurance[checked]")


@pytest.mark.parametrize("field", ["first_name_1", "birth_date_1", "email", "phone"])
def test_who_travels_has_to_be_whole(portal, field):
    begin_flight(portal)
    shown = html.document_fromstring(send(portal, "/book/1/passengers/", **{**PERSON, field: ""}).content)
    assert [one.get("id") for one in shown.cssselect("[aria-invalid]")] == [field.replace("_", "-")]


def test_a_declined_card_books_nothing_and_paying_twice_books_once(portal):
    begin_flight(portal)
    send(portal, "/book/1/passengers/", **PERSON)
    send(portal, "/book/1/extras/", go="on")
    declined = send(portal, "/book/1/payment/", **{**CARD, "card_number": "4000 0000 0000 0002"})
    assert b"declined" in declined.content
    assert portal.told["bookings"] == []
    send(portal, "/book/1/payment/", **CARD)
    send(portal, "/book/1/payment/", **CARD)
    assert len(portal.told["bookings"]) == 1


def test_a_room_is_booked_with_its_nights(portal):
    hotel = hotels_of(0, "VIE")[0]
    stay = {"checkin": "2031-05-09", "checkout": "2031-05-12", "guests": "2"}
    assert (
        b"cannot be had" in portal.client.post("/book/stay/", {"hotel": hotel.slug, "room": "Single", **stay}).content
    )
    send(portal, "/book/stay/", hotel=hotel.slug, room="Double", **stay)
    send(portal, "/book/1/passengers/", **PERSON)
    send(portal, "/book/1/extras/", breakfast="on", arrival="after 22:00", go="on")
    send(portal, "/book/1/payment/", **CARD)
    (booking,) = portal.told["bookings"]
    assert booking["cents"] == hotel.cents_of("Double") * 3 + 1_400 * 2 * 3
    assert (booking["check_in"], booking["check_out"], booking["extras"]["protection"]) == (
        "2031-05-09",
        "2031-05-12",
        False,
    )


@pytest.mark.parametrize("offers", [[], ["LIS-OSL-20310514-99"], ["LIS-OSL-20200101-1"]])
def test_a_flight_that_is_not_on_sale_cannot_be_booked(portal, offers):
    assert portal.client.post("/book/flight/", {"offer": offers}).status_code == 404


def test_a_trip_is_given_back_with_a_reason_and_for_sure(portal):
    for fields in ({}, {"reason": "Illness"}, {"sure": "on"}, {"sure": "on", "reason": "Because"}):
        send(portal, "/trips/DW2077/cancel/", **fields)
        assert portal.told["trips"]["DW2077"]["status"] == "confirmed"
    send(portal, "/trips/DW2077/cancel/", reason="Illness", sure="on")
    told = portal.told["trips"]["DW2077"]
    assert (told["status"], told["reason"], told["refund"]) == ("cancelled", "Illness", told["cents"])
    assert portal.client.get("/trips/DW2077/change/").status_code == 404


def test_another_date_is_shown_with_its_cost_before_it_is_booked(portal):
    offered = html.document_fromstring(send(portal, "/trips/DW2102/change/", date="9 June 2031").content)
    assert "€45" in offered.cssselect("#offer")[0].text_content()
    assert portal.told["trips"]["DW2102"]["changes"] == 0
    send(portal, "/trips/DW2102/change/", date="2031-06-09", confirm="on", step="confirm")
    assert portal.told["trips"]["DW2102"]["flights"][0]["date"] == "2031-06-09"


@pytest.mark.parametrize("wrong", ["", "soon", "2031-03-02", "2032-06-01", "2031-06-02"])
def test_a_date_that_cannot_be_had_changes_nothing(portal, wrong):
    shown = html.document_fromstring(send(portal, "/trips/DW2102/change/", date=wrong, confirm="on").content)
    assert shown.cssselect("#date-problem")
    assert portal.told["trips"]["DW2102"]["changes"] == 0


def test_a_search_is_saved_under_a_name_and_deleted(portal):
    query = FLIGHTS.partition("?")[2] + "&stops=0"
    send(portal, "/saved/add/", kind="flights", query=query, name="Oslo", alert="on", alert_below="150")
    (saved,) = portal.told["searches"]
    assert (saved["name"], saved["to"], saved["most_stops"], saved["alert_below"]) == ("Oslo", "OSL", 0, 150)
    send(portal, "/saved/", delete=page(portal, "/saved/").cssselect(".delete")[0].get("value"))
    assert portal.told["searches"] == []


def test_a_hotel_goes_on_the_shortlist_and_off_it(portal):
    slug = page(portal, HOTELS).cssselect("[data-hotel]")[0].get("data-hotel")
    send(portal, "/shortlist/", hotel=slug)
    assert [hotel["city"] for hotel in portal.told["shortlist"]] == ["VIE"]
    send(portal, "/shortlist/", hotel=slug)
    assert portal.told["shortlist"] == []


def test_preferences_are_where_searches_and_bookings_begin(portal):
    several = html.document_fromstring(send(portal, "/account/preferences/", home="San Jose").content)
    assert "Costa Rica" in several.cssselect("#home-problem")[0].text
    send(portal, "/account/preferences/", home="SJO", seat="aisle", meal="vegan", time_format="12h")
    assert page(portal, "/").cssselect("#from")[0].get("value") == "San José (SJO)"
    assert page(portal, FLIGHTS).cssselect(".times strong")[0].text.endswith("m")
    begin_flight(portal)
    send(portal, "/book/1/passengers/", **PERSON)
    assert page(portal, "/book/1/extras/").cssselect("#seat option[selected]")[0].get("value") == "aisle"


def test_an_unknown_address_says_so_in_the_portals_words(portal):
    assert "no such page" in page(portal, "/nothing/", 404).text_content()
    with visit("travel", variant=MOVED, token="episode-2") as moved:  # noqa: S106 - a name
        assert page(moved, "/nothing/", 404).cssselect("#nav-saved")[0].get("href") == "/watchlist/"
    assert "no such hotel" in page(portal, "/hotels/vie-0000/", 404).text_content()

"""The shop's pages: what can be found, bought, changed, and what is refused in words."""

from __future__ import annotations

import re
import threading

import pytest
from django.http import QueryDict

from tests.sites.visits import visit
from turkle_app.sites.shop.assortment import CATEGORIES, assortment
from turkle_app.sites.shop.finding import Wish, facets, found
from turkle_app.sites.shop.prices import totals
from turkle_app.sites.shop.stock import fixed_kinds

JACKET = "/product/kestrel-packable-jacket/"
CHOSEN = {"colour": "Blue", "size": "L", "quantity": "1", "do": "add"}


@pytest.fixture
def shop():
    with visit("shop") as begun:
        yield begun


def names(query: str, seed: int = 0) -> list[str]:
    return [product.name for product in found(assortment(seed).goods, Wish.read(QueryDict(query)))]


def test_there_are_goods_in_each_category_and_a_seed_changes_those_that_no_task_counts_on():
    one, other = assortment(0), assortment(1)
    assert len(one.goods) >= 150
    assert len(one.by_slug) == len(one.goods)
    assert {product.category for product in one.goods} == set(CATEGORIES)
    fixed = {product.slug: product.price for product in one.goods if product.kind in fixed_kinds()}
    assert fixed == {product.slug: product.price for product in other.goods if product.kind in fixed_kinds()}
    assert set(one.by_slug) != set(other.by_slug)
    assert [product.slug for product in assortment.__wrapped__(1).goods] == [product.slug for product in other.goods]


def test_a_search_finds_plurals_and_beginnings_and_puts_what_is_named_so_first():
    assert len(names("q=kettles")) == 5
    assert names("q=storm jack") == ["Fellway Storm Jacket"]
    waterproof = names("q=waterproof")
    assert "Fellway Storm Jacket" in waterproof
    assert names("q=city backpack")[0] == "Fellway City Backpack"
    assert names("q=no such thing") == []


def test_filters_cut_and_each_shows_what_the_others_leave():
    query = "q=rain+jacket&colour=Blue&rating=4&sort=price"
    assert names(query) == ["Kestrel Packable Jacket", "Marsh & Vale Fisherman Jacket", "Fellway Storm Jacket"]
    assert names(f"{query}&max=80") == ["Kestrel Packable Jacket", "Marsh & Vale Fisherman Jacket"]
    assert names(f"{query}&min=100") == ["Fellway Storm Jacket"]
    assert names("kind=Kettles&kind=Tents&brand=Osterby") == ["Osterby Stove Kettle 2.0 l"]
    by_name = {each.name: each for each in facets(assortment(0).goods, Wish.read(QueryDict(query)))}
    counts = {each.value: (each.count, each.chosen) for each in by_name["colour"].values}
    assert counts["Blue"] == (3, True)
    assert counts["Navy"] == (1, False)  # the coat, which the chosen colour hides in the list


@pytest.mark.parametrize(("sort", "first"), [("price", "Tidewell Travel Kettle 0.5 l"), ("price-down", "Brookfield G")])
def test_what_is_found_is_sorted_as_it_is_wanted(sort: str, first: str):
    assert names(f"q=kettle&sort={sort}")[0].startswith(first)


@pytest.mark.parametrize("query", ["min=nan", "max=-1&page=900", "sort=upside&rating=x&category=none", "q=%00%ff"])
def test_an_address_that_makes_no_sense_is_passed_over(shop, query: str):
    assert shop.client.get(f"/search/?{query}").status_code == 200


def test_pages_lead_to_each_other_and_keep_the_filters(shop):
    first = shop.client.get("/search/?q=&brand=Linden&brand=Osterby").content.decode()
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following
    assert "brand=Linden&amp;brand=Osterby&amp;page=2" in following[1]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"colour": ""}, "choose a colour"),
        ({"colour": "Pink"}, "choose a colour"),
        ({"size": ""}, "choose a size"),
        ({"quantity": "0"}, "1 to 20 pieces"),
        ({"quantity": "21"}, "1 to 20 pieces"),
        ({"quantity": "two"}, "1 to 20 pieces"),
    ],
)
def test_a_product_without_its_choices_does_not_get_into_the_cart(shop, sent, words):
    answer = shop.client.post(JACKET, CHOSEN | sent)
    assert (answer.status_code, shop.told["cart"]) == (400, [])
    assert words in answer.content.decode()


def test_the_same_choice_again_makes_a_line_larger_and_another_makes_another(shop):
    for sent in (CHOSEN, CHOSEN, CHOSEN | {"size": "M"}):
        shop.client.post(JACKET, sent)
    assert [(line["size"], line["quantity"]) for line in shop.told["cart"]] == [("L", 2), ("M", 1)]
    shop.client.post("/cart/", {"do": "quantity", "line": "1", "quantity": "5"})
    shop.client.post("/cart/", {"do": "remove", "line": "0"})
    assert [(line["size"], line["quantity"]) for line in shop.told["cart"]] == [("M", 5)]
    assert shop.client.post("/cart/", {"do": "remove", "line": "7"}).status_code == 400


def test_coupons_count_if_they_are_known_and_enough_is_bought(shop):
    assert totals(10_000, "TEATIME20", "standard").total == 8_000
    assert totals(4_000, "HILL5", "express").total == 5_290
    assert totals(5_200, "WELCOME10", "standard").total == 5_170  # below what is delivered free, once it is taken off
    shop.client.post("/product/farm-animals-24-pieces/", {"quantity": "1", "do": "add"})
    for code, status in (("none", 400), ("hill5", 400), (" welcome10 ", 302)):
        assert shop.client.post("/cart/", {"do": "coupon", "coupon": code}).status_code == status
    assert shop.told["coupon"] == "WELCOME10"


def test_a_step_of_the_checkout_leads_back_to_the_first_that_is_missing(shop):
    assert shop.client.get("/checkout/review/")["Location"] == "/cart/"
    shop.client.post(JACKET, CHOSEN)
    assert shop.client.get("/checkout/review/")["Location"] == "/checkout/address/"
    shop.client.post("/checkout/address/", {"address": "2"})
    assert shop.client.get("/checkout/payment/")["Location"] == "/checkout/delivery/"
    assert len(shop.told["orders"]) == 3


CARD = {
    "payment": "card",
    "card_number": "4000 0000 0000 0077",
    "card_name": "Mara Quinn",
    "card_expiry": "12/30",
    "card_code": "123",
}


def to_payment(shop) -> None:
    shop.client.post(JACKET, CHOSEN)
    shop.client.post("/checkout/address/", {"address": "2"})
    shop.client.post("/checkout/delivery/", {"delivery": "express", "gift": "yes", "gift_note": "For you"})


@pytest.mark.parametrize(
    "wrong",
    [
        {"card_number": "4000 0000 0000 0078"},
        {"card_number": "4000"},
        {"card_name": " "},
        {"card_expiry": "13/30"},
        {"card_expiry": "01/20"},
        {"card_code": "12"},
        {"payment": "shells"},
    ],
)
def test_a_card_that_cannot_be_is_refused_and_what_was_entered_is_kept(shop, wrong):
    to_payment(shop)
    answer = shop.client.post("/checkout/payment/", CARD | wrong)
    assert answer.status_code == 400
    assert shop.client.get("/checkout/review/")["Location"] == "/checkout/payment/"


def test_an_order_holds_what_was_entered_in_the_steps_and_empties_the_cart(shop):
    to_payment(shop)
    shop.client.post("/checkout/payment/", CARD)
    assert shop.client.post("/checkout/review/", {}).status_code == 400
    assert shop.client.post("/checkout/review/", {"terms": "yes"})["Location"] == "/checkout/done/HH-10464/"
    order = shop.told["orders"][0]
    assert (order["delivery"], order["gift_note"], order["payment"]) == ("express", "For you", "Card ending in 0077")
    assert (order["address"]["label"], order["total"]) == ("Office", 6990 + 1290)
    assert shop.told["cart"] == []
    assert shop.client.get("/checkout/review/")["Location"] == "/cart/"


def test_a_new_address_of_the_checkout_is_checked_and_kept(shop):
    shop.client.post(JACKET, CHOSEN)
    sent = {"address": "new", "label": "Boat", "name": "N", "street": "Pier 4", "city": "Dunhaven", "postcode": "D1"}
    assert shop.client.post("/checkout/address/", sent).status_code == 400  # no country
    assert shop.client.post("/checkout/address/", sent | {"country": "Ireland"}).status_code == 302
    assert shop.told["addresses"][2]["label"] == "Boat"


def test_only_what_was_delivered_goes_back_and_not_twice(shop):
    assert shop.client.get("/account/orders/HH-10447/return/").status_code == 404
    sent = {"product": "halden-clip-lamp", "quantity": "2", "reason": "Wrong size"}
    for reason, status in (("", 400), ("Wrong size", 302), ("Wrong size", 400)):
        answer = shop.client.post("/account/orders/HH-10433/return/", sent | {"reason": reason})
        assert answer.status_code == status
    assert [(each["product"], each["quantity"]) for each in shop.told["returns"]] == [("halden-clip-lamp", 2)]


def test_an_order_that_was_sent_cannot_be_changed(shop):
    for number, status in (("HH-10433", 400), ("HH-10447", 302), ("HH-10447", 400)):
        assert shop.client.post(f"/account/orders/{number}/", {"do": "cancel"}).status_code == status


def test_the_usual_address_cannot_be_deleted(shop):
    shop.client.post("/account/addresses/", {"address": "1", "do": "delete"})
    assert len(shop.told["addresses"]) == 2
    shop.client.post("/account/addresses/", {"address": "2", "do": "default"})
    shop.client.post("/account/addresses/", {"address": "1", "do": "delete"})
    assert [each["label"] for each in shop.told["addresses"]] == ["Office"]


def test_settings_are_checked_and_kept(shop):
    sent = {"name": "New Name", "email": "new@mail.example", "language": "Deutsch", "order_mails": "yes"}
    assert shop.client.post("/account/settings/", sent | {"email": "nobody"}).status_code == 400
    shop.client.post("/account/settings/", sent)
    settings = shop.told["settings"]
    assert (settings["language"], settings["order_mails"], settings["newsletter"]) == ("Deutsch", True, False)


@pytest.mark.claim("sites-bounded")
def test_a_state_has_a_bound_whatever_is_done(shop):
    address = {"label": "A", "name": "N", "street": "S", "city": "C", "postcode": "P", "country": "Ireland"}
    for _ in range(30):
        shop.client.post("/account/addresses/new/", address)
    for product in assortment(0).goods:
        sent = {"colour": (*product.colours, "")[0], "size": (*product.sizes, "")[0], "quantity": "1", "do": "add"}
        shop.client.post(f"/product/{product.slug}/", sent)
    assert (len(shop.told["addresses"]), len(shop.told["cart"])) == (20, 40)


def test_what_is_entered_is_shown_as_text_and_never_as_a_page(shop):
    hostile = "<script>alert(1)</script>"
    assert hostile not in shop.client.get("/search/", {"q": hostile}).content.decode()
    address = {"label": hostile, "name": "N", "street": "S", "city": "C", "postcode": "P", "country": "Ireland"}
    shop.client.post("/account/addresses/new/", address)
    assert hostile not in shop.client.get("/account/addresses/").content.decode()
    assert shop.told["addresses"][2]["label"] == hostile


@pytest.mark.claim("sites-apart")
def test_requests_at_once_lose_nothing_and_mix_nothing_up():
    with visit("shop", 0, "", "episode-one") as one, visit("shop", 0, "", "episode-two") as two:
        pairs = [(one, "S"), (one, "M"), (two, "L"), (two, "XL")]
        begin = threading.Barrier(len(pairs))

        def add(shop, size: str) -> None:
            begin.wait(10)
            for _ in range(5):
                shop.client.post(JACKET, CHOSEN | {"size": size})

        threads = [threading.Thread(target=add, args=pair) for pair in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert {line["size"]: line["quantity"] for line in one.told["cart"]} == {"S": 5, "M": 5}
        assert {line["size"]: line["quantity"] for line in two.told["cart"]} == {"L": 5, "XL": 5}

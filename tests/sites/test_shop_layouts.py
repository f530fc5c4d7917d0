"""The shop's other layout: every difference that it lists is there, and the shop works in both."""

from __future__ import annotations

import pytest
from lxml import html

from tests.sites.visits import Visit, visit
from turkle_app.sites.shop.layouts import CHANGES

CHOSEN = {"colour": "Black", "quantity": "1", "do": "add"}


def prepared(shop: Visit, cart: str) -> None:
    """Something in the cart, and the first steps of a checkout done, so that each page can be seen."""
    shop.client.post("/product/brookfield-electric-kettle-1-7-l/", CHOSEN)
    assert shop.client.get(cart).status_code == 200
    shop.client.post("/checkout/address/", {"address": "1"})
    shop.client.post("/checkout/delivery/", {"delivery": "standard"})


def finds(shop: Visit, page: str, css: str) -> list[str]:
    """The words of what a selector finds on a page; nothing if there is no such page."""
    answer = shop.client.get(page)
    document = html.document_fromstring(answer.content.decode())
    return (
        [" ".join(each.text_content().split()) for each in document.cssselect(css)] if answer.status_code == 200 else []
    )


@pytest.fixture(scope="module")
def layouts():
    with visit("shop", 0, "", "usual-one") as usual, visit("shop", 0, "moved", "moved-one") as moved:
        prepared(usual, "/cart/")
        prepared(moved, "/basket/")
        yield usual, moved


@pytest.mark.parametrize("change", CHANGES["moved"], ids=lambda change: f"{change.kind} {change.before}")
def test_a_planted_change_is_where_it_is_said_to_be(layouts, change):
    usual, moved = layouts
    before, after = (
        finds(usual, change.page, change.before),
        finds(moved, change.page_after or change.page, change.after),
    )
    assert (len(before), len(after)) == (1, 1)
    if change.text:
        assert (after[0], before[0] == change.text) == (change.text, False)
    else:
        assert finds(moved, change.page, change.before) == []


def test_there_is_a_change_of_each_kind():
    assert {change.kind for change in CHANGES["moved"]} == {
        "renamed",
        "relabelled",
        "moved",
        "reordered",
        "readdressed",
    }


def test_in_the_other_layout_the_newsletter_is_stopped_on_the_accounts_first_page(layouts):
    _, moved = layouts
    sent = {"name": "N", "email": "a@b.example", "language": "English"}
    moved.client.post("/account/settings/", sent)
    assert moved.told["settings"]["newsletter"] is True  # no box of it is there
    moved.client.post("/account/", {})
    assert moved.told["settings"]["newsletter"] is False


def test_in_the_usual_layout_the_accounts_first_page_changes_nothing(layouts):
    usual, _ = layouts
    usual.client.post("/account/", {})
    assert usual.told["settings"]["newsletter"] is True


def test_both_layouts_begin_with_the_same_state():
    with visit("shop", 5, "", "usual-two") as usual, visit("shop", 5, "moved", "moved-two") as moved:
        assert usual.told == moved.told

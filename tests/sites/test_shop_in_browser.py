"""The shop in a real browser: what its script shows, and what no script sees."""

from __future__ import annotations

import pytest

from tests.site import in_page
from tests.sites.maintenance.planted import CATALOG
from tests.sites.served import begin, replay_task, site_browser


@pytest.fixture(scope="module")
def session():
    with site_browser("shop") as live:
        yield live


@pytest.mark.slow
def test_in_the_other_layout_a_trace_ends_where_its_element_is_gone(session):
    replay = replay_task(session, CATALOG.task("Shop - Put a kettle into the cart"), seed=0, variant="moved")
    assert "#results a" in replay.error
    assert replay.told["cart"] == []


def test_fields_are_shown_once_their_choice_is_made(session):
    state = begin(session, "shop")
    state.add(state.goods.by_slug["farm-animals-24-pieces"], "", "", 1)
    state.draft.address, state.draft.delivery = 1, "standard"
    session.site.open("http://shop.test/checkout/payment/")
    shown = "document.getElementById('card-number').checkVisibility()"
    assert in_page(session.site, shown) is False
    assert in_page(session.site, f"document.querySelector('[value=card]').click(); {shown}") is True


@pytest.mark.claim("sites-token")
def test_no_script_of_a_page_reads_the_token_of_its_episode(session):
    begin(session, "shop")
    session.site.open("http://shop.test/")
    assert in_page(session.site, "document.cookie") == ""
    assert in_page(session.site, "document.querySelector('h1').textContent").startswith("For the first cup")

"""The scripts of the travel portal in Chromium, and other ways to the goals of its tasks than the traces."""

from __future__ import annotations

import pytest

from harness.catalog.trace import ElementMark, Trace, TraceStep
from tests.sites.maintenance.planted import CATALOG
from tests.sites.served import replay_task, site_browser


@pytest.fixture(scope="module")
def session():
    with site_browser("travel") as live:
        yield live


def click(css):
    return TraceStep(do="click", element=ElementMark(css=css))


def fill(css, text):
    return TraceStep(do="fill", element=ElementMark(css=css), value=text)


def press(*keys):
    return [TraceStep(do="press", value=key) for key in keys]


def another_way(session, name, *steps, variant=""):
    task = CATALOG.task(f"Travel - {name}")
    trace = Trace(goal="", start="", steps=steps)
    return replay_task(session, task, seed=0, variant=variant, trace=trace)


@pytest.mark.slow
def test_a_search_is_done_by_keyboard_and_saved(session):
    replay = another_way(
        session,
        "Search with a price alert",
        click("#accept-all"),
        click("#trip-oneway"),
        fill("#to", "osl"),
        TraceStep(do="hover", element=ElementMark(css="#to-options [data-code='OSL']")),  # the list has come
        *press("ArrowDown", "Enter"),
        click("#depart-open"),
        *press("PageDown", "PageDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"),
        click("#search-button"),
        click("#letter-close"),
        click("#orders [data-order='price']"),
        click("#stops-0"),
        click("#apply-filters"),
        fill("#save-name", "Oslo in May"),
        click("#save-alert"),
        fill("#alert-below", "150"),
        click("#save-button"),
    )
    assert replay.error == ""
    assert replay.evaluations["key_nodes"].success
    assert replay.evaluations["final_state"].success


def test_a_trip_that_is_opened_by_its_card_reaches_the_goal_and_not_every_key_node(session):
    replay = another_way(
        session,
        "Dublin a week later",
        click("#only-necessary"),
        click("#next-trip"),
        click("#change-trip"),
        fill("#date", "25/04/2031"),
        click("#check-date"),
        click("#confirm"),
        click("#confirm-change"),
    )
    assert replay.error == ""
    assert replay.evaluations["final_state"].success
    missed = [part.score for part in replay.evaluations["key_nodes"].parts]
    assert missed == [0, 1, 1]
    assert "disagree" in CATALOG.task("Travel - Dublin a week later").facts.known_issues[0]


def test_the_wrong_city_of_a_name_meets_the_goal_in_nothing(session):
    replay = another_way(
        session,
        "A hotel with a pool for the shortlist",
        click("#only-necessary"),
        click("#tab-hotels"),
        fill("#place", "granada"),
        click("#place-options [data-code='MGA']"),
        fill("#checkin", "2031-06-12"),
        fill("#checkout", "2031-06-15"),
        click("#search-button"),
        click("#letter-no"),
        click("#results > li:first-child .heart"),
    )
    assert replay.error == ""
    assert [part.score for part in replay.evaluations["key_nodes"].parts] == [0, 1, 1]
    assert not replay.evaluations["final_state"].success


def test_a_dialog_has_to_be_answered_before_anything_behind_it_can_be_pressed(session):
    replay = another_way(session, "Weight of a cabin bag", click("#nav-help"))
    assert "covered" in replay.error or "behind" in replay.error or "cannot be" in replay.error
    assert not replay.told["consent"]["answered"]


def test_a_day_before_today_cannot_be_chosen_and_today_can(session):
    name = "Search with a price alert"
    opened = (click("#accept-all"), click("#depart-open"))
    assert another_way(session, name, *opened, click("[data-date='2031-03-03']")).error == ""
    assert "2031-03-02" in another_way(session, name, *opened, click("[data-date='2031-03-02']")).error


@pytest.mark.slow
def test_in_the_variant_a_trace_stops_where_a_change_is_planted(session):
    task = CATALOG.task("Travel - The card is declined")
    replay = replay_task(session, task, seed=0, variant="moved")
    assert "'#depart'" in replay.error
    assert "no such element" in replay.error


def test_in_the_variant_the_goal_can_be_reached_by_who_looks(session):
    replay = another_way(
        session,
        "Home airport in Costa Rica",
        click("#only-necessary"),
        click("#foot-preferences"),
        fill("#home", "SJO"),
        TraceStep(do="select_option", element=ElementMark(css=".first #seat"), value="Aisle"),
        click("#keep-preferences"),
        variant="moved",
    )
    assert replay.error == ""
    assert replay.evaluations["final_state"].success

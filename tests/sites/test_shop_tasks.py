"""The tasks on the shop: where evaluators disagree."""

from __future__ import annotations

import pytest

from harness.catalog.trace import ElementMark, TraceStep
from harness.records.site_record import Evaluation
from tests.sites.maintenance.planted import CATALOG
from tests.sites.trace_player import evaluated


def said_of(name: str, *steps: TraceStep) -> dict[str, Evaluation]:
    task = CATALOG.task(name)
    return evaluated(task.site_of(task.pages[0]), steps)


def step(do: str, css: str, value: str = "") -> TraceStep:
    return TraceStep(do=do, element=ElementMark(css=css), value=value)  # type: ignore[arg-type]


def test_the_right_jacket_without_the_filters_is_a_final_state_whose_key_nodes_were_not_met():
    name = "Shop - A rain jacket within limits"
    assert "Key nodes and final state disagree" in CATALOG.facts(name).known_issues[0]
    said = said_of(
        name,
        step("fill_search", "input[name='q']", "packable"),
        step("click", "#results a[href='/product/kestrel-packable-jacket/']"),
        step("click", ".buy input[name='colour'][value='Blue']"),
        step("select_option", "select#size", "L"),
        step("click", "#add-to-cart"),
    )
    assert said["final_state"].success is True
    assert said["key_nodes"].score == pytest.approx(3 / 5)


def test_an_address_that_is_changed_into_the_new_one_is_a_final_state_whose_key_nodes_were_not_met():
    name = "Shop - Move house"
    assert CATALOG.facts(name).known_issues
    fields = {"label": "New home", "name": "Noor Vermeer", "street": "12 Orchard Way", "city": "Kilmarra"}
    said = said_of(
        name,
        step("click", "nav.own a[href='/account/']"),
        step("click", "#account-menu a[href='/account/addresses/']"),
        step("click", "a[href='/account/addresses/1/']"),
        *(step("fill", f"#{field}", value) for field, value in (fields | {"postcode": "KM4 9XY"}).items()),
        step("click", "#save-address"),
        step("click", "#account-menu a[href='/account/orders/']"),
        step("click", "a[href='/account/orders/HH-10447/']"),
        step("select_option", "select#to", "New home: 12 Orchard Way, Kilmarra"),
        step("click", "#change-address"),
    )
    assert said["final_state"].success is True
    assert said["key_nodes"].score == pytest.approx(3 / 5)


def test_an_undone_action_keeps_its_nodes_and_loses_the_final_state():
    task = CATALOG.task("Shop - Save a tent for later")
    undo = (
        step("click", "nav.own a[href='/account/wish-list/']"),
        step("click", "li[data-product='kestrel-ultralight-tent-for-1'] button[value='remove']"),
    )
    said = said_of(task.name, *task.trace_of(task.pages[0]).steps, *undo)
    assert (said["key_nodes"].success, said["final_state"].success) == (True, False)

"""Final state: conditions on what a site tells of itself."""

from __future__ import annotations

from typing import Any

import pytest

from harness.catalog.site_facts import Condition
from harness.scoring.evaluators.final_state import WrongPointer, at_pointer, holds
from tests.scoring.evaluators.made import Recording, site

STATE: dict[str, Any] = {
    "cart": [],
    "orders": [{"total": 1999, "lines": [{"sku": "a1", "count": 2}], "paid": True, "at": "2031-05-02"}],
    "name": "Ann Lee",
    "a/b": {"~": 1, "": 2},
    "none": None,
}


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", (True, STATE)),
        ("/orders/0/total", (True, 1999)),
        ("/orders/0/lines/0/sku", (True, "a1")),
        ("/a~1b/~0", (True, 1)),
        ("/a~1b/", (True, 2)),
        ("/none", (True, None)),
        ("/orders/1", (False, None)),
        ("/orders/-", (False, None)),
        ("/orders/00", (False, None)),
        ("/orders/total", (False, None)),
        ("/name/0", (False, None)),
    ],
)
def test_pointer_leads_to_its_place(pointer: str, found: tuple[bool, Any]):
    assert at_pointer(STATE, pointer) == found


def test_pointer_begins_with_a_slash():
    with pytest.raises(WrongPointer, match="orders"):
        at_pointer(STATE, "orders")


@pytest.mark.parametrize(
    ("at", "how", "value", "is_so"),
    [
        ("/orders/0/total", "is", 1999, True),
        ("/orders/0/total", "is", 1999.0, True),
        ("/orders/0/total", "is", "1999", False),
        ("/orders/0/paid", "is", True, True),
        ("/orders/0/paid", "is", 1, False),
        ("/orders/0/lines", "is", [{"count": 2, "sku": "a1"}], True),
        ("/orders/0/lines", "is", [{"sku": "a1"}], False),
        ("/none", "is", None, True),
        ("/absent", "is", None, False),
        ("/name", "is_not", "Bob", True),
        ("/name", "is_not", "Ann Lee", False),
        ("/absent", "is_not", "Bob", False),
        ("/name", "contains", "Lee", True),
        ("/name", "contains", "lee", False),
        ("/orders", "contains", {"total": 1999}, True),
        ("/orders", "contains", {"total": 1999, "lines": [{"sku": "a1", "count": 2}]}, True),
        ("/orders", "contains", {"total": 1998}, False),
        ("/orders", "contains", {"other": None}, False),
        ("/orders/0", "contains", "paid", True),
        ("/orders/0/total", "contains", 1, False),
        ("/name", "lacks", "Bob", True),
        ("/name", "lacks", "Ann", False),
        ("/cart", "lacks", "a1", True),
        ("/absent", "lacks", "a1", False),
        ("/orders/0/total", "lacks", 7, False),
        ("/orders/0/total", "at_least", 1999, True),
        ("/orders/0/total", "at_least", 2000, False),
        ("/orders/0/total", "at_most", 1999, True),
        ("/orders/0/total", "at_most", 1998, False),
        ("/orders/0/at", "at_least", "2031-05-01", True),
        ("/orders/0/at", "at_most", "2031-05-01", False),
        ("/orders/0/total", "at_least", "1", False),
        ("/orders/0/paid", "at_least", 0, False),
        ("/cart", "count", 0, True),
        ("/orders", "count", 1, True),
        ("/orders", "count", 2, False),
        ("/name", "count", 7, False),
        ("/absent", "count", 0, False),
        ("/none", "exists", None, True),
        ("/absent", "exists", None, False),
        ("/absent", "absent", None, True),
        ("/none", "absent", None, False),
    ],
)
def test_condition_holds(at: str, how: Any, value: Any, is_so: bool):
    assert holds(Condition(at=at, how=how, value=value), STATE) is is_so


TWO = (Condition(at="/cart", how="count", value=0), Condition(at="/orders", how="count", value=1))


@pytest.mark.parametrize(
    ("state", "score", "why"),
    [
        ({"cart": [], "orders": [1]}, 1.0, "2 of 2 conditions hold"),
        ({"cart": [], "orders": []}, 0.0, "1 of 2 conditions hold"),
        ({}, 0.0, "0 of 2 conditions hold"),
        (None, None, "the state of the site is not known"),
    ],
)
def test_all_conditions_have_to_hold(state: Any, score: float | None, why: str):
    (found,) = Recording().evaluated(site(final_state=TWO), state=state, state_before={"cart": [], "orders": []})
    assert (found.score, found.success, found.floor, found.why) == (
        score,
        None if score is None else score == 1,
        0,
        why,
    )


def test_floor_is_one_where_nothing_has_to_be_done_and_unknown_without_a_first_state():
    done = {"cart": [], "orders": [1]}
    (one,) = Recording().evaluated(site(final_state=TWO), state=done, state_before=done)
    (other,) = Recording().evaluated(site(final_state=TWO), state=done)
    assert (one.floor, other.floor) == (1.0, None)


def test_parts_say_what_was_found():
    (found,) = Recording().evaluated(site(final_state=(*TWO, Condition(at="/x", how="exists"))), state={"cart": [1]})
    assert [(part.name, part.score, part.why) for part in found.parts] == [
        ("/cart count 0", 0.0, "it is [1]"),
        ("/orders count 1", 0.0, "there is nothing"),
        ("/x exists", 0.0, "there is nothing"),
    ]


def test_condition_with_a_wrong_pointer_is_unknown():
    (found,) = Recording().evaluated(site(final_state=(Condition(at="cart", how="exists"),)), state={"cart": []})
    assert (found.score, found.success) == (None, None)
    assert "'cart' is no JSON pointer" in found.parts[0].why

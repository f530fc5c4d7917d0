"""Which key nodes a step suggests."""

from __future__ import annotations

import pytest

from harness.catalog.trace import ElementMark, TraceStep
from harness.scoring.evaluators.proposals import proposals
from tests.scoring.evaluators.made import Recording

HOME = "http://shop.test/"
FIELD = ElementMark(css="#q", tag="input")
BUTTON = ElementMark(css="#add", tag="button", text="Add to cart")


def brief(step: TraceStep, after: str = "", held: str | None = None) -> list[tuple[str, str, str, str]]:
    """Target, match, key and reference of what a step suggests, in order."""
    found = (each.node for each in proposals(step, after, held))
    return [(node.target, node.match, node.key, node.reference) for node in found]


def test_search_suggests_the_key_of_the_address_that_holds_what_was_written() -> None:
    step = TraceStep(do="fill_search", element=FIELD, value="red shoes", url=HOME)
    found = brief(step, f"{HOME}search/?page=1&q=red+shoes", "red shoes")
    assert found[0] == ("url", "exact", "q", "red shoes")
    assert ("url", "exact", "page", "1") in found


def test_press_that_leads_on_suggests_the_page_before_the_element() -> None:
    step = TraceStep(do="click", element=BUTTON, url=HOME)
    found = brief(step, f"{HOME}cart/")
    assert found[0] == ("url", "include", "", "shop.test/cart/")
    assert found.index(("url", "exact", "", f"{HOME}cart/")) < found.index(("element_path", "exact", "", "#add"))


def test_press_that_leads_nowhere_suggests_the_element() -> None:
    assert brief(TraceStep(do="click", element=BUTTON, url=HOME), HOME)[0] == ("element_path", "exact", "", "#add")


def test_what_was_written_suggests_what_the_element_holds_exactly_and_in_part_and_by_meaning() -> None:
    found = brief(TraceStep(do="fill", element=FIELD, value="Ann", url=HOME), HOME, "Ann")
    assert found[:2] == [("element_value", "exact", "", "Ann"), ("element_value", "include", "", "Ann")]
    assert [match for target, match, *_ in found if target == "element_value"] == ["exact", "include", "semantic"]


def test_what_nobody_may_know_suggests_no_value() -> None:
    found = brief(TraceStep(do="fill", element=FIELD, value="(not recorded)", url=HOME), HOME, None)
    assert {target for target, *_ in found} == {"element_path"}


def test_key_that_the_address_had_before_is_not_suggested() -> None:
    step = TraceStep(do="click", element=BUTTON, url=f"{HOME}search/?q=hats")
    assert [key for _, _, key, _ in brief(step, f"{HOME}search/?q=hats&sort=price") if key] == ["sort", "sort"]


def test_an_address_that_is_none_is_no_error() -> None:
    assert brief(TraceStep(do="go_back", url="http://["), "http://[") is not None


def test_each_proposal_says_why_and_where_it_was_recorded() -> None:
    step = TraceStep(do="fill_search", element=FIELD, value="hats", url=HOME)
    found = proposals(step, f"{HOME}?q=hats", "hats")
    assert all(each.why and each.node.url for each in found)


@pytest.mark.parametrize(
    "after",
    [
        "http://shop.test/a%20b/?q=caf%C3%A9+au+lait&x=100%25&y=%2541",
        "http://shop.test/%2541/",
        "http://shop.test/#/cart/2",
    ],
)
def test_every_suggested_address_is_met_by_the_step_itself(after: str) -> None:
    step = TraceStep(do="click", element=BUTTON, url=HOME)
    for each in proposals(step, after, None):
        if each.node.target == "url" and each.node.match != "semantic":
            assert Recording().shows(after).part(each.node).score == 1.0, each

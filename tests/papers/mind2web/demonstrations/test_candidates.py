"""Acceptable elements are those that have the effect of the one that was acted on; the others are what is left."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from harness.papers.mind2web.demonstrations.demonstration import Candidate
from harness.papers.mind2web.demonstrations.making import candidates_of
from harness.papers.mind2web.demonstrations.page_tree import UnreadablePage
from tests.papers.mind2web.demonstrations.pages import HIDDEN, a_page, an_element


def ids(candidates: Iterable[Candidate]) -> list[str]:
    return [each.backend_node_id for each in candidates]


BUTTON = an_element(
    "button",
    4,
    an_element("span", 5, "Search", box="20,110,50,20")
    + an_element("span", 6, "3", box="190,90,30,30")
    + an_element("span", 7, "new", box=HIDDEN),
    box="10,100,200,40",
    said='class="big" style="color: red" aria-label="Find"',
)
PAGE = a_page(an_element("div", 3, BUTTON + an_element("a", 10, "Help", said='href="/help"'), box="0,0,500,500"))


def test_the_nearest_clickable_element_and_what_is_seen_in_its_box_are_acceptable() -> None:
    positives, negatives = candidates_of(PAGE, "5")

    assert ids(positives) == ["4", "5"]
    assert [each.is_top_level_target for each in positives] == [True, False]
    assert [each.is_original_target for each in positives] == [False, True]
    # What sticks out of the box is not acceptable, what is not seen is no candidate, nor is the page as a whole.
    assert ids(negatives) == ["3", "6", "10"]
    assert {each.is_original_target for each in negatives} == {None}


def test_the_target_may_be_the_outermost_itself() -> None:
    positives, _ = candidates_of(PAGE, "4")

    assert [(each.backend_node_id, each.is_original_target, each.is_top_level_target) for each in positives] == [
        ("4", True, True),
        ("5", False, False),
    ]


def test_a_candidate_has_the_attributes_that_mean_something_with_class_and_box() -> None:
    positives, _ = candidates_of(PAGE, "4")

    assert positives[0].tag == "button"
    assert positives[0].attributes == {
        "backend_node_id": "4",
        "bounding_box_rect": "10,100,200,40",
        "class": "big",
        "aria-label": "Find",
    }


def test_a_fraction_of_a_pixel_sticks_out_of_no_box() -> None:
    page = a_page(an_element("a", 3, an_element("b", 4, "x", box="9.6,0,10.8,20"), box="10,0,10,20", said='href="/"'))

    assert ids(candidates_of(page, "3")[0]) == ["3", "4"]


def test_a_target_in_nothing_clickable_is_acceptable_alone_with_what_it_holds() -> None:
    page = a_page(an_element("p", 3, an_element("b", 4, "x") + an_element("i", 5, "y")))

    assert ids(candidates_of(page, "4")[0]) == ["4"]
    assert ids(candidates_of(page, "3")[0]) == ["3", "4", "5"]


def test_a_page_that_listens_as_a_whole_is_not_acceptable() -> None:
    page = an_element("html", 1, an_element("body", 2, an_element("p", 3, "x"), said='is_clickable="true"'))

    assert ids(candidates_of(page, "3")[0]) == ["3"]


@pytest.mark.parametrize("box", [HIDDEN, "0,0,100,20"])
def test_a_target_that_cleaning_loses_is_a_candidate_nevertheless(box: str) -> None:
    page = a_page(an_element("a", 3, "Go" + an_element("svg", 4, box=box), said='href="/"'))

    positives, negatives = candidates_of(page, "4")

    assert ids(positives) == ["3", "4"]
    assert positives[1].is_original_target is True
    assert negatives == ()


def test_an_option_is_no_acceptable_element_of_its_list() -> None:
    page = a_page(an_element("select", 3, an_element("option", 4, "Red", box=HIDDEN)))

    positives, negatives = candidates_of(page, "3")

    assert (ids(positives), ids(negatives)) == (["3"], ["4"])


def test_texts_of_the_public_files_are_no_candidates() -> None:
    page = a_page(an_element("button", 3, an_element("text", 4, "Go")) + an_element("text", 5, "Hello"))

    assert [ids(each) for each in candidates_of(page, "3")] == [["3"], []]


def test_a_target_that_the_page_does_not_hold_is_told() -> None:
    with pytest.raises(LookupError, match="no element with the backend_node_id '77'"):
        candidates_of(PAGE, "77")


def test_a_page_without_elements_is_told() -> None:
    with pytest.raises(UnreadablePage):
        candidates_of("", "1")

"""Steps of what a person did."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalog.trace import ElementMark
from harness.sites.recording.recorded_step import NOT_RECORDED, PersonAct
from harness.sites.recording.recorder import SecretWords
from harness.sites.recording.step_maker import StepMaker, way_of

HOME, CART = "http://shop.test/", "http://shop.test/cart/"
FIELD, BUTTON, LIST = (ElementMark(css=css) for css in ("#q", "#add", "#size"))
ON_FIELD = PersonAct(kind="click", url=HOME, element=FIELD, control="text", picture="before")
WRITTEN = replace(ON_FIELD, kind="input", value="h", picture="meanwhile")
ENTER = replace(ON_FIELD, kind="key", value="Enter")
PRESS = PersonAct(kind="click", url=HOME, element=BUTTON)


def made(*acts: PersonAct) -> list[tuple[str, str]]:
    """What is done, and the value, of the steps that acts come to."""
    return [(step.do, step.value) for step in maker(*acts).steps]


def maker(*acts: PersonAct) -> StepMaker:
    steps = StepMaker()
    for act in acts:
        steps.take(act)
    return steps


def test_a_word_is_one_step_with_the_picture_before_its_first_character() -> None:
    steps = maker(ON_FIELD, WRITTEN, replace(WRITTEN, value="ha"), replace(WRITTEN, value="hat")).steps
    assert [(step.do, step.value, step.held, step.picture) for step in steps] == [("fill", "hat", "hat", "before")]


def test_enter_after_a_word_makes_a_search_of_it() -> None:
    assert made(ON_FIELD, WRITTEN, ENTER) == [("fill_search", "h")]


def test_enter_where_nothing_was_written_is_a_key_to_the_field() -> None:
    steps = maker(ON_FIELD, ENTER).steps
    assert [(step.do, step.value, step.focused, step.picture) for step in steps] == [
        ("press", "Enter", False, "before")
    ]


def test_keys_that_choose_a_suggestion_stay_keys_for_what_has_the_focus() -> None:
    down = replace(ENTER, value="ArrowDown")
    steps = maker(ON_FIELD, WRITTEN, down, ENTER).steps
    assert [(step.do, step.value, step.focused) for step in steps] == [
        ("fill", "h", False),
        ("press", "ArrowDown", True),
        ("press", "Enter", True),
    ]


def test_words_in_two_fields_are_two_steps() -> None:
    other = replace(WRITTEN, element=BUTTON, value="x")
    assert made(WRITTEN, other, WRITTEN) == [("fill", "h"), ("fill", "x"), ("fill", "h")]


def test_a_list_that_is_set_twice_is_one_step() -> None:
    chosen = PersonAct(kind="change", url=HOME, element=LIST, control="list", value="S")
    assert made(chosen, replace(chosen, value="M")) == [("select_option", "M")]


def test_two_presses_of_a_button_are_two_steps() -> None:
    assert made(PRESS, PRESS) == [("click", ""), ("click", "")]


def test_where_a_press_leads_is_known_of_its_step() -> None:
    step = maker(PRESS, PersonAct(kind="moved", url=CART)).steps[0]
    assert (step.url, step.after) == (HOME, CART)


def test_address_that_a_page_changes_while_one_writes_makes_no_further_step() -> None:
    found = f"{HOME}?q=h"
    assert made(WRITTEN, PersonAct(kind="moved", url=found), replace(WRITTEN, url=found, value="ha")) == [
        ("fill", "ha")
    ]


def test_the_same_field_is_written_in_again_after_a_search() -> None:
    found = PersonAct(kind="moved", url=CART)
    assert made(WRITTEN, ENTER, found, replace(WRITTEN, url=CART)) == [("fill_search", "h"), ("fill", "h")]


def test_an_address_that_a_person_asks_for_is_a_step() -> None:
    steps = maker(PRESS, PersonAct(kind="goto", url=CART), PersonAct(kind="go_back", url=HOME)).steps
    assert [(step.do, step.value, step.url, step.after) for step in steps[1:]] == [
        ("goto", CART, HOME, CART),
        ("go_back", "", CART, HOME),
    ]


def test_first_address_that_is_asked_for_is_left_from_the_start() -> None:
    steps = StepMaker(HOME)
    steps.take(PersonAct(kind="goto", url=CART))
    assert [(step.url, step.after) for step in steps.steps] == [(HOME, CART)]


def test_tab_that_a_page_opens_is_worked_in_without_a_step() -> None:
    opened = PersonAct(kind="opened", tab=1, url=CART, by_page=True)
    assert made(PRESS, opened, replace(PRESS, tab=1, url=CART)) == [("click", ""), ("click", "")]


def test_work_in_another_tab_is_led_there_first() -> None:
    opened = PersonAct(kind="opened", tab=1, url=CART, by_page=True)
    assert made(PRESS, opened, PRESS) == [("click", ""), ("switch_tab", "0"), ("click", "")]


def test_tab_that_a_person_opens_and_closes_are_steps() -> None:
    opened, closed = PersonAct(kind="opened", tab=1, url="about:blank"), PersonAct(kind="closed", tab=1)
    assert made(opened, closed, PRESS) == [("new_tab", ""), ("close_tab", "1"), ("switch_tab", "0"), ("click", "")]


def test_numbers_of_steps_are_never_given_twice() -> None:
    steps = maker(PRESS, PRESS)
    steps.forget(2)
    steps.take(PRESS)
    assert [step.number for step in steps.steps] == [1, 3]


@pytest.mark.parametrize(
    ("before", "place", "entries", "way", "expected"),
    [
        ((1, (4, 5)), 0, (4, 5), "link", "go_back"),
        ((0, (4, 5)), 1, (4, 5), "link", "go_forward"),
        ((1, (4, 5)), 1, (4, 5), "reload", "reload"),
        ((1, (4, 5)), 2, (4, 5, 6), "typed", "goto"),
        ((1, (4, 5)), 2, (4, 5, 6), "link", ""),
        ((1, (4, 5)), 2, (4, 5, 6), "form_submit", ""),
    ],
)
def test_what_a_person_asked_of_the_browser_is_told_by_the_tabs_history(before, place, entries, way, expected) -> None:
    assert way_of(before, place, entries, way) == expected


def test_password_stands_in_no_step_nor_in_any_address_or_text_that_shows_it() -> None:
    secrets, steps = SecretWords(), StepMaker()
    typed = replace(WRITTEN, secret=True)
    shown = ElementMark(css="a[href='?p=hunter%202']", text="hunter 2", attributes={"href": "?p=hunter%202"})
    for act in (
        replace(typed, value="hunter"),
        replace(typed, value="hunter 2"),
        PersonAct(kind="moved", url=f"{HOME}?p=hunter+2"),
        PersonAct(kind="click", url=f"{HOME}?p=hunter+2", element=shown, label="hunter 2"),
    ):
        secrets.learn(act)
        steps.take(secrets.cleaned(act))
    assert "hunter" not in repr(steps.steps)
    assert (steps.steps[0].value, steps.steps[0].held, steps.steps[0].secret) == (NOT_RECORDED, None, True)
    assert steps.steps[0].words == "Write a password into "

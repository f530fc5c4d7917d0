"""modify_select on real pages."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from tests.conftest import Show
from tests.site import done, refused


@pytest.mark.devtools("DE", "f-f", "middle-2-2", "list-6-6")
@pytest.mark.parametrize(
    ("name", "asked", "held"),
    [
        ("country", "DE", "DE"),
        ("country", "The Netherlands", "NL"),
        ("country", "3.0", "3"),
        ("country", "Text only", "Text only"),
        ("country", 'it\'s "quoted" 🐈', 'it\'s "quoted" 🐈'),
        ("country", ["NL"], "NL"),
        ("odd", "a", "a"),
        ("odd", "f", "f"),
        ("middle", "1", "1"),
        ("middle", "2", "2"),
        ("middle", "3", "3"),
        ("list", "1", "1"),
        ("list", "6", "6"),
    ],
)
def test_an_option_is_chosen_by_value_by_number_or_by_its_text(
    show: Show, name: str, asked: str | list[str], held: str
) -> None:
    shown = show(file="select")
    done(shown.actions.modify_select(name, asked))
    assert shown.sent()[name] == (held,)


@pytest.mark.devtools("country-DE", "list-5")
@pytest.mark.parametrize(
    ("name", "value"),
    [("country", "DE"), ("country", "3"), ("odd", "f"), ("list", "5"), ("middle", "3"), ("middle", "1")],
)
def test_choosing_an_option_fires_one_trusted_input_and_one_change(show: Show, name: str, value: str) -> None:
    shown = show(file="select")
    done(shown.actions.modify_select(name, value))
    seen = [event for event in shown.page("seen") if event["type"] in ("input", "change")]
    assert [(event["type"], event["value"]) for event in seen] == [("input", value), ("change", value)]
    assert all(event["trusted"] for event in seen)


def test_an_option_that_is_chosen_already_fires_no_event(show: Show) -> None:
    shown = show(file="select")
    done(shown.actions.modify_select("country", ""))
    assert shown.page("seen") == []


@pytest.mark.devtools("b")
@pytest.mark.parametrize("value", ["b", "c", "d", "e"])
def test_a_disabled_or_hidden_option_is_refused(show: Show, value: str) -> None:
    shown = show(file="select")
    refused(shown.actions.modify_select("odd", value), ErrorCode.NO_SUCH_OPTION, "'odd'", "'a' (A)")


def test_an_unknown_option_is_refused_with_the_options(show: Show) -> None:
    shown = show(file="select")
    refused(
        shown.actions.modify_select("country", "FR"),
        ErrorCode.NO_SUCH_OPTION,
        "'country'",
        "'FR'",
        "'NL' (The Netherlands)",
        "'Text only'",
    )


@pytest.mark.parametrize("values", [["NL", "DE"], []])
def test_a_drop_down_list_takes_one_option(show: Show, values: list[str]) -> None:
    shown = show(file="select")
    refused(shown.actions.modify_select("country", values), ErrorCode.ONE_OPTION_ONLY, "'country'", "one option")


@pytest.mark.devtools("values0", "values3")
@pytest.mark.parametrize("values", [["red", "pink"], ["green"], ["blue", "Red"], []])
def test_exactly_the_asked_options_of_a_multiple_list_are_chosen(show: Show, values: list[str]) -> None:
    shown = show(file="select")
    done(shown.actions.modify_select("many", values))
    assert set(shown.sent().get("many", ())) == {value.lower() for value in values}


@pytest.mark.devtools("values0")
@pytest.mark.parametrize("values", [["red", "grey"], ["red", "black"], ["black", "red"]])
def test_a_disabled_or_unknown_option_of_a_multiple_list_is_refused_and_nothing_changes(
    show: Show, values: list[str]
) -> None:
    shown = show(file="select")
    refused(shown.actions.modify_select("many", values), ErrorCode.NO_SUCH_OPTION, "'many'", "'red' (Red)")
    assert shown.sent()["many"] == ("green",)


def test_a_page_that_resets_the_list_gives_an_error_with_what_it_holds(show: Show) -> None:
    shown = show("<select name=a onchange='this.selectedIndex = 0'><option>1<option>2</select>")
    refused(shown.actions.modify_select("a", "2"), ErrorCode.NOT_TAKEN, "'a' holds '1', not '2'")


def test_a_list_that_does_not_open_is_worked_with_the_keyboard_and_does_not_submit(show: Show) -> None:
    shown = show("<select name=a onmousedown='this.focus(); return false'><option>1<option>2<option>3</select>")
    done(shown.actions.modify_select("a", "3"))
    assert not shown.actions.submitted
    assert shown.events("submit") == []
    assert shown.sent()["a"] == ("3",)


@pytest.mark.devtools
@pytest.mark.parametrize("value", ["a0", "a1", "b9", "c"])
def test_an_option_that_one_key_reaches_is_chosen_without_a_press(show: Show, value: str) -> None:
    options = "".join(f"<option>{text}</option>" for text in ("a0", "start", "a1", "b1", "b9", "c", "z"))
    shown = show(f"<select name=a>{options}</select><script>document.forms[0].a.value = 'start'</script>")
    done(shown.actions.modify_select("a", value))
    seen = shown.page("seen")
    assert all(event["trusted"] for event in seen)
    pressed = [event["type"] for event in seen if event["type"] in ("mousedown", "click")]
    assert bool(pressed) is (value == "b9"), "only the second with its letter is out of reach"
    assert [event["value"] for event in seen if event["type"] == "change"] == [value]
    assert [event["name"] for event in seen if event["type"] in ("focus", "blur") and event["name"] == "a"] == [
        "a",
        "a",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<select name=a onmousedown='window.pressed = true'><option>1<option>2</select>",
        "<p onclick='window.pressed = true'><select name=a><option>1<option>2</select></p>",
        "<label for=a onmouseup='window.pressed = true'>A</label><select id=a name=a><option>1<option>2</select>"
        "<script>document.forms[0].a.addEventListener('pointerdown', () => { window.pressed = true })</script>",
    ],
)
def test_a_list_that_the_page_listens_on_for_presses_is_pressed(show: Show, body: str) -> None:
    shown = show(body)
    done(shown.actions.modify_select("a", "2"))
    assert shown.page("window.pressed") is True
    assert shown.sent()["a"] == ("2",)


def test_a_list_that_came_later_with_a_listener_is_pressed(show: Show) -> None:
    later = '<select name=b onmousedown="window.pressed = true"><option>1<option>2</select>'
    shown = show(
        '<select name=a onchange=\'document.getElementById("place").innerHTML = '
        f'document.getElementById("later").innerHTML\'><option>1<option>2</select><p id=place></p>'
        f"<template id=later>{later}</template>"
    )
    done(shown.actions.modify_select("a", "2"))
    done(shown.actions.modify_select("b", "2"))
    assert shown.page("window.pressed") is True


def test_a_list_whose_page_swallows_the_key_is_opened(show: Show) -> None:
    shown = show(
        "<select name=a><option>1<option>2</select><script>"
        "document.forms[0].a.addEventListener('keydown', (event) => event.preventDefault(), { once: true })</script>"
    )
    done(shown.actions.modify_select("a", "2"))
    assert shown.sent()["a"] == ("2",)


@pytest.mark.slow
def test_choosing_again_and_again_never_misses_nor_submits(show: Show) -> None:
    shown = show("<select name=a>" + "".join(f"<option>{number}</option>" for number in range(30)) + "</select>")
    for value in (7, 29, 0, 15, 14, 16, 28, 1, 20, 10):
        done(shown.actions.modify_select("a", str(value)))
    assert not shown.actions.submitted
    assert len(shown.events("change")) == 10


@pytest.mark.slow
def test_a_list_of_two_hundred_options_reaches_its_last(show: Show) -> None:
    shown = show("<select name=a>" + "".join(f"<option>{number}</option>" for number in range(200)) + "</select>")
    done(shown.actions.modify_select("a", "199"))
    assert shown.events("change") == ["change:a"]


def test_a_list_that_submits_the_form_when_it_changes_ends_the_episode(show: Show) -> None:
    shown = show("<select name=a onchange='this.form.submit()'><option>1<option>2</select>")
    shown.actions.modify_select("a", "2")
    assert shown.actions.submitted
    assert shown.sent()["a"] == ("2",)


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("body", "action"),
    [
        ("<input name=a>", "modify_text"),
        ("<input type=radio name=a value=1>", "modify_radio"),
        ("<input type=checkbox name=a value=1>", "modify_checkbox"),
        ("<input type=range name=a>", "modify_range"),
    ],
)
def test_modify_select_refuses_other_kinds_with_the_action_that_fits(show: Show, body: str, action: str) -> None:
    refused(show(body).actions.modify_select("a", "1"), ErrorCode.ANOTHER_KIND, "'a'", action)

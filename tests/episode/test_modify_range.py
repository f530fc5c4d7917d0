"""modify_range on real pages."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from tests.conftest import Show
from tests.site import done, refused


@pytest.mark.devtools(
    "plain-73.0-73", "negative--15--15", "mirrored-7-7", "any-0.123456-0.123456", "upright-7-7", "tilted-41-41"
)
@pytest.mark.parametrize(
    ("name", "value", "held"),
    [
        ("plain", 0, "0"),
        ("plain", 100, "100"),
        ("plain", "73", "73"),
        ("plain", 73.0, "73"),
        ("half", 0.5, "0.5"),
        ("half", 9.5, "9.5"),
        ("negative", -100, "-100"),
        ("negative", -15, "-15"),
        ("mirrored", 7, "7"),
        ("mirrored", 2, "2"),
        ("any", 0.123456, "0.123456"),
        ("any", 1, "1"),
        ("large", 98765, "98765"),
        ("based", 93, "93"),
        ("odd", 60, "60"),
        ("upright", 7, "7"),
        ("tilted", 41, "41"),
        ("zoomed", 13, "13"),
    ],
)
def test_a_slider_gets_the_exact_value(show: Show, name: str, value: float | str, held: str) -> None:
    shown = show(file="range")
    done(shown.actions.modify_range(name, value))
    assert shown.sent()[name] == (held,)


def test_a_slider_that_stands_there_already_fires_no_event(show: Show) -> None:
    shown = show(file="range")
    result = shown.actions.modify_range("plain", 50)
    done(result)
    assert "already" in result.message
    assert shown.page("seen") == []


@pytest.mark.devtools("plain", "upright")
@pytest.mark.parametrize("name", ["plain", "half", "mirrored", "upright", "tilted", "zoomed"])
def test_moving_a_slider_fires_trusted_events_with_the_last_change_at_the_value(show: Show, name: str) -> None:
    shown = show(file="range")
    done(shown.actions.modify_range(name, 6))
    seen = [event for event in shown.page("seen") if event["name"] == name]
    assert {"mousedown", "input", "change"} <= {event["type"] for event in seen}
    assert all(event["trusted"] for event in seen)
    changes = [event["value"] for event in seen if event["type"] == "change"]
    assert changes[-1] == "6"


@pytest.mark.parametrize(
    "style", ["", "direction: rtl", "writing-mode: vertical-lr", "writing-mode: vertical-rl; direction: rtl"]
)
def test_what_a_press_on_the_track_misses_is_made_good_by_arrow_keys(show: Show, style: str) -> None:
    shown = show(f"<input type=range name=a max=30000 style='{style}'>")
    done(shown.actions.modify_range("a", 7777))
    seen = [event for event in shown.page("seen") if event["name"] == "a"]
    assert {"keydown", "change"} <= {event["type"] for event in seen}
    assert all(event["trusted"] for event in seen)
    assert shown.sent()["a"] == ("7777",)


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("name", "value", "code", "words"),
    [
        ("plain", 101, ErrorCode.OUT_OF_RANGE, ("between 0 and 100",)),
        ("plain", -1, ErrorCode.OUT_OF_RANGE, ("between 0 and 100",)),
        ("plain", 0.5, ErrorCode.OFF_STEP, ("step of 1",)),
        ("half", 0.25, ErrorCode.OFF_STEP, ("step of 0.5",)),
        ("negative", -12, ErrorCode.OFF_STEP, ("step of 5",)),
        ("based", 50, ErrorCode.OFF_STEP, ("step of 10",)),
        ("any", 2, ErrorCode.OUT_OF_RANGE, ("between 0 and 1",)),
        ("plain", "much", ErrorCode.NOT_A_NUMBER, ("'much'", "number")),
        ("plain", "", ErrorCode.NOT_A_NUMBER, ("number",)),
        ("plain", "nan", ErrorCode.NOT_A_NUMBER, ("number",)),
        ("plain", float("inf"), ErrorCode.WRONG_ARGUMENT, ("finite",)),
    ],
)
def test_an_impossible_value_is_refused_with_what_is_possible(
    show: Show, name: str, value: float | str, code: ErrorCode, words: tuple[str, ...]
) -> None:
    shown = show(file="range")
    refused(shown.actions.modify_range(name, value), code, *words)
    assert shown.page("seen") == []


def test_a_page_that_moves_the_slider_back_gives_an_error_with_what_it_holds(show: Show) -> None:
    shown = show("<input type=range name=a value=10 oninput='this.value = 10'>")
    refused(shown.actions.modify_range("a", 90), ErrorCode.NOT_TAKEN, "'a' holds '10', not '90'")


def test_a_page_that_removes_the_slider_gives_an_error(show: Show) -> None:
    shown = show("<input type=range name=a oninput='this.remove()'>")
    refused(shown.actions.modify_range("a", 90), ErrorCode.FIELD_REMOVED, "removed", "'a'")


@pytest.mark.parametrize(
    ("attribute", "code", "reason"),
    [
        ("disabled", ErrorCode.DISABLED, "disabled"),
        ("style='display: none'", ErrorCode.NOT_VISIBLE, "not visible"),
    ],
)
def test_a_slider_that_cannot_be_moved_is_refused_with_the_reason(
    show: Show, attribute: str, code: ErrorCode, reason: str
) -> None:
    shown = show(f"<input type=range name=a {attribute}>")
    refused(shown.actions.modify_range("a", 90), code, "'a'", reason)


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("body", "action"),
    [
        ("<input type=number name=a>", "modify_text"),
        ("<input type=radio name=a value=1>", "modify_radio"),
        ("<input type=checkbox name=a value=1>", "modify_checkbox"),
        ("<select name=a><option>1</select>", "modify_select"),
    ],
)
def test_modify_range_refuses_other_kinds_with_the_action_that_fits(show: Show, body: str, action: str) -> None:
    refused(show(body).actions.modify_range("a", 1), ErrorCode.ANOTHER_KIND, "'a'", action)

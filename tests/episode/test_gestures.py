"""Gestures and keys by name, over each input back end: the page's own scripts see them as a person's."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from harness.browser.chord import NAMED, Chord
from harness.browser.desktop.desktop_input import KEY_NAMES
from harness.browser.input import FEWEST_STEPS, way
from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from tests.conftest import Show
from tests.site import PAGES, Shown, done, refused, whole_page


@pytest.fixture(params=["devtools", "webdriver", "desktop"])
def page(request, site) -> Shown:
    """The page of gestures, over each input back end."""
    if request.param == "desktop":
        session = request.getfixturevalue("desktop")
    else:
        browser = request.getfixturevalue("browser")
        over_devtools = request.param == "devtools"
        back_end = DevtoolsInput(browser) if over_devtools else request.getfixturevalue("webdriver")
        session = BrowserSession(browser, back_end)
    url = site.put(whole_page((PAGES / "gestures.html").read_text(encoding="utf-8")))
    session.browser.open(url)
    return Shown(session.browser, Actions(session.browser, session.input, Trajectory()), url)


def value(page: Shown, name: str) -> str:
    return page.page(f"document.querySelector('[name={name}]').value")


def seen(page: Shown, *types: str) -> list[dict]:
    found = [event for event in page.page("events") if event["type"] in types]
    assert all(event["trusted"] for event in found)
    return found


def test_dragging_moves_what_follows_the_mouse(page: Shown):
    done(page.actions.drag(70, 160, 300, 200))
    assert value(page, "place") == "270,180"
    assert len([event for event in seen(page, "mousemove") if event["buttons"] == 1]) >= FEWEST_STEPS


def test_dragging_drops_what_the_page_calls_draggable(page: Shown):
    done(page.actions.drag(70, 60, 430, 60))
    assert value(page, "dropped") == "the load"
    assert [event["type"] for event in seen(page, "dragstart", "drop", "dragend")] == ["dragstart", "drop", "dragend"]


def test_dragging_draws_a_line_through_points_in_between(page: Shown):
    done(page.actions.drag(60, 260, 260, 330))
    points = page.page("JSON.parse(at('drawn').value)")
    assert points[0] == [20, 20]
    assert points[-1] == [220, 90]
    assert len({tuple(point) for point in points}) > FEWEST_STEPS


def place_of_beta(page: Shown) -> tuple[float, float, float]:
    """Left, right and middle of the second word."""
    left, right, middle = page.page(
        "(() => { const range = document.createRange(), text = document.getElementById('words').firstChild;"
        "range.setStart(text, 6); range.setEnd(text, 10); const box = range.getBoundingClientRect();"
        "return [box.left, box.right, box.top + box.height / 2] })()"
    )
    return left, right, middle


def test_dragging_over_a_text_selects_it(page: Shown):
    left, right, y = place_of_beta(page)
    done(page.actions.drag(left, y, right, y))
    assert value(page, "selected") == "beta"


@pytest.mark.slow
def test_dragging_where_the_last_drag_began_is_no_double_click(page: Shown):
    left, right, y = place_of_beta(page)
    for _ in range(2):
        done(page.actions.drag(left, y, right, y))
        assert value(page, "selected") == "beta"
    done(page.actions.click(left, y))
    assert value(page, "selected") == ""
    assert seen(page, "dblclick") == []


def test_a_drag_leaves_what_is_marked_in_a_field_as_it_is(show: Show):
    shown = show(
        "<input name=a value=kept><textarea name=b>as well</textarea>"
        "<div style='width: 300px; height: 200px' onmousedown='event.preventDefault()'></div>"
    )
    x, y = shown.page(
        "(() => { const b = document.querySelector('div').getBoundingClientRect(); return [b.x, b.y] })()"
    )
    for name in ("a", "b"):
        shown.page(f"document.forms[0].{name}.select()")
        done(shown.actions.drag(x + 5, y + 5, x + 250, y + 150))
    assert shown.events("input") == []
    assert shown.sent() == {"a": ("kept",), "b": ("as well",)}


def test_a_drag_leaves_no_button_down(page: Shown):
    done(page.actions.drag(70, 160, 300, 200))
    done(page.actions.hover(600, 300))
    assert seen(page, "mousemove")[-1]["buttons"] == 0


def test_a_double_click_is_one(page: Shown):
    done(page.actions.double_click(430, 500))
    assert value(page, "twice") == "yes"
    assert len(seen(page, "dblclick")) == 1


def test_hovering_brings_out_a_menu_without_a_press(page: Shown):
    done(page.actions.hover(50, 490))
    assert page.page("getComputedStyle(document.querySelector('.more')).display") == "block"
    assert seen(page, "mousedown") == []


def test_keys_by_name_work_the_control_that_has_the_focus(page: Shown):
    done(page.actions.click(100, 610))
    done(page.actions.type("one two"))
    for key in ("Control+a", "Backspace", "x", "Shift+y", "Space", "z", "Home", "Delete"):
        done(page.actions.press(key))
    assert value(page, "text") == "Y z"
    keys = [event["key"] for event in seen(page, "keydown")]
    assert [key for key in keys[7:] if key not in ("Control", "Shift")] == [
        "a", "Backspace", "x", "Y", " ", "z", "Home", "Delete",
    ]  # fmt: skip


def test_what_is_cut_can_be_pasted(page: Shown):
    done(page.actions.click(100, 610))
    done(page.actions.type("one two"))
    for key in ("Control+Shift+ArrowLeft", "Control+x", "Home", "Control+v"):
        done(page.actions.press(key))
    assert value(page, "text") == "twoone "


@pytest.mark.devtools
@pytest.mark.parametrize("key", ["Fly", "Control+", "Hyper+a", "", "ä", "Control"])
def test_a_key_that_there_is_not_is_refused_with_those_that_there_are(page: Shown, key: str):
    refused(page.actions.press(key), ErrorCode.NO_SUCH_KEY)
    assert seen(page, "keydown") == []


def test_gestures_off_the_screen_are_refused(page: Shown):
    refused(page.actions.drag(10, 10, 2000, 10), ErrorCode.OFF_SCREEN, "off the screen")
    refused(page.actions.drag(-1, 10, 20, 10), ErrorCode.OFF_SCREEN, "off the screen")
    refused(page.actions.hover(10, 800), ErrorCode.OFF_SCREEN, "off the screen")
    refused(page.actions.double_click(1280, 10), ErrorCode.OFF_SCREEN, "off the screen")
    assert seen(page, "mousedown") == []


def test_a_chord_names_its_modifiers_and_its_key():
    chord = Chord.parse("control+shift+arrowleft")
    assert (chord.modifiers, chord.name) == (("Control", "Shift"), "ArrowLeft")
    assert Chord.parse("+").name == "+"
    assert Chord.parse("Control++").modifiers == ("Control",)
    assert Chord.parse("Shift+1").name == "!"
    assert Chord.parse(" ").name == "Space"


def test_every_named_key_has_a_name_on_the_desktop():
    assert set(NAMED) <= set(KEY_NAMES)


def test_the_way_of_a_drag_ends_where_it_shall_whatever_its_length():
    for x, y in ((0, 0), (1, 0), (300, -40), (1279, 799)):
        points = way(0, 0, x, y)
        assert points[-1] == points[-2] == (x, y)
        assert len(points) > FEWEST_STEPS


def test_a_drag_passes_all_points_of_its_path(page: Shown):
    done(page.actions.drag_along([60, 260, 160, 340, 200, 270, 260, 330]))
    points = page.page("JSON.parse(at('drawn').value)")
    assert [points.index(each) for each in ([20, 20], [120, 100], [160, 30], [220, 90])] == sorted(
        points.index(each) for each in ([20, 20], [120, 100], [160, 30], [220, 90])
    )


def test_three_presses_mark_the_line_and_a_key_that_is_held_is_seen(page: Shown):
    done(page.actions.press_button(60, 415, "left", 3))
    assert value(page, "selected").strip() == "alpha beta gamma delta"
    if page.actions.press_button(70, 160, "left", 1, "Control").ok:  # a desktop keeps such presses to itself
        assert seen(page, "mousedown")[-1]["control"]


def test_the_wheel_scrolls_what_is_under_it(page: Shown):
    page.page(
        "document.body.insertAdjacentHTML('beforeend', '<div id=list style=\"position: absolute; left: 700px; top: "
        '40px; width: 200px; height: 200px; overflow: auto"><p style="height: 3000px">long</p></div>\')'
    )
    done(page.actions.scroll_at(800, 140, 0, 240))
    assert page.page("document.getElementById('list').scrollTop") == 240
    assert page.page("scrollY") == 0


def test_a_button_that_there_is_not_is_refused(page: Shown):
    refused(
        page.actions.press_button(60, 60, "fourth"),
        ErrorCode.WRONG_ARGUMENT,
        "there is no button 'fourth': left, right, middle",
    )
    refused(
        page.actions.drag_along([60, 60]), ErrorCode.WRONG_ARGUMENT, "path: a drag needs x and y of two points or more"
    )


def test_waiting_is_bounded_by_what_is_left_of_the_episode(page: Shown):
    done(page.actions.wait(0))
    page.actions.trajectory.seconds_left = lambda: 0.0
    done(page.actions.wait(20))
    refused(page.actions.wait("long"), ErrorCode.NOT_A_NUMBER, "seconds")

"""The visual actions over the desktop, on real Chromium in a virtual X display."""

from __future__ import annotations

import io
import os
import string
import threading
from math import copysign

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from harness.browser.desktop.desktop_input import KEYS_AT_A_TIME, DesktopInput, pieces
from harness.browser.desktop.xinput import MOST_CLICKS, WHEEL_STEP, wheel_clicks
from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.launch import SCREEN
from tests.site import in_page

WIDTH, HEIGHT = SCREEN
TYPABLE = frozenset(string.printable[:95] + "\n\t")
LATE = 0.2
"""Seconds between turns of a wheel: many frames."""
ALPHABETS = "ß€ 漢字 😀 עברית é"

PRESSES = """<!doctype html><title>presses</title><style>body { margin: 0; height: 100vh; background: white }</style>
<script>
  const presses = [];
  addEventListener("click", (event) => {
    presses.push([event.clientX, event.clientY, event.detail, event.isTrusted]);
    document.body.style.background = "rgb(0, 100, 200)";
  });
</script>"""
FORM = """<!doctype html><title>form</title>
<form><textarea autofocus></textarea><input id="second"></form>
<script>
  const area = document.querySelector("textarea"), second = document.querySelector("#second"), keys = [];
  addEventListener("keydown", (event) => { if (event.isTrusted) keys.push(event.key); });
</script>"""
WIDE = """<!doctype html><title>wide</title><style>body { margin: 0; width: 9000px; height: 9000px }</style>"""
FRAMED = """<!doctype html><title>framed</title><style>body { margin: 0; height: 9000px }</style>
<iframe style="border: 3px solid; width: 1000px; height: 700px"
  srcdoc="<!doctype html><style>body { margin: 0; height: 9000px }</style>"></iframe>"""
KEEPS_THE_WHEEL = """<!doctype html><title>keeps</title><style>body { margin: 0; height: 9000px }</style>
<script>
  addEventListener("wheel", (event) => event.stopImmediatePropagation(), { capture: true, passive: true });
</script>"""
CORNERS = """<!doctype html><title>corners</title><style>
  body { margin: 0; background: rgb(10, 20, 30) } i { position: fixed; width: 1px; height: 1px }
</style>
<i style="left: 0; top: 0; background: rgb(255, 0, 0)"></i>
<i style="right: 0; top: 0; background: rgb(0, 255, 0)"></i>
<i style="left: 0; bottom: 0; background: rgb(0, 0, 255)"></i>
<i style="right: 0; bottom: 0; background: rgb(255, 255, 0)"></i>"""
CHOICE = """<!doctype html><title>choice</title><style>body { margin: 0; background: white }</style>
<select style="position: absolute; left: 100px; top: 100px; width: 200px; height: 30px">
<option>first<option>second<option>third</select>"""


# What a document wants focused is focused with one of its first frames, on a busy machine with a later one.
FOCUSED = """new Promise((done) => {
  const wanted = document.querySelector("[autofocus]");
  const look = () => !wanted || wanted.matches(":focus") ? done() : requestAnimationFrame(look);
  look();
})"""


@pytest.fixture
def open_page(site, desktop):
    """``open_page(html)`` gives the display, and a function that asks the page for the value of an expression."""

    def open_page(html: str):
        desktop.browser.open(site.put(html))
        desktop.browser.run("page.frame")
        in_page(desktop.browser, FOCUSED)
        return desktop.input, lambda expression: in_page(desktop.browser, expression)

    return open_page


def picture(display: DesktopInput) -> Image.Image:
    return Image.open(io.BytesIO(display.capture()))


def test_the_page_area_is_the_fixed_size_at_scale_one(open_page):
    display, page = open_page(PRESSES)
    assert page("[innerWidth, innerHeight, devicePixelRatio]") == [WIDTH, HEIGHT, 1]
    assert display.size == display.maximize() == SCREEN


def test_a_press_reaches_the_very_pixel_in_the_corners_too(open_page):
    display, page = open_page(PRESSES)
    points = [
        (0, 0),
        (WIDTH - 1, 0),
        (0, HEIGHT - 1),
        (WIDTH - 1, HEIGHT - 1),
        (WIDTH // 2, HEIGHT // 2),
        (17, 423),
        (1001, 5),
    ]
    for x, y in points:
        display.click(x, y)
    assert page("presses") == [[x, y, 1, True] for x, y in points]


def test_a_fraction_means_the_pixel_that_holds_it(open_page):
    display, page = open_page(PRESSES)
    display.click(100.9, 50.5)
    assert page("presses") == [[100, 50, 1, True]]


def test_two_presses_in_one_place_are_two_single_clicks(open_page):
    display, page = open_page(PRESSES)
    display.click(300, 300)
    display.click(302, 299)
    assert page("presses.map((press) => press[2])") == [1, 1]


@pytest.mark.parametrize(
    ("x", "y"), [(WIDTH, 0), (0, HEIGHT), (-1, 0), (0, -0.1), (float("nan"), 0), (float("inf"), 0)]
)
def test_a_point_off_the_page_is_refused_and_nothing_is_pressed(open_page, x, y):
    display, page = open_page(PRESSES)
    with pytest.raises(ValueError, match="outside the page area"):
        display.click(x, y)
    with pytest.raises(ValueError, match="outside the page area"):
        display.scroll(x, y, 0, 100)
    assert page("presses") == []


def test_every_printable_ascii_character_is_a_real_key(open_page):
    display, page = open_page(FORM)
    text = string.printable[:95]
    display.type(text)
    assert page("area.value") == text
    assert page("keys.filter((key) => key !== 'Shift').join('')") == text


def test_text_of_other_alphabets_arrives_whole_and_in_order(open_page):
    display, page = open_page(FORM)
    text = f"Straße {ALPHABETS} <end>"
    display.type(text)
    assert page("area.value") == text


def test_several_pastes_do_not_overtake_each_other(open_page):
    display, page = open_page(FORM)
    text = "ä\nö\nü\n漢\n😀"
    display.type(text)
    assert page("area.value") == text


def test_enter_and_tab_are_keys(open_page):
    display, page = open_page(FORM)
    display.type("one\ntwo\tthree é")
    assert page("[area.value, second.value]") == ["one\ntwo", "three é"]
    assert page("keys.filter((key) => key.length > 1 && key !== 'Control')") == ["Enter", "Tab"]


@pytest.mark.slow
def test_a_long_text_is_in_the_page_when_typing_returns(open_page):
    display, page = open_page(FORM)
    text = "lorem Ipsum, " * 100
    display.type(text)
    assert page("area.value") == text


@pytest.mark.slow
def test_typing_where_nothing_takes_text_comes_back(open_page):
    display, page = open_page(PRESSES)
    display.type("plain and é")
    assert page("document.body.innerText.trim()") == ""


def test_half_a_character_is_refused_before_anything_is_typed(open_page):
    display, page = open_page(FORM)
    with pytest.raises(UnicodeEncodeError):
        display.type("good \ud83d")
    assert page("area.value") == ""


def test_the_wheel_scrolls_by_its_steps_in_both_directions(open_page):
    display, page = open_page(WIDE)
    display.scroll(640, 400, 0, 2 * WHEEL_STEP)
    assert page("[scrollX, scrollY]") == [0, 2 * WHEEL_STEP]
    display.scroll(640, 400, 3 * WHEEL_STEP, -WHEEL_STEP)
    assert page("[scrollX, scrollY]") == [3 * WHEEL_STEP, WHEEL_STEP]
    display.scroll(640, 400, -5 * WHEEL_STEP, 0)
    assert page("[scrollX, scrollY]") == [0, WHEEL_STEP]


@pytest.fixture
def late_wheel(desktop, monkeypatch):
    """The display's wheel, whose turns come one by one, and long after they were asked for."""
    turn, timers = desktop.input._input.wheel, []

    def late(x: int, y: int, right: int, down: int) -> None:
        clicks = [(copysign(1, right), 0)] * abs(right) + [(0, copysign(1, down))] * abs(down)
        for number, (one, other) in enumerate(clicks, 1):
            timers.append(threading.Timer(number * LATE, turn, (x, y, int(one), int(other))))
            timers[-1].start()

    monkeypatch.setattr(desktop.input._input, "wheel", late)
    yield
    for timer in timers:
        timer.join()


@pytest.mark.slow
@pytest.mark.usefixtures("late_wheel")
def test_turns_of_the_wheel_that_come_late_are_waited_for(open_page):
    display, page = open_page(WIDE)
    display.scroll(640, 400, WHEEL_STEP, 2 * WHEEL_STEP)
    assert page("[scrollX, scrollY]") == [WHEEL_STEP, 2 * WHEEL_STEP]
    display.scroll(640, 400, 0, -2 * WHEEL_STEP)
    assert page("[scrollX, scrollY]") == [WHEEL_STEP, 0]


@pytest.mark.usefixtures("late_wheel")
def test_turns_that_come_late_are_waited_for_in_a_frame_too(open_page):
    display, page = open_page(FRAMED)
    display.scroll(640, 400, 0, 2 * WHEEL_STEP)
    assert page("[scrollY, frames[0].scrollY]") == [0, 2 * WHEEL_STEP]


@pytest.mark.slow
def test_a_page_that_keeps_the_wheel_to_itself_does_not_hold_a_scroll_up(open_page):
    display, page = open_page(KEEPS_THE_WHEEL)
    display.scroll(640, 400, 0, WHEEL_STEP)
    assert page("scrollY") == WHEEL_STEP


def test_a_picture_is_the_page_area_pixel_for_pixel(open_page):
    display, _ = open_page(CORNERS)
    image = picture(display)
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", SCREEN)
    places = [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1), (1, 1)]
    assert [image.getpixel(place) for place in places] == [
        (255, 0, 0),
        (0, 255, 0),
        (0, 0, 255),
        (255, 255, 0),
        (10, 20, 30),
    ]


def test_a_picture_shows_what_the_press_before_it_did(open_page):
    display, _ = open_page(PRESSES)
    assert picture(display).getpixel((640, 400)) == (255, 255, 255)
    display.click(640, 400)
    assert picture(display).getpixel((640, 400)) == (0, 100, 200)


def test_an_open_list_of_options_is_in_the_picture_and_takes_presses(open_page):
    display, page = open_page(CHOICE)
    closed = picture(display)
    display.click(200, 115)
    opened = picture(display)
    below = (100, 131, 300, 200)
    assert closed.crop(below).getcolors() == [(200 * 69, (255, 255, 255))]
    assert len(opened.crop(below).getcolors()) > 1
    display.click(150, 166)
    assert page("document.querySelector('select').value") == "second"


def test_the_environment_is_left_as_it_was(desktop):
    assert desktop.input
    assert os.environ.get("DISPLAY") != desktop.browser.settings.display
    assert "XAUTHORITY" not in os.environ or os.environ["XAUTHORITY"] != os.devnull


def test_a_second_display_in_the_process_is_refused_with_the_way_out(desktop):
    server = XServer(desktop.browser.settings.display)
    with pytest.raises(NoDisplay, match="one worker"):
        DesktopInput(server, lambda: None)


@pytest.mark.parametrize(
    ("pixels", "clicks"),
    [
        (0, 0),
        (1, 1),
        (-1, -1),
        (WHEEL_STEP, 1),
        (-2 * WHEEL_STEP, -2),
        (2.4 * WHEEL_STEP, 2),
        (2.6 * WHEEL_STEP, 3),
        (1e12, MOST_CLICKS),
        (-1e12, -MOST_CLICKS),
    ],
)
def test_pixels_are_the_nearest_number_of_wheel_clicks_within_bounds(pixels, clicks):
    assert wheel_clicks(pixels) == clicks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("plain", [("keys", "plain")]),
        ("漢字", [("paste", "漢字")]),
        ("Straße", [("keys", "Stra"), ("paste", "ß"), ("keys", "e")]),
        ("a é b ü c", [("keys", "a "), ("paste", "é b ü"), ("keys", " c")]),
        ("é\né", [("paste", "é"), ("keys", "\n"), ("paste", "é")]),
        ("a\tb", [("keys", "a"), ("keys", "\t"), ("keys", "b")]),
        ("a\r\nb\rc", [("keys", "a"), ("keys", "\n"), ("keys", "b"), ("keys", "\n"), ("keys", "c")]),
        ("x" * (KEYS_AT_A_TIME + 1), [("keys", "x" * KEYS_AT_A_TIME), ("keys", "x")]),
    ],
)
def test_a_text_is_cut_into_keys_and_pastes(text, expected):
    assert list(pieces(text, TYPABLE)) == expected


@given(st.text(alphabet=st.sampled_from("ab<\n\t\ré漢😀")))
def test_the_pieces_are_the_text_and_only_typable_characters_are_keys(text):
    cut = list(pieces(text, TYPABLE))
    assert "".join(piece for _, piece in cut) == text.replace("\r\n", "\n").replace("\r", "\n")
    assert all(TYPABLE.issuperset(piece) for kind, piece in cut if kind == "keys")
    assert not any(set("\n\t") & set(piece) for kind, piece in cut if kind == "paste")

"""The visual actions: pictures, presses, keys."""

from __future__ import annotations

import io
import string

import pytest
from PIL import Image

from harness.actions.result import ErrorCode
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.launch import SCREEN
from harness.kit.picture import BORDER_COLOUR
from tests.conftest import Show
from tests.site import done, refused

RED = (255, 0, 0)


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def box_of(image: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of all that has exactly this colour; the last two are just outside."""
    width = image.width
    places = [index for index, pixel in enumerate(image.get_flattened_data()) if pixel == colour]
    assert places, f"nothing is {colour}"
    columns = [place % width for place in places]
    return min(columns), places[0] // width, max(columns) + 1, places[-1] // width + 1


SQUARE = (
    '<div id="square" onclick="window.hit = [event.clientX, event.clientY, event.isTrusted]" style="position: absolute;'
    ' left: {left}px; top: {top}px; width: 30px; height: 20px; background: #ff0000"></div>'
)


# ---- pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.devtools
def test_a_picture_of_the_viewport_has_the_fixed_size_whatever_the_page(show: Show) -> None:
    for body in ("", '<div style="width: 5000px; height: 9000px; background: #00f"></div>'):
        result = show(body).actions.capture_screen()
        done(result)
        assert opened(result.image).size == SCREEN == (1280, 800)
        assert "1280 x 800" in result.message


def test_the_page_sees_the_same_screen_as_the_picture_shows(show: Show) -> None:
    shown = show()
    assert shown.page("[innerWidth, innerHeight, devicePixelRatio, document.documentElement.clientWidth]") == [
        *SCREEN,
        1,
        SCREEN[0],
    ]


@pytest.mark.parametrize(("left", "top"), [(0, 0), (301, 517), (1250, 780)])
def test_the_pixels_of_a_picture_are_the_coordinates_of_a_press(show: Show, left: int, top: int) -> None:
    shown = show(SQUARE.format(left=left, top=top))
    box = box_of(opened(shown.actions.capture_screen().image), RED)
    assert box == (left, top, left + 30, top + 20)
    done(shown.actions.click((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    assert shown.page("hit") == [left + 15, top + 10, True]


def test_the_pixels_of_a_scrolled_page_are_the_coordinates_of_a_press(show: Show) -> None:
    shown = show('<div style="height: 3000px"></div>' + SQUARE.format(left=200, top=2000))
    done(shown.actions.scroll(0, 1500))
    box = box_of(opened(shown.actions.capture_screen().image), RED)
    done(shown.actions.click(box[0] + 3, box[1] + 4))
    assert shown.page("hit") == [box[0] + 3, box[1] + 4, True]


@pytest.mark.slow
@pytest.mark.devtools
def test_a_picture_of_the_full_page_shows_all_of_it_and_the_page_stays_where_it_is(show: Show) -> None:
    shown = show('<div style="height: 3000px"></div>' + SQUARE.format(left=100, top=2500))
    image = opened(shown.actions.capture_screen("full").image)
    assert image.width == SCREEN[0]
    assert image.height >= 3000
    assert box_of(image, RED) == (100, 2500, 130, 2520)
    assert shown.page("[scrollX, scrollY, innerWidth, innerHeight]") == [0, 0, *SCREEN]


@pytest.mark.slow
@pytest.mark.devtools
def test_a_picture_of_an_enormous_page_ends_at_a_height_that_can_be_drawn(show: Show) -> None:
    result = show('<div style="height: 200000px; width: 50000px"></div>').actions.capture_screen("full")
    done(result)
    width, height = opened(result.image).size
    assert height == 16_384
    assert width == 4_096


@pytest.mark.devtools
def test_a_picture_of_an_element_has_a_border_around_it_that_the_page_does_not_notice(show: Show) -> None:
    shown = show(
        '<div style="height: 3000px"></div>'
        '<textarea name=a style="width: 300px; height: 100px; border: 0; padding: 0; background: #f00">'
        "</textarea><div style='height: 3000px'></div>"
    )
    before = shown.page("document.documentElement.outerHTML")
    image = opened(shown.actions.capture_screen("element", "a").image)
    assert image.size == SCREEN
    inner, outer = box_of(image, RED), box_of(image, BORDER_COLOUR)
    assert (inner[2] - inner[0], inner[3] - inner[1]) == (300, 100)
    assert [outer[0] < inner[0], outer[1] < inner[1], outer[2] > inner[2], outer[3] > inner[3]] == [True] * 4
    assert outer[2] - outer[0] <= 320
    assert shown.page("document.documentElement.outerHTML") == before


@pytest.mark.devtools
def test_a_picture_of_a_label_stands_for_a_control_that_is_drawn_by_its_label(show: Show) -> None:
    done(show(file="broken-labels").actions.capture_screen("element", "custom"))


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("element",), ErrorCode.WRONG_ARGUMENT, ("name",)),
        (("element", "nobody"), ErrorCode.NO_SUCH_FIELD, ("'nobody'", "'person'")),
        (("element", "unseen"), ErrorCode.NOT_VISIBLE, ("not visible",)),
        (("whole",), ErrorCode.WRONG_ARGUMENT, ("'viewport'", "'full'", "'element'")),
    ],
)
def test_an_impossible_picture_is_refused_with_the_reason(
    show: Show, arguments: tuple[str, ...], code: ErrorCode, words: tuple[str, ...]
) -> None:
    refused(show(file="text").actions.capture_screen(*arguments), code, *words)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["left: -9999px", "top: -500px; left: 0", "top: 900px; left: 0", "left: 1300px"])
def test_a_field_off_the_screen_cannot_be_brought_into_view(show: Show, place: str) -> None:
    shown = show(f'<input name=a style="position: fixed; {place}">')
    refused(shown.actions.capture_screen("element", "a"), ErrorCode.OUT_OF_VIEW, "'a'", "view")
    refused(shown.actions.scroll_to("a"), ErrorCode.OUT_OF_VIEW, "'a'", "view")
    refused(shown.actions.modify_text("a", "x"), ErrorCode.OUT_OF_VIEW, "'a'", "view")


@pytest.mark.devtools
def test_each_picture_is_kept_once_under_its_hash(show: Show) -> None:
    shown = show("Still")
    first, second = shown.actions.capture_screen(), shown.actions.capture_screen()
    assert first.image == second.image
    assert list(shown.actions.trajectory.images.values()) == [first.image]
    assert [step.image for step in shown.actions.trajectory.steps] == list(shown.actions.trajectory.images) * 2


# ---- presses and keys -------------------------------------------------------------------------------------------


@pytest.mark.devtools
@pytest.mark.parametrize(("x", "y"), [(-1, 5), (5, -0.5), (1280, 5), (5, 800), (10**9, 0)])
def test_a_press_outside_the_screen_is_refused_with_its_size(show: Show, x: float, y: float) -> None:
    shown = show()
    refused(shown.actions.click(x, y), ErrorCode.OFF_SCREEN, "off the screen", "1280 x 800")
    assert shown.events("mousedown") == []


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("x", "y", "code"),
    [
        ("left", 5, ErrorCode.NOT_A_NUMBER),
        (None, 5, ErrorCode.NOT_A_NUMBER),
        (float("nan"), 5, ErrorCode.WRONG_ARGUMENT),
        ([1], 2, ErrorCode.NOT_A_NUMBER),
    ],
)
def test_a_press_at_no_number_is_refused(show: Show, x: object, y: object, code: ErrorCode) -> None:
    refused(show().actions.click(x, y), code, "number")  # type: ignore[arg-type]


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("far", ErrorCode.NOT_A_NUMBER),
        (None, ErrorCode.NOT_A_NUMBER),
        ([1], ErrorCode.NOT_A_NUMBER),
        (float("inf"), ErrorCode.WRONG_ARGUMENT),
    ],
)
def test_scrolling_by_no_number_is_refused(show: Show, amount: object, code: ErrorCode) -> None:
    refused(show().actions.scroll(0, amount), code, "number")  # type: ignore[arg-type]


def test_a_press_works_a_control(show: Show) -> None:
    shown = show(
        '<input type=checkbox name=a style="position: fixed; left: 100px; top: 100px; width: 20px; height: 20px">'
    )
    done(shown.actions.click(110, 110))
    assert shown.sent()["a"] == ("on",)


CHARACTERS = string.ascii_letters + string.digits + string.punctuation + " "
CODES = {
    "a": ("KeyA", 65, False),
    "Z": ("KeyZ", 90, True),
    "7": ("Digit7", 55, False),
    "&": ("Digit7", 55, True),
    ")": ("Digit0", 48, True),
    ";": ("Semicolon", 186, False),
    ":": ("Semicolon", 186, True),
    '"': ("Quote", 222, True),
    "|": ("Backslash", 220, True),
    "~": ("Backquote", 192, True),
    "?": ("Slash", 191, True),
    "_": ("Minus", 189, True),
    " ": ("Space", 32, False),
}


def test_every_ascii_character_is_typed_by_a_trusted_key_press(show: Show) -> None:
    shown = show("<input name=a autofocus>")
    done(shown.actions.type(CHARACTERS))
    downs = [event for event in shown.page("seen") if event["type"] == "keydown" and event["key"] != "Shift"]
    assert "".join(event["key"] for event in downs) == CHARACTERS
    assert all(event["trusted"] and event["code"] and event["number"] for event in downs)
    found = {event["key"]: (event["code"], event["number"], event["shift"]) for event in downs}
    assert {key: found[key] for key in CODES} == CODES
    assert shown.sent()["a"] == (CHARACTERS,)


@pytest.mark.parametrize("text", ["żółć", "日本語", "🦊👩‍👩‍👧", "שלום", "e\u0301"])
def test_characters_that_no_key_types_arrive_too(show: Show, text: str) -> None:
    shown = show("<input name=a autofocus>")
    done(shown.actions.type(text))
    assert shown.page("document.querySelector('[name=a]').value") == text


@pytest.mark.slow
def test_a_long_text_is_typed_in_order(show: Show) -> None:
    text = "".join(f"{number} " for number in range(300))
    shown = show("<textarea name=a autofocus spellcheck=false></textarea>")
    done(shown.actions.type(text))
    assert shown.sent()["a"] == (text,)


def test_enter_breaks_the_line_in_a_text_area(show: Show) -> None:
    shown = show("<textarea name=a autofocus></textarea>")
    done(shown.actions.type("one\ntwo\r\nthree\rfour"))
    assert shown.sent()["a"] == ("one\ntwo\nthree\nfour",)


def test_enter_in_a_one_line_field_submits_the_form_and_ends_the_episode(show: Show) -> None:
    shown = show("<input name=a autofocus><input name=b>")
    done(shown.actions.type("done\n"))
    assert shown.actions.submitted
    refused(shown.actions.modify_text("b", "late"), ErrorCode.ALREADY_SUBMITTED, "submitted", "over")
    refused(shown.actions.get_html(), ErrorCode.ALREADY_SUBMITTED, "submitted")
    submission = shown.submit()
    assert (submission.via, submission.accepted) == ("solver", True)
    assert submission.values["a"] == ("done",)


def test_tab_moves_to_the_next_field(show: Show) -> None:
    shown = show("<input name=a autofocus><input name=b>")
    done(shown.actions.type("one\ttwo"))
    assert shown.sent()["a"] == ("one",)
    assert shown.page("document.querySelector('[name=b]').value") == "two"


def test_keys_go_where_the_press_before_them_went(show: Show) -> None:
    shown = show(
        '<input name=a autofocus><input name=b style="position: fixed; left: 100px; top: 300px; width: 200px">'
    )
    for _ in range(10):
        done(shown.actions.click(200, 305))
        done(shown.actions.type("x"))
        shown.page("document.querySelector('[name=a]').focus()")
    assert shown.sent()["b"] == ("x" * 10,)


@pytest.mark.slow
def test_the_first_press_on_a_page_is_not_lost(show: Show) -> None:
    for _ in range(6):
        shown = show(
            '<input type=checkbox name=a style="position: fixed; left: 100px; top: 100px; width: 20px; height: 20px">'
        )
        done(shown.actions.click(110, 110))
        assert shown.sent()["a"] == ("on",)


@pytest.mark.slow
def test_the_first_modification_on_a_page_is_not_lost(show: Show) -> None:
    for _ in range(6):
        shown = show("<input type=radio name=a value=1><script>for (let i = 0; i < 1e6; i++) ;</script>")
        done(shown.actions.modify_radio("a", "1"))


@pytest.mark.devtools
def test_typing_something_that_is_no_text_types_it_as_text(show: Show) -> None:
    shown = show("<input name=a autofocus>")
    done(shown.actions.type(12))  # type: ignore[arg-type]
    assert shown.sent()["a"] == ("12",)


def test_the_screen_of_the_page_is_its_display(show: Show) -> None:
    display = DevtoolsInput(show().browser)
    assert display.size == display.maximize() == SCREEN
    assert opened(display.capture()).size == SCREEN

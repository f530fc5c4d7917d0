from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from harness.browser.launch import SCREEN
from harness.observe.screenshots import COLOURS
from tests.conftest import Show

TALL = """<p><label><input type="radio" name="first" value="1"> one</label>
<button type="button" style="position:absolute;left:300px;top:100px;width:120px;height:40px">Go</button></p>
<div style="height:2000px"></div><input name="last" style="width:200px">"""


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_marks_name_the_fields_on_the_screen(show: Show) -> None:
    _, actions = show(TALL)
    picture = actions.observation.picture("marks")
    assert picture
    assert picture.marks == {1: "first", 2: None}
    assert opened(picture.png).size == SCREEN


def test_marks_of_the_whole_page_name_all_fields(show: Show) -> None:
    _, actions = show(TALL)
    picture = actions.observation.picture("marks-full")
    assert picture
    assert picture.marks == {1: "first", 2: None, 3: "last", 4: None}
    assert opened(picture.png).height > 2000


def test_a_box_is_drawn_around_what_can_be_operated_and_nowhere_else(show: Show) -> None:
    _, actions = show(TALL)
    plain, marked = actions.observation.picture("viewport"), actions.observation.picture("marks")
    assert plain
    assert marked
    assert opened(marked.png).getpixel((299, 120)) == COLOURS[2]
    changed = ImageChops.difference(opened(plain.png), opened(marked.png))
    assert changed.crop((0, 160, *SCREEN)).getbbox() is None
    assert changed.crop((320, 115, 420, 140)).getbbox() is None


def test_marks_are_not_drawn_on_the_page(show: Show) -> None:
    shown = show(TALL)
    before = shown.actions.observation.digest()
    shown.actions.observation.picture("marks")
    shown.actions.observation.picture("element", "first")
    assert shown.actions.observation.digest() == before


def test_a_field_out_of_sight_is_scrolled_to_which_is_a_step(show: Show) -> None:
    shown = show(TALL)
    assert shown.actions.observation.picture("marks", "first")
    assert not shown.actions.trajectory.steps
    picture = shown.actions.observation.picture("marks", "last")
    assert picture
    assert "last" in picture.marks.values()
    assert [step.action for step in shown.actions.trajectory.steps] == ["scroll_to('last')"]
    assert shown.page("scrollY") > 1000


def test_an_element_gets_a_border(show: Show) -> None:
    _, actions = show(TALL)
    plain, bordered = actions.observation.picture("viewport"), actions.observation.picture("element", "first")
    assert plain
    assert bordered
    left, top, right, bottom = ImageChops.difference(opened(plain.png), opened(bordered.png)).getbbox() or (0, 0, 0, 0)
    assert 0 < right - left < 60
    assert 0 < bottom - top < 60


def test_no_picture_is_none_and_unknown_modes_are_refused(show: Show) -> None:
    _, actions = show(TALL)
    assert actions.observation.picture("none") is None
    with pytest.raises(ValueError, match="unknown picture mode 'film'; there are none, viewport"):
        actions.observation.picture("film")
    with pytest.raises(ValueError, match="needs the name of a field"):
        actions.observation.picture("element")

"""The film of what a program from outside does over DevTools."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.episode import film as film_module
from harness.episode.film import FilmedTrajectory
from harness.episode.play import PlayedPage, play_page
from harness.records.config import Limits
from harness.records.film import Frame
from tests.driving import Connection, Driving
from tests.runs import Stage, stage
from tests.task_folders import csv_text, make_task

TEMPLATE = """<title>Words</title><input name=a style='position:absolute;left:20px;top:20px;width:200px'>
<button type=button id=b style='position:absolute;left:20px;top:80px;width:100px;height:40px'
 onclick='document.body.style.background = "gold"; this.textContent = "Pressed"'>Press me</button>
<p style='position:absolute;top:3000px'>${text}</p>"""


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    make_task(folder, "Plain", template=TEMPLATE, table=csv_text(["text", "Answer.a"], ["x", "yes"]))
    with stage(folder) as made:
        yield made


def film(at: Stage, drive: Callable[[Connection], None]) -> tuple[PlayedPage, list[Frame]]:
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    played, trajectory = play_page(session, Driving(drive), at.assignment("Plain"), Limits(), film="png")
    assert played.end.detail == ""
    assert played.end.outcome == "scored"
    assert isinstance(trajectory, FilmedTrajectory)
    made = trajectory.film()
    named = {name for frame in made.film.frames for name in (frame.picture, frame.html) if name}
    assert named == set(made.pictures)
    return played, list(made.film.frames)


def selector(frame: Frame) -> str:
    """Of what was acted on; empty if nothing was."""
    return frame.target.css if frame.target else ""


def press(page: Connection, x: float, y: float) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def type_text(page: Connection, text: str) -> None:
    for letter in text:
        page.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=letter)


def test_clicks_typing_and_scrolling_are_frames_with_what_they_were_done_to(at: Stage):
    def drive(page: Connection) -> None:
        press(page, 60, 30)
        type_text(page, "yes")
        press(page, 60, 100)
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=300, y=300, deltaX=0, deltaY=500)

    played, frames = film(at, drive)
    assert played.body.values["a"] == ("yes",)
    opened, clicked, _, pressed, scrolled = frames
    assert {frame.step for frame in frames} == {None}
    assert [frame.deed for frame in frames] == [
        "", "click (60, 30)", 'type "yes"', "click (60, 100)", "scroll (0, 500)",
    ]  # fmt: skip
    assert (opened.target, opened.title) == (None, "Words")
    assert selector(clicked) == 'input[name="a"]'
    assert selector(pressed) == "#b"
    assert (sum(frame.presses or 0 for frame in frames), sum(frame.keys or 0 for frame in frames)) == (2, 3)
    assert scrolled.picture
    assert scrolled.picture != opened.picture
    assert scrolled.scroll[1] == 500


def test_scripts_that_only_look_are_no_frames_and_one_that_changes_the_page_is(at: Stage):
    def drive(page: Connection) -> None:
        for _ in range(5):
            page.run("document.body.innerText")
        press(page, 60, 100)
        for _ in range(5):
            page.run("document.querySelector('input').value")
        page.run("document.querySelector('input').value = 'yes'")

    _, frames = film(at, drive)
    assert [frame.deed for frame in frames] == ["", "click (60, 100)", "script (6 calls)"]


def test_a_press_that_comes_close_behind_scripts_is_told_with_the_press(at: Stage):
    def drive(page: Connection) -> None:
        for _ in range(6):
            for x, y in ((60, 30), (60, 100)):
                page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
                page.run("document.body.innerText")
                press(page, x, y)

    _, frames = film(at, drive)
    assert [(frame.deed, selector(frame), frame.presses) for frame in frames[1:]] == [
        ("click (60, 30)", 'input[name="a"]', 1), ("click (60, 100)", "#b", 1),
    ] * 6  # fmt: skip


def test_a_page_that_is_loaded_again_is_filmed_on(at: Stage):
    def drive(page: Connection) -> None:
        page.call("Page.navigate", url=f"{page.run('location.href')}#again")
        page.run("document.body.id = 'before'")
        page.call("Page.reload")
        page.wait_for("document.readyState === 'complete' && document.body.id !== 'before'")
        press(page, 60, 100)

    _, frames = film(at, drive)
    assert [frame.deed.partition(" http")[0] for frame in frames if frame.deed[:6] != "script"] == [
        "", "navigate", "reload", "click (60, 100)",
    ]  # fmt: skip
    assert frames[-1].url.endswith("#again")
    assert selector(frames[-1]) == "#b"


def test_a_program_that_does_nothing_has_the_page_as_it_opened(at: Stage):
    _, frames = film(at, lambda _: None)
    assert [frame.deed for frame in frames] == [""]


def test_more_deeds_than_there_is_room_for_are_counted(at: Stage, monkeypatch):
    monkeypatch.setattr(film_module, "MOST_FRAMES", 12)

    def drive(page: Connection) -> None:
        for number in range(30):
            press(page, 300 + number, 300)

    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    _, trajectory = play_page(session, Driving(drive), at.assignment("Plain"), Limits(), film="png")
    assert isinstance(trajectory, FilmedTrajectory)
    made = trajectory.film().film
    assert (len(made.frames), len(made.frames) + made.left_out) == (12, 31)

"""A browser's window among others on a larger screen: its page area is found."""

from __future__ import annotations

import io
import threading

import pytest
from PIL import Image

from harness.browser.desktop import desktop_input as desktop
from harness.browser.desktop.desktop_input import DesktopInput, DesktopSessions
from harness.browser.desktop.xserver import NoDisplay, XServer
from harness.browser.launch import SCREEN, BrowserSettings
from tests.needs import DISPLAY, require
from tests.site import in_page

PAGE = """<!doctype html><title>window</title><style>body { margin: 0; height: 100vh; background: rgb(9, 8, 7) }</style>
<script>
  const presses = [];
  addEventListener("click", (event) => presses.push([event.clientX, event.clientY]));
</script>"""


@pytest.fixture(scope="module")
def session(site):
    require(*DISPLAY)
    with XServer.start((1700, 1100)) as screen:
        session = DesktopSessions(XServer(screen.name)).session(BrowserSettings(site.origin))
        session.browser.open(site.put(PAGE))
        session.browser.run("page.frame")
        yield session
        session.input.close()
        session.browser.close()


def test_pictures_and_presses_of_a_window_with_a_toolbar_are_of_its_page_area(session):
    width, height = SCREEN
    image = Image.open(io.BytesIO(session.input.capture()))
    assert image.getcolors() == [(width * height, (9, 8, 7))]
    points = [[0, 0], [width - 1, height - 1], [640, 400]]
    for x, y in points:
        session.input.click(x, y)
    assert in_page(session.browser, "presses.splice(0)") == points


@pytest.mark.slow
def test_a_movement_that_reaches_the_page_late_is_waited_for(session, site, monkeypatch):
    box = "<!doctype html><style>b { position: absolute; left: 600px; top: 300px; padding: 50px }</style><b></b>"
    session.browser.open(site.put(box))
    display = session.input
    display.hover(10, 10)
    at_once, late = display._input.move, []

    def move(x: int, y: int) -> None:
        late.append(threading.Timer(0.3, at_once, (x, y)))
        late[0].start()

    monkeypatch.setattr(display._input, "move", move)
    display.hover(650, 350)
    assert in_page(session.browser, "document.querySelector('b').matches(':hover')")
    late[0].join()


def test_a_window_that_is_still_growing_is_looked_at_again(session, monkeypatch):
    late = [NoDisplay("too small yet"), NoDisplay("too small yet"), (0, 0)]

    def locate(*_: object) -> tuple[int, int]:
        answer = late.pop(0)
        if isinstance(answer, NoDisplay):
            raise answer
        return answer

    monkeypatch.setattr(session.input, "locate", locate)
    desktop.find_page_area(session.input, session.browser, 800, 600)
    assert late == []


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ([None], "covered by another"),
        ([[900, 400]], "not wholly on the screen"),
        ([[300, 900]], "not wholly on the screen"),
        ([[0, 400]], "not wholly on the screen"),
        ([[600, 0]], "not wholly on the screen"),
        ([[600, 400], None], "does not show the whole page area"),
        ([[600, 400], [1200, 799]], "does not show the whole page area"),
    ],
)
def test_a_window_that_does_not_show_the_whole_page_area_is_refused(session, seen, reason):
    display = session.input
    assert isinstance(display, DesktopInput)
    answers = iter(seen)

    def evaluate(expression: str) -> object:
        return next(answers) if expression == "window.harnessPointer" else 0

    with pytest.raises(NoDisplay, match=reason):
        display.locate(evaluate, 800, 600)

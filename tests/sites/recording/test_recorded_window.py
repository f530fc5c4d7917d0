"""What a person does in the window of the recorded browser beside its pages: address bar, ways, tabs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from harness.browser.desktop.xinput import XInput
from harness.browser.desktop.xserver import XServer
from harness.browser.launch import HEADED_MARGIN, SCREEN
from harness.episode.site_assignment import SiteSetting
from harness.sites.recording.order import RecordingOrder
from harness.sites.recording.recorded_session import RecordedSession
from harness.sites.recording.step_maker import StepMaker
from tests.needs import DISPLAY, require
from tests.site import Site
from tests.websites import ORIGIN, whole

LOOKS = 60
"""How often something is looked for that the browser does after a key."""
TRIES = 10
"""How often a key is pressed that was lost."""


@dataclass
class Window:
    """The window of a recorded browser, and the keyboard in front of it."""

    session: RecordedSession
    keys: XInput
    maker: StepMaker = field(default_factory=StepMaker)

    def hears(self) -> bool:
        """Hear what is done until it is a further step; whether it became one."""
        before = len(self.maker.steps)
        for _ in range(LOOKS):
            for act in self.session.listen():
                self.maker.take(act)
            if len(self.maker.steps) > before:
                return True
            self.session.site.root.comes_true(lambda: False, 0.05)
        return False

    def does(self, act: Callable[[], None], what: str) -> None:
        """Do something until it has become a step: a window that opens, or shows another page, loses keys."""
        before = len(self.maker.steps)
        for _ in range(TRIES):
            act()
            if self.hears() and self.maker.steps[-1].value == what:
                del self.maker.steps[before:-1]  # what came of a part of the keys
                return
        pytest.fail(f"the window takes no keys; the steps are {self.maker.steps}")

    def press(self, *keys: str, value: str = "") -> None:
        """Press keys together, which gives a step of this value."""
        self.does(lambda: self.keys.chord(*keys), value)

    def go_to(self, url: str) -> None:
        """Write an address into the address bar."""

        def write() -> None:
            self.keys.chord("ctrl", "l")
            self.keys.write(url)
            self.keys.chord("enter")

        self.does(write, url)


@pytest.fixture
def window(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    require(*DISPLAY)
    site.put(whole("Next", "<p>There</p>"), "/next/")
    site.put(whole("Home", "<p>Here</p>"), "/")
    order = RecordingOrder(start=f"{ORIGIN}/", origins=(ORIGIN,), setting=SiteSetting("shop"), headed=True)
    with XServer.start((1500, 1100)) as display:
        monkeypatch.setenv("DISPLAY", display.name)
        with (
            contextlib.closing(XInput(display)) as keys,
            contextlib.closing(RecordedSession(order, site.origin)) as live,
        ):
            live.open("")
            yield Window(live, keys)


@pytest.mark.slow
def test_what_is_done_beside_the_page_is_recorded(window: Window) -> None:
    window.go_to(f"{ORIGIN}/next/")
    window.press("alt", "left")
    window.press("alt", "right")
    window.press("f5")
    window.press("ctrl", "t")
    window.press("ctrl", "w", value="1")
    assert [(step.do, step.value) for step in window.maker.steps] == [
        ("goto", f"{ORIGIN}/next/"),
        ("go_back", ""),
        ("go_forward", ""),
        ("reload", ""),
        ("new_tab", ""),
        ("close_tab", "1"),
    ]


@pytest.mark.slow
def test_the_window_is_the_only_one_and_ends_where_its_page_does(window: Window) -> None:
    site = window.session.site
    told = site.root.call("Target.getTargets")["targetInfos"]
    assert [each["url"] for each in told if each["type"] == "page"] == [f"{ORIGIN}/"]
    place = site.root.call("Browser.getWindowForTarget", targetId=site.tab.target)["bounds"]
    assert SCREEN[1] < place["height"] < SCREEN[1] + HEADED_MARGIN

"""On the desktop, no key that a model presses reaches the browser around the page, or opens a dialog."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from harness.browser.chord import MODIFIERS, NAMED, Chord, ShortcutRefused, check_page_key
from harness.browser.desktop.desktop_input import DesktopInput
from harness.browser.input_back_end import BrowserSession
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from tests.conftest import Show
from tests.site import Site, done, in_page, refused, whole_page

SHORTCUTS = [
    *(f"Control+{key}" for key in "odsplwtnujhefgkrqm0+-1"),
    *(f"Control+Shift+{key}" for key in ("I", "J", "C", "T", "N", "P", "W", "O", "B", "D", "M", "Q", "Delete", "Tab")),
    *(f"Control+{key}" for key in ("Tab", "PageUp", "PageDown", "F4", "F5", "Escape")),
    *(f"Alt+{key}" for key in ("F4", "F2", "ArrowLeft", "ArrowRight", "Home", "d", "f", "e", "Tab", "Space", "Enter")),
    *("Control+Alt+Delete", "Control+Alt+t", "Control+Alt+F1", "Shift+Alt+t", "Alt+Shift+Tab", "Control+Control+t"),
    *("Shift+Escape", "Shift+F10", "Control+shift+i", "ctrl+s".replace("ctrl", "control")),
    *(f"F{number}" for number in range(1, 13)),
]
PAGE_KEYS = [
    *("a", "Z", "1", "+", "é", " ", "Space", "Enter", "Tab", "Shift+Tab", "Escape", "Backspace", "Delete", "Insert"),
    *(
        "Home",
        "End",
        "PageUp",
        "PageDown",
        "ArrowLeft",
        "ArrowDown",
        "Shift+ArrowLeft",
        "Shift+End",
        "Shift+a",
        "Shift+1",
    ),
    *(f"Control+{key}" for key in ("a", "c", "x", "v", "z", "y", "ArrowLeft", "Home", "End", "Backspace", "Enter")),
    *("Control+Shift+ArrowLeft", "Control+Shift+z", "Shift+Control+End", "Alt+ArrowDown"),
]
DIALOGS = ["o", "s", "p"]
"""Pressed with Control, a dialog of the browser: open a file, save the page, print it."""


@pytest.fixture(scope="module")
def refusing(site: Site, desktop: BrowserSession) -> Actions:
    """The actions on a page with a field, on the desktop; what is refused there leaves it as it is."""
    return opened(site, desktop)


@pytest.fixture
def act(site: Site, desktop: BrowserSession) -> Actions:
    """The same on a page of the test's own."""
    return opened(site, desktop)


def opened(site: Site, desktop: BrowserSession) -> Actions:
    desktop.browser.open(site.put(whole_page("<input name=a autofocus value='words'>")))
    desktop.browser.run("page.frame")
    return Actions(desktop.browser, desktop.input, Trajectory())


def windows(desktop: BrowserSession) -> int:
    """Windows of programs that the display shows."""
    assert isinstance(desktop.input, DesktopInput)
    root = desktop.input._input._gui.platformModule._display.screen().root
    return sum(window.get_attributes().map_state == 2 for window in root.query_tree().children)


@pytest.mark.claim("desktop-keys")
@pytest.mark.parametrize("key", SHORTCUTS)
def test_a_shortcut_of_the_browser_or_the_desktop_is_refused(
    refusing: Actions, desktop: BrowserSession, key: str
) -> None:
    before = windows(desktop)
    refused(refusing.press(key), ErrorCode.BROWSER_SHORTCUT, "not of the page")
    assert in_page(desktop.browser, "seen.filter(({ type }) => type === 'keydown')") == []
    assert windows(desktop) == before


@pytest.mark.parametrize("key", [key for key in PAGE_KEYS if key != "é"])
def test_a_key_of_the_page_reaches_it(act: Actions, desktop: BrowserSession, key: str) -> None:
    done(act.press(key))
    assert in_page(desktop.browser, "seen.some(({ type, trusted }) => type === 'keydown' && trusted)")


@pytest.mark.claim("desktop-keys")
def test_every_key_with_every_modifier_is_the_page_s_or_refused() -> None:
    let_through = set()
    for modifier in MODIFIERS:
        for name in (*NAMED, *"abcdefghijklmnopqrstuvwxyz0123456789"):
            try:
                check_page_key(Chord.parse(f"{modifier}+{name}"))
            except ShortcutRefused:
                continue
            if modifier != "Shift":
                let_through.add(f"{modifier}+{name}")
    assert let_through == {
        *("Alt+ArrowDown", "Alt+ArrowUp"),
        *(f"Control+{key}" for key in "acvxzybi"),
        *(f"Control+{key}" for key in ("Enter", "Backspace", "Delete", "Insert", "Home", "End")),
        *(f"Control+Arrow{way}" for way in ("Left", "Right", "Up", "Down")),
    }


@pytest.mark.claim("desktop-dialogs")
@pytest.mark.parametrize("key", DIALOGS)
def test_a_shortcut_that_got_through_would_open_no_dialog(act: Actions, desktop: BrowserSession, key: str) -> None:
    del act
    assert isinstance(desktop.input, DesktopInput)
    before = windows(desktop)
    desktop.input._input.chord("ctrl", key)
    for _ in range(20):
        desktop.browser.run("page.frame")
    assert windows(desktop) == before
    assert in_page(desktop.browser, "document.forms.length") == 1


@pytest.mark.claim("keys-without-window")
@pytest.mark.parametrize("key", ["Control+o", "Control+s", "Control+w", "Control+t", "F12", "Alt+F4"])
def test_without_a_window_a_shortcut_is_a_key_of_the_page_and_does_nothing_else(show: Show, key: str) -> None:
    shown = show("<input name=a autofocus>")
    before = shown.browser.channel.call("Target.getTargets")["targetInfos"]
    done(shown.actions.press(key))
    shown.browser.run("page.frame")
    assert "keydown" in [event["type"] for event in shown.page("seen")]
    assert len(shown.browser.channel.call("Target.getTargets")["targetInfos"]) == len(before)

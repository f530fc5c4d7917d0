"""AMT's elements that hold no answer."""

from __future__ import annotations

from tests.site import Shown
from tests.standins.conftest import ShowCrowd


def is_seen(shown: Shown, selector: str) -> bool:
    seen = shown.page(f"document.querySelector({selector!r}).checkVisibility()")
    assert isinstance(seen, bool)
    return seen


def press(shown: Shown, text: str) -> None:
    shown.page(f"void Array.from(document.querySelectorAll('button')).find((b) => b.innerText === {text!r}).click()")


def test_a_tab_shows_its_panel_and_hides_the_others_by_mouse_and_by_keyboard(crowd: ShowCrowd) -> None:
    shown = crowd(file="layout")
    assert (is_seen(shown, "[name=one]"), is_seen(shown, "[name=two]")) == (True, False)
    press(shown, "Two")
    assert (is_seen(shown, "[name=one]"), is_seen(shown, "[name=two]")) == (False, True)
    shown.page("void document.querySelector('[role=tab][aria-selected=true]').focus()")
    shown.actions.press("ArrowLeft")
    assert (is_seen(shown, "[name=one]"), is_seen(shown, "[name=two]")) == (True, False)


def test_what_is_in_hidden_tabs_and_windows_is_sent(crowd: ShowCrowd) -> None:
    assert {"one", "two", "inside"} <= crowd(file="layout").sent().keys()


def test_instructions_open_at_their_link_and_close_again(crowd: ShowCrowd) -> None:
    shown = crowd(file="layout")
    assert not is_seen(shown, "detailed-instructions")
    press(shown, "How to do it")
    assert is_seen(shown, "detailed-instructions")
    assert "Not so" in shown.page("document.querySelector('crowd-instructions dialog').innerText")
    shown.actions.press("Escape")
    assert not is_seen(shown, "detailed-instructions")


def test_scripts_open_and_close_a_window(crowd: ShowCrowd) -> None:
    shown = crowd(file="layout")
    shown.page("void document.getElementById('window').open()")
    assert is_seen(shown, "[name=inside]")
    shown.page("void document.getElementById('window').close()")
    assert not is_seen(shown, "[name=inside]")


def test_an_alert_goes_when_it_is_dismissed(crowd: ShowCrowd) -> None:
    shown = crowd(file="layout")
    assert "Mind the gap" in shown.page("document.body.innerText")
    shown.page("void document.querySelector('crowd-alert button').click()")
    assert "Mind the gap" not in shown.page("document.body.innerText")


def test_a_toast_is_seen_while_it_is_opened(crowd: ShowCrowd) -> None:
    shown = crowd(file="layout")
    assert not is_seen(shown, "#note")
    shown.page("void document.getElementById('note').show()")
    assert is_seen(shown, "#note")
    shown.page("void document.getElementById('note').hide()")
    assert not is_seen(shown, "#note")


def test_a_tooltip_is_seen_while_the_mouse_is_on_what_it_is_about(crowd: ShowCrowd) -> None:
    shown = crowd("<span id=word>word</span><crowd-tooltip for=word>what it means</crowd-tooltip>")
    x, y = shown.page("(({ x, y }) => [x + 3, y + 3])(document.getElementById('word').getBoundingClientRect())")
    assert not is_seen(shown, "crowd-tooltip")
    shown.actions.hover(x, y)
    assert is_seen(shown, "crowd-tooltip")


def test_attributes_that_script_changes_are_shown(crowd: ShowCrowd) -> None:
    shown = crowd(file="layout")
    shown.page(
        "void (document.querySelector('crowd-card').setAttribute('heading', 'Another card'),"
        " document.querySelector('crowd-badge').setAttribute('label', '8'),"
        " document.querySelector('crowd-instructions').setAttribute('link-text', 'Read me'))"
    )
    text = shown.page("document.body.innerText")
    assert all(words in text for words in ("Another card", "8", "Read me"))

"""crowd-form and crowd-button: one real form, one way to submit it, and the page's own scripts."""

from __future__ import annotations

import pytest

from harness.catalog.template.wrapping import wrap
from tests.conftest import Show
from tests.site import done
from tests.standins.conftest import ELEMENTS, ShowCrowd

SEEN_BUTTONS = (
    "Array.from(document.querySelectorAll('button, input[type=submit]')).filter((b) =>"
    " b.checkVisibility()).map((b) => b.value || b.innerText)"
)


def test_a_page_has_one_form_with_one_submit_button_with_and_without_the_script(crowd: ShowCrowd, show: Show) -> None:
    page = "<crowd-form><input name=a value=x></crowd-form>"
    for shown in (crowd("<input name=a value=x>"), show(whole=wrap(page))):
        assert shown.page("document.forms.length") == 1
        assert shown.page(SEEN_BUTTONS) == ["Submit"]
        submission = shown.submit()
        assert submission.accepted
        assert submission.values["a"] == ("x",)
        assert submission.values["assignmentId"] == ("assignment",)


@pytest.mark.parametrize(
    ("button", "words"),
    [
        ("<crowd-button form-action='submit'>Send it</crowd-button>", "Send it"),
        ("<button>Send it</button>", "Send it"),
        ("<input type=submit value='Send it'>", "Send it"),
    ],
)
def test_a_submit_button_of_the_page_is_the_only_one(crowd: ShowCrowd, button: str, words: str) -> None:
    shown = crowd(f"<input name=a value=x>{button}")
    assert shown.page(SEEN_BUTTONS) == [words]
    assert shown.submit().accepted


def test_a_crowd_button_without_the_script_leaves_the_page_submittable(show: Show) -> None:
    shown = show(
        whole=wrap("<crowd-form><input name=a value=x><crowd-button form-action=submit>Go</crowd-button></crowd-form>")
    )
    assert shown.submit().accepted


def test_buttons_do_what_their_action_says(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-input name=a value=x></crowd-input><crowd-button id=none>No</crowd-button>"
        "<crowd-button id=reset form-action=reset>Reset</crowd-button><crowd-button id=off disabled>Off</crowd-button>"
        "<crowd-button id=late>Late</crowd-button>"
    )
    shown.page(
        "void (pressed = [], document.addEventListener('click', (e) =>"
        " pressed.push(e.target.closest('crowd-button')?.id)))"
    )
    done(shown.actions.modify_text("a", "y"))
    shown.page("void document.getElementById('late').setAttribute('form-action', 'submit')")
    for button in ("none", "off", "reset"):
        shown.page(f"void document.getElementById('{button}').click()")
    assert shown.page("pressed")[-2:] == ["none", "reset"]
    assert shown.page("document.querySelector('crowd-input').value") == "x"
    shown.page("void document.getElementById('late').click()")
    assert shown.submit().via == "solver"


def test_the_listener_on_crowd_form_sees_a_submission_and_can_stop_it(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-input name=a></crowd-input><script>document.querySelector('crowd-form').onsubmit = (event) => {"
        " if (!document.querySelector('crowd-input').value) { event.preventDefault(); alert('a name,"
        " please'); } };</script>"
    )
    assert shown.submit().dialogs == ("alert:a name, please",)
    done(shown.actions.modify_text("a", "x"))
    shown.page("void document.getElementById('submitButton').click()")
    assert shown.submit().via == "solver"


def test_the_listener_on_crowd_form_hears_of_a_form_around_it(crowd: ShowCrowd) -> None:
    shown = crowd(
        whole=f"{ELEMENTS}<form><crowd-form><input name=a></crowd-form></form>"
        "<script>document.querySelector('crowd-form').onsubmit = () => { alert('no'); return false; };</script>"
    )
    submission = shown.submit()
    assert not submission.accepted
    assert submission.dialogs == ("alert:no",)


def test_scripts_submit_by_the_element(crowd: ShowCrowd) -> None:
    shown = crowd("<input name=a value=x required>")
    shown.page("void document.querySelector('crowd-form').submit()")
    submission = shown.submit()
    assert (submission.via, submission.values["a"]) == ("solver", ("x",))


@pytest.mark.parametrize(
    "when", ["", "addEventListener('load', () => ", "document.addEventListener('DOMContentLoaded', () => "]
)
def test_pages_hear_that_all_elements_are_ready(crowd: ShowCrowd, when: str) -> None:
    listen = (
        "document.addEventListener('all-crowd-elements-ready', () => {"
        " document.querySelector('crowd-input').value = 'ready'; })"
    )
    shown = crowd(f"<crowd-input name=a></crowd-input><script>{when}{listen}{')' if when else ''}</script>")
    assert shown.sent()["a"] == ("ready",)


def test_a_page_that_was_not_wrapped_gets_a_form_and_a_button(show: Show) -> None:
    shown = show(whole=f"{ELEMENTS}<crowd-form><crowd-input name=a value=x></crowd-input></crowd-form>")
    assert shown.page(SEEN_BUTTONS) == ["Submit"]
    submission = shown.submit()
    assert submission.accepted
    assert submission.values == {"a": ("x",)}


def test_elements_that_a_stray_end_tag_puts_outside_the_form_are_sent(crowd: ShowCrowd) -> None:
    shown = crowd(
        whole=f"{ELEMENTS}<div><crowd-form><crowd-input name=a value=x></crowd-input></div>"
        "<crowd-input name=b value=y></crowd-input></crowd-form>"
    )
    sent = shown.sent()
    assert (sent["a"], sent["b"]) == (("x",), ("y",))


def test_controls_of_a_crowd_form_beside_a_form_in_it_are_sent(crowd: ShowCrowd) -> None:
    shown = crowd("<input name=a value=x><form><input name=b value=y></form><select name=c><option>z</select>")
    sent = shown.sent()
    assert [sent[name] for name in "abc"] == [("x",), ("y",), ("z",)]

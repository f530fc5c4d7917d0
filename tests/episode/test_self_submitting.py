"""Pages whose scripts submit the form: it is known when the action ends, though a browser sends it in a later task."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.actions.result import ErrorCode
from harness.episode.library import Actions
from tests.conftest import Show
from tests.site import done, refused

SEND = "this.form.submit()"


def press(actions: Actions) -> object:
    return actions.click(20, 20)


def press_numbered(actions: Actions) -> object:
    """The first element with a number is the button."""
    return actions.click_element(next(node.ref for node in actions.observation.snapshot().nodes if node.ref))


AT_CORNER = "style='position: fixed; left: 0; top: 0; width: 60px; height: 60px'"
PAGES: dict[str, tuple[str, Callable[[Actions], object]]] = {
    "text": (f"<input name=a onchange='{SEND}'>", lambda act: act.modify_text("a", "2")),
    "radio": (f"<input type=radio name=a value=2 onchange='{SEND}'>", lambda act: act.modify_radio("a", "2")),
    "checkbox": (f"<input type=checkbox name=a value=2 onclick='{SEND}'>", lambda act: act.modify_checkbox("a", "2")),
    "list": (
        f"<select name=a onchange='{SEND}'><option>1<option>2</select>",
        lambda act: act.modify_select("a", "2"),
    ),
    "open list": (
        f"<select name=a size=2 onchange='{SEND}'><option>1<option>2</select>",
        lambda act: act.modify_select("a", "2"),
    ),
    "range": (f"<input type=range name=a min=0 max=4 value=1 onchange='{SEND}'>", lambda act: act.modify_range("a", 2)),
    "press": (f"<input type=hidden name=a value=2><button type=button {AT_CORNER} onclick='{SEND}'>go</button>", press),
    "press on a number": (
        f"<input type=hidden name=a value=2><button type=button {AT_CORNER} onclick='{SEND}'>go</button>",
        press_numbered,
    ),
    "key": (
        f"<input type=hidden name=a value=2><input id=k autofocus onkeydown='{SEND}'>",
        lambda act: act.press("x"),
    ),
    "stopped event": (
        f"<input type=hidden name=a value=2><button {AT_CORNER}>go</button>"
        "<script>document.forms[0].addEventListener('submit', (event) => event.stopPropagation())</script>",
        press,
    ),
}


@pytest.mark.slow
@pytest.mark.devtools
@pytest.mark.parametrize("method", ["post", "get"])
@pytest.mark.parametrize("kind", PAGES)
def test_an_action_knows_that_a_script_submitted_the_form(show: Show, kind: str, method: str) -> None:
    body, act = PAGES[kind]
    shown = show(body, form=f"method={method}")
    act(shown.actions)
    assert shown.actions.submitted
    refused(shown.actions.get_html(), ErrorCode.ALREADY_SUBMITTED, "submitted")
    submission = shown.submit()
    assert submission.via == "solver"
    assert submission.values["a"] == ("2",)


def test_a_page_that_submits_between_two_actions_is_found_out_by_the_next_action(show: Show) -> None:
    shown = show("<input name=a><input name=b>")
    done(shown.actions.modify_text("a", "one"))
    shown.page("new Promise((resolve) => { navigation.onnavigate = () => resolve(); document.forms[0].submit(); })")
    assert not shown.actions.submitted
    refused(shown.actions.modify_text("b", "late"), ErrorCode.ALREADY_SUBMITTED, "submitted")
    assert shown.actions.submitted
    assert shown.sent() == {"a": ("one",), "b": ("",)}


@pytest.mark.devtools
def test_a_page_that_only_gathers_its_data_has_not_submitted(show: Show) -> None:
    shown = show("<input name=a onchange='window.draft = new FormData(this.form).get(\"a\")'>")
    done(shown.actions.modify_text("a", "one"))
    done(shown.actions.modify_text("a", "two"))
    assert shown.page("draft") == "two"
    assert not shown.actions.submitted
    assert shown.submit().via == "press"


SCRIPTED = (
    "<input name=a><script>addEventListener('load', () => { document.getElementById('submitButton').onclick ="
    " function () { this.form.submit(); return false; }; })</script>"
)


def test_a_rehearsed_submission_by_script_leaves_the_form_open(show: Show) -> None:
    shown = show(SCRIPTED)
    done(shown.actions.modify_text("a", "one"))
    assert shown.probe.rehearse() == [("a", "one")]
    done(shown.actions.modify_text("a", "two"))
    assert not shown.actions.submitted
    assert shown.sent() == {"a": ("two",)}


@pytest.mark.devtools
def test_a_script_that_submits_while_the_form_is_held_open_does_not_end_the_episode(show: Show) -> None:
    shown = show(f"<button type=button {AT_CORNER} onclick='{SEND}'>go</button><input name=a>")
    shown.probe.look("form.hold", True)
    done(shown.actions.click(20, 20))
    shown.probe.look("form.hold", False)
    done(shown.actions.modify_text("a", "two"))
    assert not shown.actions.submitted
    assert shown.sent() == {"a": ("two",)}

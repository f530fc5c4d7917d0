"""Each error code, provoked on a real page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from harness.actions.result import ActionResult, ErrorCode
from harness.episode.library import Actions
from harness.episode.refusal import ActionRefused, expect
from tests.conftest import Show

Act = Callable[[Actions], ActionResult]


def submitted(act: Actions) -> ActionResult:
    act.press("Enter")
    return act.modify_text("a", "x")


def gone(act: Actions) -> ActionResult:
    """The first box takes the second, which has number 2, off the page."""
    act.observation.snapshot()
    act.modify_checkbox("first", True)
    return act.click_element(2)


@dataclass(frozen=True)
class Provocation:
    """What an action answers with a code, and the page on which it does."""

    code: ErrorCode
    body: str
    act: Act


def text(value: str) -> Act:
    return lambda act: act.modify_text("a", value)


def slide(value: float | str) -> Act:
    return lambda act: act.modify_range("a", value)


SLIDER = "<input type=range name=a min=0 max=10>"
SHUT = "<input type=radio name=a value=1 disabled><input type=radio name=a value=2>"
COVER = '<div style="position: fixed; inset: 0; background: red"></div>'
PROVOCATIONS = [
    Provocation(ErrorCode.ALREADY_SUBMITTED, "<input name=a autofocus>", submitted),
    Provocation(ErrorCode.NO_SUCH_FIELD, "<input name=b>", text("x")),
    Provocation(ErrorCode.NO_SUCH_FIELD, "<input name=b>", lambda act: act.get_html("a")),
    Provocation(ErrorCode.NO_SUCH_TEXT, "<p>Some words</p>", lambda act: act.select_text("other words")),
    Provocation(ErrorCode.NO_SUCH_CLIP, "<p>No sound</p>", lambda act: act.play_clip()),
    Provocation(ErrorCode.NO_SUCH_OPTION, SHUT, lambda act: act.modify_radio("a", "3")),
    Provocation(ErrorCode.NO_SUCH_OPTION, "<select name=a><option>1</select>", lambda act: act.modify_select("a", "2")),
    Provocation(
        ErrorCode.NO_SUCH_OPTION,
        "<select name=a><option>1<option disabled>2</select>",
        lambda act: act.modify_select("a", "2"),
    ),
    Provocation(ErrorCode.NO_SUCH_ELEMENT, "<input name=a>", lambda act: act.click_element("x")),
    Provocation(ErrorCode.NO_SUCH_ELEMENT, "<input name=a>", lambda act: act.click_element(9_999)),
    Provocation(
        ErrorCode.ELEMENT_GONE,
        "<input type=checkbox name=first onchange='this.nextElementSibling.remove()'><input type=checkbox name=second>",
        gone,
    ),
    Provocation(ErrorCode.ANOTHER_KIND, SHUT, text("x")),
    Provocation(ErrorCode.HIDDEN_FIELD, "<input type=hidden name=a>", text("x")),
    Provocation(ErrorCode.NOT_VISIBLE, "<input name=a style='display: none'>", text("x")),
    Provocation(ErrorCode.NOT_VISIBLE, "<input name=a style='display: none'>", lambda act: act.scroll_to("a")),
    Provocation(ErrorCode.COVERED, f"<input name=a>{COVER}", text("x")),
    Provocation(ErrorCode.OUT_OF_VIEW, "<input name=a style='position: fixed; left: -9999px'>", text("x")),
    Provocation(ErrorCode.DISABLED, "<input name=a disabled>", text("x")),
    Provocation(ErrorCode.OPTION_DISABLED, SHUT, lambda act: act.modify_radio("a", "1")),
    Provocation(ErrorCode.READ_ONLY, "<input name=a readonly>", text("x")),
    Provocation(ErrorCode.TAKES_FILE, "<input type=file name=a>", text("x")),
    Provocation(ErrorCode.NOT_TAKEN, "<input name=a oninput=\"this.value = ''\">", text("x")),
    Provocation(ErrorCode.TOO_LONG, "<input name=a maxlength=2>", text("long")),
    Provocation(
        ErrorCode.BOX_NOT_KEPT,
        "<input type=checkbox name=a value=1 onclick='return false'>",
        lambda act: act.modify_checkbox("a", "1"),
    ),
    Provocation(ErrorCode.FIELD_REMOVED, "<input name=a oninput='this.remove()'>", text("x")),
    Provocation(ErrorCode.OFF_SCREEN, "", lambda act: act.click(10_000, 1)),
    Provocation(ErrorCode.NOT_A_NUMBER, SLIDER, slide("much")),
    Provocation(ErrorCode.NOT_A_NUMBER, "", lambda act: act.click("left", 1)),  # type: ignore[arg-type]
    Provocation(ErrorCode.OUT_OF_RANGE, SLIDER, slide(11)),
    Provocation(ErrorCode.OFF_STEP, SLIDER, slide(2.5)),
    Provocation(
        ErrorCode.ONE_OPTION_ONLY,
        "<select name=a><option>1<option>2</select>",
        lambda act: act.modify_select("a", ["1", "2"]),
    ),
    Provocation(ErrorCode.NO_SUCH_KEY, "", lambda act: act.press("Foo")),
    Provocation(ErrorCode.NO_SUCH_KEY, "", lambda act: act.press("🦊")),
    Provocation(ErrorCode.WRONG_ARGUMENT, "<input name=a>", text("x" * 100_001)),
    Provocation(ErrorCode.WRONG_ARGUMENT, "", lambda act: act.capture_screen("sideways")),
]
NOTICED_BY_WEBDRIVER = (
    "already_submitted", "no_such_field0", "no_such_option0", "no_such_option1", "element_gone", "another_kind",
    "hidden_field", "not_visible0", "not_visible1", "covered", "out_of_view", "disabled", "option_disabled",
    "read_only", "takes_file", "not_taken", "too_long", "box_not_kept", "field_removed", "not_a_number0",
    "one_option_only",
)  # fmt: skip
"""The codes that this back end gives in words of its own; the others come from what is above it."""


@pytest.mark.slow
@pytest.mark.devtools(*NOTICED_BY_WEBDRIVER)
@pytest.mark.parametrize("provocation", PROVOCATIONS, ids=lambda each: each.code.value)
def test_a_failed_action_says_why_by_a_code(show: Show, provocation: Provocation) -> None:
    actions = show(provocation.body).actions
    result = provocation.act(actions)
    step = actions.trajectory.steps[-1]
    assert (result.ok, result.code) == (False, provocation.code), result.message
    assert (step.ok, step.code) == (False, provocation.code)
    assert step.message == result.message


def test_every_code_is_provoked() -> None:
    # tests/trust/test_desktop_shortcuts.py, tests/solvers/outside/test_command.py, tests/episode/test_site_actions.py
    elsewhere = {
        *(ErrorCode.BROWSER_SHORTCUT, ErrorCode.NOT_ALLOWED),
        *(ErrorCode.NO_SUCH_TAB, ErrorCode.NO_HISTORY, ErrorCode.NOT_OPENED),
    }
    assert {each.code for each in PROVOCATIONS} | elsewhere == set(ErrorCode)


def test_an_action_that_is_done_has_no_code(show: Show) -> None:
    assert show("<input name=a>").actions.modify_text("a", "x").code is None


def test_words_of_the_page_that_sound_like_an_error_decide_nothing(show: Show) -> None:
    actions = show(SHUT + "<input name='it is disabled' style='display: none'>").actions
    assert actions.modify_text("it is disabled", "it is read-only").code is ErrorCode.NOT_VISIBLE
    assert actions.modify_radio("a", "it is covered by").code is ErrorCode.NO_SUCH_OPTION


def test_a_page_that_answers_with_an_unknown_code_is_an_error_of_the_harness() -> None:
    with pytest.raises(ValueError, match="out_of_mind"):
        expect("a", {"code": "out_of_mind", "error": "words"})
    with pytest.raises(ActionRefused) as caught:
        expect("a", {"code": "covered", "error": "it is covered by <p>"})
    assert (caught.value.code, str(caught.value)) == (ErrorCode.COVERED, "'a': it is covered by <p>")

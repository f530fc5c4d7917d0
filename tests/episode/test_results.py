"""What every action leaves behind: a step, a result, a limit."""

from __future__ import annotations

import pytest

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import ActionResult, ErrorCode, Step
from harness.actions.spec import check_examples
from harness.browser.input_back_end import DevtoolsInput
from harness.episode.library import ACTIONS, Actions
from harness.episode.trajectory import LimitReached, Trajectory
from harness.kit.files.codec import plain, typed
from harness.records.config import Limits
from tests.conftest import Show
from tests.site import done, refused

pytestmark = pytest.mark.devtools


def test_every_action_is_a_step_with_its_text_and_message(show: Show) -> None:
    shown = show(file="text")
    result = shown.actions.modify_text("person", 'Ada "the" Countess')
    refused(shown.actions.modify_text(value="x", name="nobody"), ErrorCode.NO_SUCH_FIELD, "nobody")
    first, second = shown.actions.trajectory.steps
    assert (first.ok, first.message) == (True, result.message)
    assert first.action == "modify_text('person', 'Ada \"the\" Countess')"
    assert (second.ok, second.action) == (False, "modify_text('nobody', 'x')")
    assert first.ms >= 0
    assert typed(plain(first), Step) == first


@pytest.mark.parametrize("text", ["it's", "two\nlines\t🦊", "\ud83e\udd8a", "\ud800", "'); alert(1); ('"])
def test_the_recorded_text_parsed_and_run_again_does_the_same(show: Show, text: str) -> None:
    shown = show(file="textarea")
    shown.actions.modify_text("story", text)
    held = shown.sent()["story"]
    again = show(file="textarea")
    (call,) = parse(shown.actions.trajectory.steps[0].action, ACTIONS)
    assert isinstance(call, ActionCall)
    done(again.actions.call(call))
    assert again.sent()["story"] == held


def test_the_examples_of_all_actions_are_right() -> None:
    assert check_examples(ACTIONS) == []


def test_all_actions_are_there() -> None:
    assert set(ACTIONS) == {
        "modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range", "get_html", "capture_screen",
        "click", "double_click", "drag", "hover", "type", "press", "scroll", "scroll_to", "maximize",
        "wait_till_loaded", "click_element", "select_text", "play_clip", "wait_until_enabled",
    }  # fmt: skip


@pytest.mark.parametrize("action", ["modify_text", "modify_radio", "modify_select"])
@pytest.mark.parametrize("value", [None, 7, 1.5, True, ["x"], [[["x"]]], {"x": 1}, b"x", float("nan"), 10**30])
def test_no_argument_makes_an_action_raise(show: Show, action: str, value: object) -> None:
    shown = show("<input name=a><input type=radio name=a value=1>")
    for name in ("a", "nobody", value):
        assert isinstance(getattr(shown.actions, action)(name, value), ActionResult)


def test_a_text_longer_than_any_argument_may_be_is_refused(show: Show) -> None:
    shown = show(file="textarea")
    refused(shown.actions.modify_text("story", "x" * 100_001), ErrorCode.WRONG_ARGUMENT, "too long")
    assert shown.sent()["story"] == ("",)


def test_the_limit_of_steps_ends_the_episode_and_looks_are_free(show: Show) -> None:
    shown = show("<input name=a>")
    actions = Actions(shown.browser, DevtoolsInput(shown.browser), Trajectory(Limits(max_steps=2)))
    done(actions.modify_text("a", "1"))
    done(actions.get_html())
    actions.fields()
    with pytest.raises(LimitReached, match="steps"):
        actions.modify_text("a", "2")
    assert len(actions.trajectory.steps) == 2
    assert shown.sent()["a"] == ("1",)


def test_the_limit_of_time_ends_the_episode(show: Show) -> None:
    shown = show("<input name=a>")
    actions = Actions(shown.browser, DevtoolsInput(shown.browser), Trajectory(Limits(max_seconds=-1.0)))
    with pytest.raises(LimitReached) as caught:
        actions.modify_text("a", "1")
    assert caught.value.which == "time"


def test_after_a_submission_every_action_is_refused_and_recorded(show: Show) -> None:
    shown = show(
        "<input name=a><input type=radio name=r value=1><input type=checkbox name=c><select name=s><option>1</select>"
    )
    done(shown.actions.modify_text("a", "before"))
    shown.page("document.getElementById('submitButton').click()")
    for call in (
        "modify_text('a', 'x')",
        "modify_radio('r', '1')",
        "modify_checkbox('c', True)",
        "modify_select('s', '1')",
    ):
        (parsed,) = parse(call, ACTIONS)
        assert isinstance(parsed, ActionCall)
        refused(shown.actions.call(parsed), ErrorCode.ALREADY_SUBMITTED, "submitted")
    assert shown.sent()["a"] == ("before",)

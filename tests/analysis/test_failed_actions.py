"""Classes of failed actions: from the words that a real page's actions answer with, and counted over episodes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.actions.result import Step
from harness.analysis.failed_actions import CLASSES, OTHER, FailedActions, FailureExample, error_class
from harness.episode.library import Actions
from harness.files.places import PROJECT
from harness.metrics import PROFILES
from harness.runlog.turn import Turn
from harness.scoring.scores import score_episode
from tests.conftest import Show
from tests.samples import episode, record

PAGE = """<input name="open"><input name="off" disabled><input name="fixed" readonly><input type="file" name="file">
<input name="away" style="display: none"><input type="hidden" name="hidden">
<input name="short" maxlength="2"><input name="stubborn" oninput="this.value = ''">
<label><input type="radio" name="choice" value="a">a</label><label><input type="radio" name="choice" value="b">b</label>
<label><input type="radio" name="shut" value="it is covered by" disabled>it is covered by</label>
<input type="range" name="scale" min="0" max="10"><select name="list"><option>x</option><option>y</option></select>
<div style="position: relative; width: 200px; height: 40px"><input name="under" style="position: absolute; inset: 0">
<div style="position: absolute; inset: 0; background: red"></div></div><button>Submit</button>"""

FAILING: list[tuple[str, Callable[[Actions], object]]] = [
    ("no such field", lambda act: act.modify_text("it is disabled", "x")),
    ("no such field", lambda act: act.get_html("nobody")),
    ("no such option", lambda act: act.modify_radio("choice", "c")),
    ("no such option", lambda act: act.modify_select("list", "it is not a number")),
    ("another kind of field", lambda act: act.modify_text("choice", "a")),
    ("hidden field", lambda act: act.modify_text("hidden", "a")),
    ("not visible", lambda act: act.modify_text("away", "a")),
    ("out of reach", lambda act: act.modify_text("under", "a")),
    ("not to be changed", lambda act: act.modify_text("off", "a")),
    ("not to be changed", lambda act: act.modify_text("fixed", "a")),
    ("not to be changed", lambda act: act.modify_text("file", "a")),
    ("not to be changed", lambda act: act.modify_radio("shut", "it is covered by")),
    ("not kept by the page", lambda act: act.modify_text("short", "long")),
    ("not kept by the page", lambda act: act.modify_text("stubborn", "a")),
    ("wrong argument", lambda act: act.modify_range("scale", "much")),
    ("wrong argument", lambda act: act.modify_range("scale", 11)),
    ("wrong argument", lambda act: act.modify_range("scale", 2.5)),
    ("wrong argument", lambda act: act.modify_select("list", ["x", "y"])),
    ("wrong argument", lambda act: act.modify_text("open", "x" * 100_001)),
    ("wrong argument", lambda act: act.capture_screen("sideways")),
    ("wrong argument", lambda act: act.capture_screen("element")),
    ("wrong argument", lambda act: act.press("Foo")),
    ("wrong argument", lambda act: act.press("🦊")),
    ("wrong argument", lambda act: act.click("left", 1)),  # type: ignore[arg-type]
    ("off the screen", lambda act: act.click(10_000, 1)),
    ("no such element", lambda act: act.click_element("x")),
    ("no such element", lambda act: act.click_element(9_999)),
]


def test_what_real_pages_answer_falls_into_its_class(show: Show) -> None:
    actions = show(PAGE).actions
    found = []
    for _, act in FAILING:
        act(actions)
        step = actions.steps[-1]
        found.append((error_class(step.message), step.ok, step.message))
    assert [(name, ok) for name, ok, _ in found] == [(name, False) for name, _ in FAILING], found


def test_every_class_is_documented() -> None:
    table = (PROJECT / "docs" / "reports.md").read_text(encoding="utf-8")
    assert [name for name in CLASSES if f"| `{name}` |" not in table] == []


def test_after_the_form_was_submitted_every_action_fails_in_one_class(show: Show) -> None:
    actions = show('<input name="a" autofocus>').actions
    actions.press("Enter")
    assert actions.submitted
    assert error_class(actions.modify_text("a", "x").message) == "already submitted"


@pytest.mark.parametrize(
    "message", ["", "a new kind of refusal", "'q': a new kind of refusal", "'it is disabled' is a new refusal"]
)
def test_what_no_class_fits_is_other(message: str) -> None:
    assert error_class(message) == OTHER


def test_a_fields_own_name_decides_nothing() -> None:
    name = repr("it's 'q': it is disabled")
    assert error_class(f"{name}: it is not visible now (something else)") == "not visible"
    assert error_class(f"{name} holds 'a', not 'b': the page does not take it") == "not kept by the page"


def step(message: str = "", action: str = "modify_text('a', 'b')") -> Step:
    return Step(action, ok=not message, message=message, ms=1.0)


def counted(*steps: tuple[Step, ...], turns: tuple[Turn, ...] = ()) -> FailedActions:
    failed = FailedActions()
    for index, each in enumerate(steps):
        made = episode(record(sent=("yes",)), index=index, steps=each, turns=turns)
        failed.see(score_episode(made, PROFILES["standard"]))
    return failed


DISABLED, STRANGE = "'a': it is disabled", "the moon is full"


def test_every_failed_action_is_counted_in_one_class() -> None:
    found = counted(
        (step(), step(DISABLED), step(DISABLED, "modify_radio('a', 'b')")), (step(STRANGE), step(DISABLED)), (step(),)
    ).found()
    assert (found.steps, found.failed, found.episodes, found.episodes_touched) == (6, 4, 3, 2)
    assert {name: (each.count, each.episodes) for name, each in found.classes.items()} == {
        "not to be changed": (3, 2),
        OTHER: (1, 1),
    }
    assert list(found.classes) == ["not to be changed", OTHER], "the most frequent comes first"
    assert set(found.classes) <= set(CLASSES)
    assert found.actions == {"modify_radio": (1, 1), "modify_text": (5, 3)}


def test_the_first_failed_action_of_a_class_is_its_example() -> None:
    found = counted((step(DISABLED, "first()"),), (step(DISABLED, "second()"),)).found()
    example = found.classes["not to be changed"].example
    assert example == FailureExample(task="T", index=0, action="first()", message=DISABLED)


def test_what_a_reply_holds_that_is_no_action_is_counted_apart() -> None:
    turn = Turn(calls=("modify_text('a', 'b')", "error: fly(): fly is not an action"))
    found = counted((step(),), (step(),), turns=(turn, turn)).found()
    assert (found.failed, found.classes, found.episodes_touched) == (0, {}, 0)
    assert (found.unread.count, found.unread.episodes) == (4, 2)
    assert found.unread.example is not None
    assert found.unread.example.message == "fly(): fly is not an action"


def test_long_messages_are_shortened_in_examples() -> None:
    found = counted((step("y" * 1000, "x" * 1000),)).found()
    example = found.classes[OTHER].example
    assert example is not None
    assert (len(example.action), len(example.message)) == (200, 200)


def test_counts_of_several_runs_add_up() -> None:
    first, second = counted((step(DISABLED),), (step(),)), counted((step(DISABLED), step(STRANGE)))
    first.merge(second)
    found = first.found()
    assert (found.steps, found.failed, found.episodes, found.episodes_touched) == (4, 3, 3, 2)
    assert found.classes["not to be changed"].count == 2
    example = found.classes[OTHER].example
    assert example is not None
    assert example.message == STRANGE

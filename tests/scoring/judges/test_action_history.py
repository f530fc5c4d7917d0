import pytest

from harness.actions.result import Step
from harness.scoring.judges.run_trajectories import action_history


def step(action, message="", *, ok=True):
    return Step(action, ok, message, 1.0, code=None if ok else "no_such_element")


@pytest.mark.parametrize(
    ("action", "message", "told"),
    [
        ("click_element(13)", '[13] pressed [13] <a> "Members"', '<a "Members"> -> CLICK'),
        ("fill(15, 'quiet')", "[15] <input> \"Name\" holds 'quiet'", '<input "Name"> -> TYPE: quiet'),
        ("fill(15, 'two\\nlines')", "[15] <textarea> holds", "<textarea> -> TYPE: two lines"),
        ("fill_search(2, 'tent')", '[2] <input> "Search"', '<input "Search"> -> TYPE AND PRESS ENTER: tent'),
        ("select_option(4, 'Ünder 50')", '[4] <select> "Price"', '<select "Price"> -> SELECT: Ünder 50'),
        ("click_element(3)", "", "<element 3> -> CLICK"),
        ("modify_text('Answer.name', 'yes')", "it holds 'yes'", "<Answer.name> -> TYPE: yes"),
        ("goto('http://shop.test/')", "", "GOTO: http://shop.test/"),
        ("go_back()", "", "GO BACK"),
        ("close_tab(None)", "", "CLOSE TAB"),
        ("what is this", "", "what is this"),
        ("fill(1, __import__('os'))", "", "fill(1, __import__('os'))"),
    ],
)
def test_an_action_is_told_in_the_papers_form(action, message, told):
    assert action_history([step(action, message)]) == (told,)


def test_what_only_looks_and_the_answer_are_left_out():
    steps = [step("get_html('body')"), step("click_element(1)"), step("finish('42')"), step("capture_screen()")]
    assert action_history(steps) == ("<element 1> -> CLICK",)


def test_an_action_that_was_not_done_is_told_as_such():
    assert action_history([step("click_element(9)", ok=False)]) == ("<element 9> -> CLICK (not done: no_such_element)",)


def test_long_values_are_shortened():
    (told,) = action_history([step(f"fill(1, {'a' * 5000!r})")])
    assert len(told) < 1100

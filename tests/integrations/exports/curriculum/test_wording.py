"""What rules say of steps."""

from __future__ import annotations

import pytest

from harness.actions.call import ActionCall
from harness.episode.site_actions import SITE_ACTIONS
from harness.integrations.exports.curriculum.wording import form_reason, instruction, reason


@pytest.mark.parametrize(
    ("call", "element", "wanted"),
    [
        (ActionCall("click_element", {"ref": 3}), "link 'Cart'", "Press the link 'Cart'."),
        (ActionCall("fill", {"ref": 3, "text": "Rome"}), "text 'City'", "Type 'Rome' into the text 'City'."),
        (ActionCall("goto", {"url": "http://shop.test/"}), "", "Open http://shop.test/."),
        (ActionCall("click_element", {"ref": 3}), "", ""),
        (ActionCall("finish", {}), "", ""),
    ],
)
def test_one_step_as_an_instruction(call, element, wanted):
    assert call.name in SITE_ACTIONS
    assert instruction(call, element) == wanted


def test_a_reason_says_how_far_the_work_is_and_what_is_next():
    press, answer = ActionCall("click_element", {"ref": 3}), ActionCall("finish", {"answer": "17.50"})
    assert reason(press, "link 'Cart'", 0) == "Nothing is done yet. Press the link 'Cart'."
    assert reason(press, "link 'Cart'", 2) == "Done so far: 2 steps. Press the link 'Cart'."
    assert reason(answer, "", 2) == "The answer is on this page: 17.50"
    assert reason(ActionCall("finish", {}), "", 2) == "The goal is reached."


def test_a_reason_on_a_form_names_the_fields_that_are_left():
    assert form_reason(["a", "b"], 1) == "Of 2 fields there is still to be written: 'b'."
    assert form_reason(["a", "b"], 2) == "All fields are written."

"""The words of lessons that rules write: questions about elements, instructions for one step, reasons of steps."""

from __future__ import annotations

from collections.abc import Sequence

from harness.actions.call import ActionCall
from harness.kit.text import counted
from harness.kit.words import Words

WORDS = Words("harness.integrations.exports.curriculum")
said = WORDS.say

_INSTRUCTIONS = {
    "click_element": "Press the {element}.",
    "hover_element": "Point at the {element}.",
    "fill": "Type {text!r} into the {element}.",
    "fill_search": "Search for {text!r} in the {element}.",
    "select_option": "Choose {text!r} in the {element}.",
    "goto": "Open {url}.",
    "go_back": "Go back to the page before.",
    "go_forward": "Go forward to the next page.",
    "reload": "Load the page again.",
    "press": "Press the key {key}.",
    "new_tab": "Open a new tab.",
    "switch_tab": "Show the tab {number}.",
    "close_tab": "Close the tab.",
}
"""Action -> what somebody says who wants it done; ``finish`` is no instruction, since it needs a goal."""


def instruction(call: ActionCall, element: str) -> str:
    """One step as an instruction.

    Args:
        call: The step.
        element: What it is done to, in words; empty for nothing.

    Returns:
        A sentence; empty for what nobody would ask for by itself.
    """
    if call.name not in _INSTRUCTIONS or ("ref" in call.args and not element):
        return ""
    return _INSTRUCTIONS[call.name].format(**{**call.args, "element": element})


def reason(call: ActionCall, element: str, done: int) -> str:
    """Why a step of a task on a website is next, as a rule can say it that knows the way.

    Args:
        call: The step.
        element: What it is done to, in words; empty for nothing.
        done: How many steps were done before.
    """
    if call.name == "finish":
        answer = call.args.get("answer")
        return said("reason_answer", answer=answer) if answer else said("reason_finish")
    next_ = instruction(call, element) or f"Next is {call.name}."
    return said("reason_next", count=counted(done, "step"), next=next_) if done else said("reason_first", next=next_)


def form_reason(fields: Sequence[str], written: int) -> str:
    """Why a step on a form is next.

    Args:
        fields: All that are to be written, by name, in the order of the work.
        written: How many of them are.
    """
    left = fields[written:]
    if not left:
        return said("reason_form_finish")
    return said("reason_field", count=counted(len(fields), "field"), fields=", ".join(map(repr, left)))

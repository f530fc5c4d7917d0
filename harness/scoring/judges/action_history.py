"""What was done in an episode, as judges read it: ``<element> -> ACTION: value`` (Xue et al. 2025, appendix C)."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from harness.actions.result import Step
from harness.kit.text import shorten

LONGEST_VALUE = 1_000
"""Characters of a value; of a longer one the beginning is told."""
_WORDS: Mapping[str, str] = {
    "click_element": "CLICK",
    "hover_element": "HOVER",
    "fill": "TYPE",
    "fill_search": "TYPE AND PRESS ENTER",
    "select_option": "SELECT",
    "modify_text": "TYPE",
    "modify_radio": "SELECT",
    "modify_select": "SELECT",
    "modify_checkbox": "CHECK",
    "modify_range": "SET",
}
"""Actions whose first argument is the element, and the second, if there is one, the value."""
_NO_ACTION = frozenset({"get_html", "capture_screen", "wait_till_loaded", "maximize", "finish"})
"""They look, and change nothing; or they tell the answer, which judges are given apart, or not at all."""
_CALL = re.compile(r"(\w{1,60})\((.*)\)", re.DOTALL)
_ELEMENT = re.compile(r"\[[0-9]{1,9}\] <([\w-]{1,60})>(?: (\"(?:[^\"\\]|\\.){0,300}\"))?")
"""How the messages of actions call an element: ``[13] <a> "Members"``."""


def action_history(steps: Sequence[Step]) -> tuple[str, ...]:
    """The actions of an episode, in order, each on one line; those that only look are left out, and the answer.

    Args:
        steps: Of the episode.
    """
    return tuple(_told(step) for step in steps if _name(step) not in _NO_ACTION)


def is_action(step: Step) -> bool:
    """Whether the action history tells of a step."""
    return _name(step) not in _NO_ACTION


def _name(step: Step) -> str:
    return step.action.partition("(")[0]


def _told(step: Step) -> str:
    name, arguments = _read(step.action)
    if name in _WORDS and arguments:
        said = f"{_element(step, arguments[0])} -> {_WORDS[name]}{_value(arguments[1:])}"
    elif name:
        said = f"{name.replace('_', ' ').upper()}{_value(arguments)}"
    else:
        said = shorten(step.action, LONGEST_VALUE)
    return said if step.ok else f"{said} (not done: {step.code or 'failed'})"


def _element(step: Step, given: object) -> str:
    """The element as the action's message calls it, else as the action does: by the name of a field, or its number."""
    if found := _ELEMENT.search(step.message):
        return f"<{found[1]} {found[2]}>" if found[2] else f"<{found[1]}>"
    return f"<element {given}>" if isinstance(given, int) else f"<{shorten(str(given), LONGEST_VALUE)}>"


def _value(arguments: Sequence[object]) -> str:
    told = [shorten(" ".join(str(each).split()), LONGEST_VALUE) for each in arguments if each is not None]
    return f": {', '.join(told)}" if told else ""


def _read(action: str) -> tuple[str, Sequence[object]]:
    """The name and the arguments of an action's text; no name if it is none. Nothing in it is executed."""
    call = _CALL.fullmatch(action)
    if not call:
        return "", ()
    try:
        arguments = ast.literal_eval(f"[{call[2]}]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "", ()
    return call[1], arguments

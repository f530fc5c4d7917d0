"""The ten functions of AutoWebGLM (Lai et al. 2024, Table 1 and appendix D) as specifications of actions."""

from __future__ import annotations

from collections.abc import Mapping

from harness.actions.signature import ActionSpec, Parameter

ELEMENT = "element_id"
"""The parameter that holds the letters of an element."""


def _function(name: str, doc: str, *parameters: Parameter, example: str, returns: str = "") -> ActionSpec:
    return ActionSpec(name, parameters, doc, returns, (example,))


_ELEMENT = Parameter(ELEMENT, "str", "The letters of the element in the page's text.")

AUTOWEBGLM: Mapping[str, ActionSpec] = {
    each.name: each
    for each in (
        _function("click", "Press the element.", _ELEMENT, example="click('A')"),
        _function("hover", "Move the mouse over the element.", _ELEMENT, example="hover('A')"),
        _function(
            "select",
            "Choose an option of a drop-down list.",
            _ELEMENT,
            Parameter("option", "str", "The option's text."),
            example="select('A', 'Newest first')",
        ),
        _function(
            "type_string",
            "Write a text into the element.",
            _ELEMENT,
            Parameter("content", "str", "The text."),
            Parameter("press_enter", "bool", "Whether Enter is pressed then.", required=False, default=False),
            example="type_string('A', 'Lisbon', True)",
        ),
        _function(
            "scroll_page",
            "Scroll by one screen.",
            Parameter("direction", "str", "Where to.", choices=("up", "down")),
            example="scroll_page('down')",
        ),
        _function(
            "go",
            "Show the page before this one, or the one after it.",
            Parameter("direction", "str", "Where to.", choices=("forward", "backward")),
            example="go('backward')",
        ),
        _function(
            "jump_to",
            "Show another address.",
            Parameter("url", "str", "The address."),
            Parameter("new_tab", "bool", "Whether in another tab.", required=False, default=False),
            example="jump_to('http://shop.test/cart', False)",
        ),
        _function(
            "switch_tab",
            "Show another of the open tabs.",
            Parameter("tab_index", "int", "Its number among the tabs that the observation lists."),
            example="switch_tab(1)",
        ),
        _function(
            "user_input",
            "Ask the user, and wait for the answer.",
            Parameter("message", "str", "What to ask."),
            example="user_input('Please sign in.')",
            returns="What the user answered.",
        ),
        _function(
            "finish",
            "End the work.",
            Parameter("answer", "str | None", "The answer, where one is asked for.", required=False),
            example="finish('17.50')",
        ),
    )
}
"""Specifications by name, in the paper's order. Where the public prompt asks for a flag in each call, it may be left
out here, and is False then."""

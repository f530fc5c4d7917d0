"""What a call of each tool may do to the page, in the four words that the Model Context Protocol has for it.

The protocol calls these hints "tool annotations" (https://modelcontextprotocol.io/specification/2025-06-18/schema,
``ToolAnnotations``); clients decide by them what to ask their users about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ToolEffects:
    """What a call of a tool may do. None reaches beyond the task's page or website: the world is never an open one.

    Attributes:
        read_only: It changes nothing, save that a picture of one field scrolls to it.
        destructive: It may undo what was entered, or send the form.
        idempotent: A second call with the same arguments changes nothing more.
    """

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


_LOOKS = ToolEffects(read_only=True, idempotent=True)
_MOVES = ToolEffects(idempotent=True)
_SETS = ToolEffects(destructive=True, idempotent=True)  # what a field held before is replaced
_PRESSES = ToolEffects(destructive=True)  # anything can be pressed, the page's Submit and its Reset, too

EFFECTS: Mapping[str, ToolEffects] = {
    "observe": _LOOKS,
    "get_html": _LOOKS,
    "capture_screen": _LOOKS,
    "wait_till_loaded": _LOOKS,
    "hover": _MOVES,
    "scroll": ToolEffects(),  # each call goes on from where the one before had led
    "scroll_to": _MOVES,
    "maximize": _MOVES,
    "modify_text": _SETS,
    "modify_radio": _SETS,
    "modify_checkbox": _SETS,
    "modify_select": _SETS,
    "modify_range": _SETS,
    "select_text": _PRESSES,  # pages write down what is selected
    "play_clip": _MOVES,
    "wait_until_enabled": _LOOKS,
    "click": _PRESSES,
    "click_element": _PRESSES,
    "double_click": _PRESSES,
    "drag": _PRESSES,
    "type": _PRESSES,
    "press": _PRESSES,
    "goto": _MOVES,
    "go_back": ToolEffects(),
    "go_forward": ToolEffects(),
    "reload": _SETS,  # what was entered and not sent is gone
    "hover_element": _MOVES,
    "fill": _SETS,
    "fill_search": _PRESSES,
    "select_option": _SETS,
    "new_tab": ToolEffects(),
    "switch_tab": _MOVES,
    "close_tab": _PRESSES,
    "ask_user": _LOOKS,
    # AutoWebGLM's names.
    "select": _SETS,
    "type_string": _PRESSES,
    "scroll_page": ToolEffects(),
    "go": ToolEffects(),
    "jump_to": ToolEffects(),
    "user_input": _LOOKS,
    "finish": _SETS,
}
"""By the tool's name."""

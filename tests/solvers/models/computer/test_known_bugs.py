"""The ten commonest bugs of programs that let models use computers, each as rows: what is written, and what is done.

What is done is the action library's text, in pixels of a page of 1280 x 800.
"""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from PIL import Image as Picture

from harness.actions.call import ActionError
from harness.browser.launch import SCREEN
from harness.models.messages import Image, Message, Reply, Text, ToolCall, ToolResult
from harness.solvers.models.computer.asked import DoneTurn, Look, Outcome, ReadTurn, Tell
from harness.solvers.models.computer.dialect import Hand
from harness.solvers.models.computer.protocol import in_budget, with_last_pictures
from harness.solvers.models.computer.screen import ScreenRule, in_patches
from harness.solvers.models.computer.table import DIALECTS

TOOLSET, TOOL, OPENAI, GEMINI = "anthropic-20260801", "anthropic-20251124", "openai", "gemini"
UI_TARS, QWEN, QWEN_25, OPENCUA, KIMI, GLM = "ui-tars-1.5", "qwen3-vl", "qwen2.5-vl", "opencua", "kimi", "glm-4.5v"
KETTLE = "Kettle"


def png(width: int = 1280, height: int = 800) -> Image:
    file = io.BytesIO()
    Picture.new("RGB", (width, height)).save(file, "PNG")
    return Image(file.getvalue())


def calls(name: str, *given: Any) -> Reply:
    """A reply in a dialect: pairs of a name and arguments, OpenAI's actions, or a text."""
    if name == OPENAI:
        return Reply("", (ToolCall("c0", "computer", {"actions": list(given)}),))
    if name in (TOOLSET, GEMINI):
        return Reply("", tuple(ToolCall(f"c{number}", *each) for number, each in enumerate(given)))
    if name == TOOL:
        return Reply("", tuple(ToolCall(f"c{number}", "computer", each) for number, each in enumerate(given)))
    (text,) = given
    if name in (QWEN, QWEN_25):
        text = f"<tool_call>{json.dumps({'name': 'computer_use', 'arguments': text})}</tool_call>"
    if name in (OPENCUA, KIMI):
        text = f"## Code:\n```python\n{text}\n```"
    return Reply(f"Action: {text}" if name == UI_TARS else text)


def read(name: str, *given: Any) -> ReadTurn:
    dialect = DIALECTS[name].dialect
    return dialect.read(calls(name, *given), Hand(dialect.rule.screen(SCREEN)), {})


def done(name: str, *given: Any) -> list[str]:
    told = {Look: "look", Tell: "tell"}
    return [told.get(type(piece), str(piece)) for call in read(name, *given).calls for piece in call.pieces]


ROWS = {
    # 1. The picture that is sent, the one that is seen, and the numbers that are clicked in are the same.
    "grid": (GEMINI, [("click", {"x": 500, "y": 500})], ["click(640.0, 400.0)"]),
    "edge of the grid": (GEMINI, [("click_at", {"x": 1000, "y": 1000})], ["click(1279, 799)"]),
    "grid in text": (QWEN, [{"action": "left_click", "coordinate": [250, 500]}], ["click(320.0, 400.0)"]),
    "resized": (QWEN_25, [{"action": "left_click", "coordinate": [644, 406]}], ["click(640.0, 400.0)"]),
    "resized in text": (UI_TARS, ["click(point='<point>644 406</point>')"], ["click(640.0, 400.0)"]),
    "share": (KIMI, ["pyautogui.click(x=0.5, y=0.25)"], ["click(640.0, 200.0)"]),
    "box": (GLM, ["<|begin_of_box|>left_click(start_box='[400,400,600,600]')<|end_of_box|>"], ["click(640.0, 400.0)"]),
    # 2. Chords go down together.
    "X's chord": (TOOLSET, [("key", {"text": "ctrl+a"})], ["press('Control+a')"]),
    "OpenAI's chord": (OPENAI, [{"type": "keypress", "keys": ["CTRL", "A"]}], ["press('Control+a')"]),
    "Mac's chord": (OPENAI, [{"type": "keypress", "keys": ["META", "A"]}], ["press('Control+a')"]),
    "chord of a list": (GEMINI, [("hotkey", {"keys": ["Control", "A"]})], ["press('Control+a')"]),
    "chord of a text": (GEMINI, [("key_combination", {"keys": "Control+A"})], ["press('Control+a')"]),
    "chord with spaces": (UI_TARS, ["hotkey(key='ctrl a')"], ["press('Control+a')"]),
    "PyAutoGUI's chord": (OPENCUA, ["pyautogui.hotkey('ctrl', 'a')"], ["press('Control+a')"]),
    "PyAutoGUI's list": (KIMI, ["pyautogui.hotkey(['ctrl', 'shift', 'z'])"], ["press('Control+Shift+z')"]),
    "Qwen's chord": (QWEN, [{"action": "key", "keys": ["ctrl", "a"]}], ["press('Control+a')"]),
    "keys in a row": (TOOLSET, [("key", {"text": "Down", "repeat": 2})], ["press('ArrowDown')"] * 2),
    # 3. Every name of a key is known.
    "Return": (TOOLSET, [("key", {"text": "Return"})], ["press('Enter')"]),
    "Page_Down": (TOOLSET, [("key", {"text": "Page_Down"})], ["press('PageDown')"]),
    "comma": (TOOLSET, [("key", {"text": "comma"})], ["press(',')"]),
    "ARROWLEFT": (OPENAI, [{"type": "keypress", "keys": ["ARROWLEFT"]}], ["press('ArrowLeft')"]),
    "ESC": (OPENAI, [{"type": "keypress", "keys": ["ESC"]}], ["press('Escape')"]),
    "pgdn": (OPENCUA, ["pyautogui.press('pgdn')"], ["press('PageDown')"]),
    "space": (OPENCUA, ["pyautogui.press(' ')"], ["press('Space')"]),
    # 4. The wheel: down is more or less, and by clicks or pixels, as each has it.
    "clicks": (
        TOOLSET,
        [("scroll", {"coordinate": [10, 20], "scroll_direction": "down", "scroll_amount": 5})],
        ["scroll_at(10, 20, 0.0, 600.0)"],
    ),
    "pixels": (
        OPENAI,
        [{"type": "scroll", "x": 10, "y": 20, "scroll_x": 0, "scroll_y": 300}],
        ["scroll_at(10.0, 20.0, 0.0, 300.0)"],
    ),
    "up is more": (
        QWEN,
        [{"action": "scroll", "coordinate": [500, 500], "pixels": -300}],
        ["scroll_at(640.0, 400.0, 0, 300.0)"],
    ),
    "PyAutoGUI's clicks": (OPENCUA, ["pyautogui.scroll(-5)"], ["scroll_at(640, 400, 0, 600.0)"]),
    "PyAutoGUI's pixels": (OPENCUA, ["pyautogui.scroll(-300)"], ["scroll_at(640, 400, 0, 300.0)"]),
    "to the left": (
        GEMINI,
        [("scroll", {"x": 500, "y": 500, "direction": "left"})],
        ["scroll_at(640.0, 400.0, -300.0, 0.0)"],
    ),
    "parts of the grid": (
        GEMINI,
        [("scroll_at", {"x": 500, "y": 500, "direction": "down", "magnitude": 500})],
        ["scroll_at(640.0, 400.0, 0.0, 400.0)"],
    ),
    # 5. Drags: their beginning, and what they pass.
    "start": (
        TOOLSET,
        [("left_click_drag", {"start_coordinate": [10, 20], "coordinate": [30, 40]})],
        ["drag(10, 20, 30, 40)"],
    ),
    "path": (
        OPENAI,
        [{"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}]}],
        ["drag_along([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], '')"],
    ),
    "destination": (
        GEMINI,
        [("drag_and_drop", {"x": 0, "y": 0, "destination_x": 500, "destination_y": 500})],
        ["drag(0.0, 0.0, 640.0, 400.0)"],
    ),
    "start and end": (
        GEMINI,
        [("drag_and_drop", {"start_x": 0, "start_y": 0, "end_x": 500, "end_y": 500})],
        ["drag(0.0, 0.0, 640.0, 400.0)"],
    ),
    "from the pointer": (
        OPENCUA,
        ["pyautogui.moveTo(644, 406)\npyautogui.dragTo(966, 609)"],
        ["hover(640.0, 400.0)", "drag(640.0, 400.0, 960.0, 600.0)"],
    ),
    "by down and up": (
        TOOLSET,
        [
            ("mouse_move", {"coordinate": [10, 20]}),
            ("left_mouse_down", {}),
            ("mouse_move", {"coordinate": [30, 40]}),
            ("left_mouse_up", {}),
        ],
        ["hover(10, 20)", "drag(10, 20, 30, 40)"],
    ),
    # 6. Two and three presses stay two and three.
    "double": (OPENAI, [{"type": "double_click", "x": 5, "y": 6}], ["double_click(5.0, 6.0)"]),
    "triple": (TOOLSET, [("triple_click", {"coordinate": [5, 6]})], ["press_button(5, 6, 'left', 3, '')"]),
    "triple in text": (
        QWEN,
        [{"action": "triple_click", "coordinate": [500, 500]}],
        ["press_button(640.0, 400.0, 'left', 3, '')"],
    ),
    "clicks=3": (OPENCUA, ["pyautogui.click(644, 406, clicks=3)"], ["press_button(640.0, 400.0, 'left', 3, '')"]),
    "right": (
        OPENAI,
        [{"type": "click", "button": "right", "x": 5, "y": 6}],
        ["press_button(5.0, 6.0, 'right', 1, '')"],
    ),
    "held": (
        TOOL,
        [{"action": "left_click", "coordinate": [5, 6], "text": "ctrl+shift"}],
        ["press_button(5, 6, 'left', 1, 'Control+Shift')"],
    ),
    "at the pointer": (
        TOOL,
        [{"action": "mouse_move", "coordinate": [5, 6]}, {"action": "left_click"}],
        ["hover(5, 6)", "click(5, 6)"],
    ),
    # 9. A picture is taken when it is asked for.
    "in the midst": (OPENAI, [{"type": "screenshot"}, {"type": "wait"}], ["look", "wait(2.0)"]),
    "zoom": (TOOLSET, [("zoom", {"region": [0, 0, 640, 400]})], ["look"]),
    "pointer": (TOOLSET, [("cursor_position", {})], ["tell"]),
    "quotes in a text": (UI_TARS, ["type(content='it's done')"], ['type("it\'s done")']),
    "Enter at the end": (
        GEMINI,
        [("type_text_at", {"x": 0, "y": 0, "text": KETTLE})],
        ["click(0.0, 0.0)", "press('Control+a')", "press('Backspace')", f"type('{KETTLE}')", "press('Enter')"],
    ),
}


@pytest.mark.parametrize(("name", "given", "expected"), ROWS.values(), ids=ROWS)
def test_what_is_written_is_done(name, given, expected):
    # Numbers that are whole are the same either way.
    assert [each.replace(".0", "") for each in done(name, *given)] == [each.replace(".0", "") for each in expected]


WRONG = {
    "beyond the grid": (GEMINI, [("click", {"x": 1001, "y": 5})], "(1001, 5) is off the screen"),
    "beyond the screen": (TOOLSET, [("left_click", {"coordinate": [1300, 5]})], "(1300, 5) is off the screen"),
    "no such key": (OPENAI, [{"type": "keypress", "keys": ["PRTSCR"]}], "there is no key 'PRTSCR'"),
    "two keys": (OPENAI, [{"type": "keypress", "keys": ["A", "B"]}], "a chord is one key"),
    "no coordinate": (TOOLSET, [("mouse_move", {})], "coordinate: None is no list of 2 numbers"),
    "wrong names": (OPENAI, [{"type": "drag", "path": [[1, 2], [3, 4]]}], "is no point with x and y"),
    "held for seconds": (TOOLSET, [("hold_key", {"text": "a", "duration": 3})], "'hold_key' is not possible here"),
    "no function": (GEMINI, [("search", {})], "search is not possible here"),
    "an address on a form": (GEMINI, [("navigate", {"url": "http://other.test"})], "navigate is not possible here"),
    "code": (OPENCUA, ["import os\npyautogui.click(os.getpid(), 5)"], ""),
    "no actions": (OPENAI, [], "there are no actions in it"),
}


@pytest.mark.parametrize(("name", "given", "reason"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_done_is_told_and_nothing_is_done_in_its_place(name, given, reason):
    turn = read(name, *given)
    pieces = [piece for call in turn.calls for piece in call.pieces]
    assert all(isinstance(piece, ActionError) for piece in pieces)
    assert reason in (turn.trouble or pieces[0].reason)
    assert not turn.is_end


def test_7_no_picture_is_larger_than_a_conversation_of_many_takes():
    for rule in (DIALECTS[TOOLSET].dialect.rule, DIALECTS[TOOL].dialect.rule):
        assert max(rule.screen((5120, 2880)).sent) <= 2000
    assert ScreenRule(in_patches(28, edge=1568, tokens=1568)).screen((1920, 1080)).sent == (1456, 819)


def told(name: str, reply: Reply, *texts: tuple[str, bool | None]) -> tuple[Message, ...]:
    dialect = DIALECTS[name].dialect
    turn = dialect.read(reply, Hand(dialect.rule.screen(SCREEN)), {})
    outcomes = [
        Outcome(call, text, ok, png() if ok and dialect.shows_each else None)
        for call, (text, ok) in zip(turn.calls, texts, strict=True)
    ]
    return dialect.told(DoneTurn(reply, turn, outcomes, png(), url="http://127.0.0.1/"))


def test_8_every_safety_check_is_answered_and_what_is_blocked_is_not_done():
    check = {"id": "s1", "code": "malicious_instructions", "message": "Beware."}
    actions = {"actions": [{"type": "wait"}], "pending_safety_checks": [check]}
    reply = Reply("", (ToolCall("c0", "computer", actions),), native=({"type": "computer_call", "call_id": "c0"},))
    (output,) = told(OPENAI, reply, ("done", True))[1].native
    assert output["acknowledged_safety_checks"] == [check]
    blocked = {"decision": "blocked", "explanation": "Harmful."}
    turn = read(GEMINI, ("click", {"x": 1, "y": 1, "safety_decision": blocked}))
    assert isinstance(turn.calls[0].pieces[0], ActionError)
    assert turn.notes == ("safety check: click was blocked by the model itself, and not done: Harmful.",)


def test_calls_behind_one_that_failed_get_the_words_that_the_interface_wants():
    reply = calls(TOOLSET, ("left_click", {"coordinate": [9000, 1]}), ("type", {"text": "x"}))
    _, results, screen = told(TOOLSET, reply, ("error: off the screen", False), ("", None))
    assert [(each["is_error"], each["toolset_name"]) for each in results.native] == [(True, "computer")] * 2
    assert results.native[1]["content"] == [
        {"type": "text", "text": "Not executed: an earlier computer action in this turn failed."}
    ]
    assert [type(part) for part in screen.parts] == [Image]


def test_10_each_picture_is_sent_once_and_old_ones_are_left_out():
    reply = calls(TOOL, {"action": "left_click", "coordinate": [1, 1]}, {"action": "type", "text": "x"})
    messages = told(TOOL, reply, ("done", True), ("done", True))
    assert len(messages[1].images) == 1
    assert json.dumps(messages[1].native).count("picture:") == 1
    kept = with_last_pictures(messages * 3, 2, DIALECTS[TOOL].dialect.in_place_of_picture)
    assert [len(message.images) for message in kept] == [0, 0, 0, 1, 0, 1]
    assert "(an older screenshot, left out)" in json.dumps(kept[1].native)
    assert isinstance(kept[1].parts[0], ToolResult)
    opening = with_last_pictures([Message("user", (Text("go"), png()))], 0, None)
    assert opening[0].text == "go(an older screenshot, left out)"


def test_a_turn_that_is_left_out_goes_with_its_calls_results_and_thoughts():
    turns = [(Message("assistant", (Text("x" * size),)),) for size in (50, 30, 20, 10)]
    assert in_budget(turns, 60, lambda message: len(message.text)) == turns[1:]
    assert in_budget(turns, 0, lambda message: len(message.text)) == turns[3:]


def test_what_a_provider_gave_no_id_gets_none_back():
    part = {"functionCall": {"name": "click", "args": {"x": 1, "y": 1}}}
    reply = Reply("", (ToolCall("call00001", "click", {"x": 1, "y": 1}),), native=(part,))
    (response,) = told(GEMINI, reply, ("done", True))[1].native
    assert "id" not in response["function_response"]


def test_a_commentary_is_no_end():
    said = {"type": "message", "role": "assistant", "phase": "commentary", "content": []}
    dialect = DIALECTS[OPENAI].dialect
    hand = Hand(dialect.rule.screen(SCREEN))
    assert not dialect.read(Reply("I will look.", native=(said,)), hand, {}).is_end
    assert dialect.read(Reply("Done.", native=({**said, "phase": "final_answer"},)), hand, {}).is_end


def test_every_dialect_names_its_source():
    assert all(known.source for known in DIALECTS.values())

"""What a program does, put together from its messages."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from harness.browser.gate.recorded_actions import LONGEST_TEXT, ActionReader, RecordedAction


def mouse(kind: str, x: float = 10, y: float = 20, **more: Any) -> tuple[str, dict[str, Any]]:
    return "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more}


def press(x: float = 10, y: float = 20, count: int = 1, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    return [mouse(kind, x, y, clickCount=count, **more) for kind in ("mouseMoved", "mousePressed", "mouseReleased")]


def key(key: str, text: str = "", modifiers: int = 0) -> list[tuple[str, dict[str, Any]]]:
    down = {"type": "keyDown", "key": key, "text": text, "modifiers": modifiers}
    return [("Input.dispatchKeyEvent", down), ("Input.dispatchKeyEvent", {**down, "type": "keyUp"})]


def raw_key(key: str, text: str) -> list[tuple[str, dict[str, Any]]]:
    """A key as ChromeDriver presses it: what it types is told twice."""
    said = {"key": key, "text": text, "modifiers": 0}
    return [("Input.dispatchKeyEvent", {**said, "type": kind}) for kind in ("rawKeyDown", "char", "keyUp")]


def read(*messages: tuple[str, dict[str, Any]]) -> list[str]:
    """The words of the deeds, in order, when all is over."""
    reader = ActionReader()
    deeds: list[RecordedAction] = []
    for method, params in messages:
        deed = reader.read(method, params)
        if deed and (not deeds or deeds[-1] is not deed):
            deeds.append(deed)
    return [deed.words for deed in deeds]


def script() -> tuple[str, dict[str, Any]]:
    return "Runtime.evaluate", {"expression": "1"}


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (press(), ["click (10, 20)"]),
        ([*press(), *press(30.25)], ["click (10, 20)", "click (30.2, 20)"]),
        ([*press(), *press(count=2)], ["double click (10, 20)"]),
        (press(button="right"), ["right click (10, 20)"]),
        (
            [mouse("mousePressed"), mouse("mouseMoved", 50, 20), mouse("mouseReleased", 90, 20)],
            ["drag (10, 20) to (90, 20)"],
        ),
        ([mouse("mouseMoved"), mouse("mouseMoved", 5, 5)], []),
        ([mouse("mouseWheel", deltaY=100), mouse("mouseWheel", deltaX=7, deltaY=50)], ["scroll (7, 150)"]),
        ([*key("h", "h"), *key("I", "I", 8), ("Input.insertText", {"text": " there"})], ['type "hI there"']),
        ([*raw_key("h", "h"), *raw_key("i", "i"), *raw_key("Enter", "\r")], ['type "hi", press Enter']),
        (
            [*key("a", "a"), *key("Enter", "\r"), *key("Tab"), *key("Tab"), *key("a", "", 2)],
            ['type "a", press Enter, press Tab (2 times), press Control+a'],
        ),
        ([*key("Shift"), *key("Tab", modifiers=8)], ["press Shift+Tab"]),
        ([script(), script(), *press(), script()], ["script (2 calls)", "click (10, 20)", "script"]),
        ([("DOM.setAttributeValue", {"nodeId": 1, "name": "value", "value": "x"})], ["change of the document"]),
        (
            [("Page.navigate", {"url": "http://x/"}), ("Page.reload", {}), ("Page.navigateToHistoryEntry", {})],
            ["navigate http://x/", "reload", "go to a page of the history"],
        ),
        (
            [
                ("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 1, "y": 2}]}),
                ("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}),
            ],
            ["tap (1, 2)"],
        ),
        ([("Page.handleJavaScriptDialog", {"accept": True})], ["accept the dialog"]),
        ([("Runtime.enable", {}), ("DOM.getDocument", {}), ("Page.captureScreenshot", {})], []),
    ],
)
def test_messages_that_belong_together_are_one_deed(messages, words):
    assert read(*messages) == words


def test_a_press_is_whole_when_the_button_is_up_again():
    reader = ActionReader()
    moved, pressed, released = press()
    assert reader.read(*moved) is None
    deed = reader.read(*pressed)
    assert deed is not None
    assert not deed.is_whole
    assert reader.read(*released) is deed
    assert deed.is_whole


def test_of_a_long_text_and_of_many_keys_the_beginning_is_told():
    (words,) = read(*[("Input.insertText", {"text": "y" * 100_000})] * 50)
    assert len(words) < LONGEST_TEXT + 50
    (words,) = read(*[message for number in range(1000) for message in key(f"F{number}")])
    assert len(words) < 1_000
    assert "1000 keys in all" in words


def odd(chance: random.Random) -> Any:
    return chance.choice([None, True, -1, 10**400, 1e308, "x" * 1000, "\ud83d", [], [None], {}, {"x": {}}, ["y"], 0.5])


@pytest.mark.parametrize("seed", range(20))
def test_no_message_is_too_odd_to_be_read(seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    methods = ["Input.dispatchMouseEvent", "Input.dispatchKeyEvent", "Input.insertText", "Input.dispatchTouchEvent",
               "Input.dispatchDragEvent", "Input.synthesizeTapGesture", "Input.synthesizeScrollGesture",
               "Page.navigate", "Runtime.evaluate", "Page.handleJavaScriptDialog", "no such method"]  # fmt: skip
    kinds = ["mousePressed", "mouseReleased", "mouseMoved", "mouseWheel", "keyDown", "char", "touchStart", "drop"]
    reader = ActionReader()
    for _ in range(300):
        names = ["x", "y", "deltaX", "button", "clickCount", "key", "text", "modifiers", "touchPoints", "url"]
        params = {name: odd(chance) for name in chance.sample(names, 5)}
        deed = reader.read(chance.choice(methods), {**params, "type": chance.choice([*kinds, odd(chance)])})
        if deed:
            assert len(json.dumps(deed.words)) < 5_000

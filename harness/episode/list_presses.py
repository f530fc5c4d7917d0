"""The presses by which a drop-down list, or one that shows its options, comes to hold what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.browser.browser import Browser
from harness.browser.chord import Chord
from harness.browser.input import ARROWS, CONTROL, ENTER, ESCAPE, Input, Key
from harness.browser.page_inspection import find_listeners
from harness.episode.refusal import expect

_PRESSES = frozenset(
    {"click", "mousedown", "mouseup", "dblclick", "pointerdown", "pointerup", "touchstart", "touchend"}
)
"""Events of a press, for which a page may listen on a list or on what holds it."""


def press_list(
    browser: Browser, label: str, values: Sequence[str], aim: Mapping[str, Any], is_over: Callable[[], bool]
) -> None:
    """Choose in a list that opens: by one key if one is enough, else in the open list, else with arrow keys.

    Args:
        browser: With the page.
        label: What the list is called in messages, and by which scripts find it if they have not before.
        values: Of the options.
        aim: What ``aim.select`` has told of the list.
        is_over: Asked after each of these ways: whether the list holds the options, or is gone.

    Raises:
        ActionRefused: the list cannot be reached any more.
    """
    if aim["unheard"]:
        find_listeners(browser, _PRESSES, "aim.hearing")
        aim = expect(label, browser.run("aim.select", label, values))
    if aim["key"]:
        Input(browser.channel).press([Chord.parse(aim["key"]).key])
        if is_over():
            return
        aim = expect(label, browser.run("aim.select", label, values))
    # In the open list arrow keys move without choosing: the page sees one change, as from a person.
    keyboard = Input(browser.channel)
    keyboard.click(aim["x"], aim["y"])
    keyboard.press([*arrows(aim["presses"]), ENTER])
    if is_over():
        return
    # In the closed one each of them chooses the next option, which also works where no list opens.
    Input(browser.channel).press([ESCAPE])
    aim = expect(label, browser.run("aim.select", label, values))
    Input(browser.channel).press(arrows(aim["presses"]))
    is_over()


def press_options(
    browser: Browser,
    label: str,
    values: Sequence[str],
    aim: Mapping[str, Any],
    is_gone: Callable[[], bool] = lambda: False,
) -> None:
    """Press the options of a list that shows them until they are as asked, each at most once.

    Args:
        browser: With the page.
        label: As of ``press_list``.
        values: Of the options.
        aim: As of ``press_list``.
        is_gone: Asked after each press: whether the list is gone.

    Raises:
        ActionRefused: an option cannot be reached.
    """
    modifiers = CONTROL if aim["multiple"] else 0
    pressed: set[int] = set()
    while not (option := expect(label, browser.run("aim.listOption", values))).get("done"):
        if option["place"] in pressed:
            return
        pressed.add(option["place"])
        Input(browser.channel).click(option["x"], option["y"], modifiers=modifiers)
        if is_gone():
            return


def arrows(presses: int) -> list[Key]:
    """Arrow keys down, or up if ``presses`` is below zero."""
    return [ARROWS["down" if presses > 0 else "up"]] * abs(presses)

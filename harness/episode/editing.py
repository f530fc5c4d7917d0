"""What changes the fields of one page, whichever way it reaches them, and what it says of a field afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from harness.actions.result import ErrorCode
from harness.browser.browser import Browser
from harness.browser.chord import Chord
from harness.browser.input import ARROWS, CONTROL, ENTER, ESCAPE, Input, Key
from harness.browser.page_inspection import find_listeners
from harness.catalog.labels import clean
from harness.episode.refusal import ActionRefused, expect, short
from harness.episode.typing_plan import TextToType

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


MAX_PRESSES = 400
"""Arrow keys that one slider may take."""


class Editor(Protocol):
    """Changes fields with trusted input, as far as there is any, and checks that each holds what was asked.

    Every method that changes a field gives a sentence about what the page holds now, or raises ``ActionRefused`` with
    the reason why it does not hold what was asked.

    Attributes:
        submitted: Whether a change made the page submit itself.
    """

    submitted: bool

    def write(self, name: str, text: str) -> str:
        """Put ``text`` into a text field, in place of what it holds."""

    def choose_radio(self, name: str, value: str) -> str:
        """Choose the option of ``value``, or of that text."""

    def tick(self, name: str, values: list[str]) -> str:
        """Tick the boxes of ``values`` and no other box of the name."""

    def choose_in_list(self, name: str, values: list[str]) -> str:
        """Choose one option of a drop-down list, or exactly ``values`` in a list that takes several."""

    def slide(self, name: str, value: str) -> str:
        """Move a slider."""

    def bring_into_view(self, name: str) -> dict[str, float]:
        """Scroll a field to the middle of the screen; gives its ``left``, ``top``, ``width`` and ``height`` there."""


def held(name: str, values: list[str], *, already: bool = False) -> str:
    """What is said of a field that holds what was asked."""
    return f"{name!r} {'already ' if already else ''}holds {', '.join(map(short, values)) or 'nothing'}"


def not_held(
    name: str,
    values: list[str] | None,
    wanted: list[str],
    code: ErrorCode = ErrorCode.NOT_TAKEN,
    reason: str = "the page does not take it",
) -> ActionRefused:
    """What is said of a field that holds something else, or is gone.

    Args:
        name: The field's name.
        values: What it holds; None if there is no such field any more.
        wanted: What was asked.
        code: Why it does not hold it.
        reason: The same in words.
    """
    if values is None:
        return ActionRefused(ErrorCode.FIELD_REMOVED, f"the page removed {name!r} when it was changed")
    shown, asked = (", ".join(map(short, each)) or "nothing" for each in (values, wanted))
    return ActionRefused(code, f"{name!r} holds {shown}, not {asked}: {reason}")


def text_not_held(name: str, values: list[str] | None, plan: TextToType, limit: int) -> ActionRefused:
    """What is said of a text control that does not hold the text of ``plan``; ``limit`` is its ``maxLength``."""
    return not_held(name, values, [plan.text], *(plan.objection(limit) or ()))


def are_equal(values: list[str] | None, wanted: list[str]) -> bool:
    """Whether a field holds what was asked, whatever white space is around it."""
    return values is not None and set(map(clean, values)) == set(map(clean, wanted))

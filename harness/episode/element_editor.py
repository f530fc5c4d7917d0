"""Change elements of the shown page by their numbers, with trusted input over DevTools, and read them back."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.actions.result import ErrorCode
from harness.browser.browser import Browser
from harness.browser.input import ENTER, Input
from harness.episode import typing_plan
from harness.episode.editing import MAX_PRESSES, arrows, not_held, press_list, press_options, text_not_held
from harness.episode.refusal import LISTED_OPTIONS, ActionRefused, expect, short

LEAST_LIKENESS = 0.6
"""From 0 to 1, as ``difflib`` measures it: an option that is less like what was asked for is not meant."""
_Option = Mapping[str, Any]


class ElementEditor:
    """Writes into and chooses from elements that an observation has numbered.

    After an input the page may be another; what was changed is gone with it then, and cannot be read back.
    """

    def __init__(self, browser: Browser, settle: Callable[[], bool]) -> None:
        """Edit what ``browser`` shows.

        Args:
            browser: With the tab.
            settle: Waits until what was set off has happened; whether another document is shown since.
        """
        self._browser = browser
        self._settle = settle

    @property
    def _input(self) -> Input:
        return Input(self._browser.channel)  # of the tab that is shown now

    def write(self, number: int, text: str) -> str:
        """Put ``text`` into an element, in place of what it holds; gives a sentence about what it holds now.

        The element keeps the focus: a list of suggestions below it stays open.

        Raises:
            ActionRefused: it does not hold the text; says why.
        """
        label = f"[{number}]"
        aim = expect(label, self._browser.run("elements.text", number))
        told = f"{label} {aim['what']}"
        if aim["type"] == "range":
            return self._slide(number, text, told)
        plan = typing_plan.TextToType(aim["type"], text, aim["step"])
        if aim["type"] == "color":
            self._browser.run("aim.set", text)
        elif keys := plan.keys():
            self._input.click(aim["x"], aim["y"])
            self._input.press(keys)
        else:
            self._input.replace_text(aim["x"], aim["y"], text)
        if self._settle():
            return f"wrote {short(text)} into {told}, upon which the page went on"
        value = self._value(number)
        if aim["value"] and value is not None and not plan.is_held(value) and not plan.in_parts:
            # A page that lets only some keys through also swallows the one that selects all.
            self._browser.run("elements.selectAll", number)
            self._input.insert(text)
            if self._settle():
                return f"wrote {short(text)} into {told}, upon which the page went on"
            value = self._value(number)
        if value is not None and plan.is_held(value):
            return f"{told} holds {short(value) if value else 'nothing'}"
        raise text_not_held(label, _values(value), plan, aim["maxLength"])

    def press_enter(self) -> bool:
        """Press Enter for what has the focus; whether another document is shown since."""
        self._input.press([ENTER])
        return self._settle()

    def choose(self, number: int, text: str) -> str:
        """Choose the option of a drop-down list whose text is most like ``text``; gives a sentence about it.

        Raises:
            ActionRefused: there is no such list or option, or the list does not hold it afterwards.
        """
        label = f"[{number}]"
        told = expect(label, self._browser.run("elements.options", number))
        option = best_option(text, told["options"])
        if option is None:
            message = f"{label} has no option like {short(text)}; it has {_texts(told['options'])}"
            raise ActionRefused(ErrorCode.NO_SUCH_OPTION, message)
        value, shown = str(option["value"]), str(option["text"])
        if value in told["chosen"]:
            return f"{label} {told['what']} already holds {shown!r}"
        wanted = [*told["chosen"], value] if told["multiple"] else [value]
        if self._choose_value(number, wanted):
            return f"chose {shown!r} in {label} {told['what']}, upon which the page went on"
        now = self._browser.run("elements.options", number)
        chosen = now.get("chosen")
        if chosen is None or value not in chosen:
            raise not_held(label, chosen, [value])
        return f"{label} {told['what']} holds {shown!r}"

    def _choose_value(self, number: int, values: list[str]) -> bool:
        """Choose options by their values; whether another document is shown since."""
        label = f"[{number}]"
        aim = expect(label, self._browser.run("aim.select", label, values))
        moved = False

        def is_gone() -> bool:
            nonlocal moved
            moved = self._settle()
            return moved

        if aim["listed"]:
            press_options(self._browser, label, values, aim, is_gone)
        else:
            press_list(self._browser, label, values, aim, lambda: is_gone() or self._value(number) == values[0])
        return moved

    def _slide(self, number: int, text: str, told: str) -> str:
        """Move a slider with a press on its track, then arrow keys for what the press missed."""
        label = f"[{number}]"
        wanted = typing_plan.slider_value(text)
        aim = expect(label, self._browser.run("aim.slider", label, wanted or 0.0))
        if wanted is None:
            raise ActionRefused(ErrorCode.NOT_A_NUMBER, f"{label}: {text!r} is not a number")
        scale = typing_plan.Scale(**aim["scale"])
        if objection := scale.objection(wanted, aim["nearest"]):
            code, words = objection
            raise ActionRefused(code, f"{label}: {words}")
        self._input.click(aim["x"], aim["y"])
        if self._settle():
            return f"moved {told}, upon which the page went on"
        value = self._value(number)
        if value is not None and scale.step and float(value) != wanted:
            presses = round((wanted - float(value)) / scale.step)
            if abs(presses) <= MAX_PRESSES:
                self._input.press(arrows(-presses if aim["upwards"] else presses))
                if self._settle():
                    return f"moved {told}, upon which the page went on"
                value = self._value(number)
        if value is None or float(value) != wanted:
            raise not_held(label, _values(value), [f"{wanted:g}"])
        return f"{told} holds {value}"

    def _value(self, number: int) -> str | None:
        value: str | None = self._browser.run("elements.value", number)
        return value


def best_option(text: str, options: Sequence[_Option]) -> _Option | None:
    """The option that is meant: whose text, or else whose value, is ``text``, else the one whose text is most like it.

    Letter case and white space do not count. Of equals the first is meant.

    Args:
        text: What was asked for.
        options: Each with its ``text`` and ``value``, and whether it can be chosen as ``visible``.

    Returns:
        The option; None if none is like it by ``LEAST_LIKENESS``, as difflib's ratio measures it.
    """
    wanted, able = _folded(text), [option for option in options if option["visible"]]
    for key in ("text", "value"):
        for option in able:
            if _folded(option[key]) == wanted:
                return option
    likeness = [difflib.SequenceMatcher(None, wanted, _folded(option["text"])).ratio() for option in able]
    best = max(range(len(able)), key=likeness.__getitem__, default=None)
    return able[best] if best is not None and likeness[best] >= LEAST_LIKENESS else None


def _texts(options: Sequence[_Option]) -> str:
    """What a list offers, as far as it is worth reading."""
    able = [repr(option["text"]) for option in options if option["visible"]]
    more = len(able) - LISTED_OPTIONS
    return ", ".join(able[:LISTED_OPTIONS]) + (f" and {more} more" if more > 0 else "") if able else "none to choose"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _values(value: str | None) -> list[str] | None:
    return None if value is None else [value]

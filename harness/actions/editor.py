"""Change the fields of the open page with trusted input, and check that each holds what was asked.

Every method gives a sentence about what the page holds now, or raises ``Refused`` with the reason why it does not.
"""

from __future__ import annotations

from typing import Any

from harness.actions import typing_plan
from harness.actions.wording import Refused, box_values, expect, option_value, short
from harness.browser.browser import Browser
from harness.browser.input import ARROWS, CONTROL, ENTER, ESCAPE, Input, Key
from harness.labels import clean

MAX_PRESSES = 400
"""Arrow keys, or options of a list, that one change may take."""


class FieldEditor:
    """Hands on the fields of one page.

    Attributes:
        submitted: Whether a change made the page submit itself.
    """

    def __init__(self, browser: Browser) -> None:
        self.submitted = False
        self._browser = browser
        self._input = Input(browser.channel)

    def write(self, name: str, text: str) -> str:
        """Put ``text`` into a text field, in place of what it holds."""
        aim = expect(name, self._browser.run("aim", name, ["text", "textarea"]))
        if clean(aim["value"]) == text:
            return _held(name, [text], already=True)
        if aim["type"] == "color":
            self._browser.run("setColour", name, text)
        elif keys := typing_plan.keys_for(aim["type"], text):
            self._input.click(aim["x"], aim["y"])
            self._input.press(keys)
        else:
            self._input.replace_text(aim["x"], aim["y"], text)
        return self._check(name, [text])

    def choose_radio(self, name: str, value: str) -> str:
        """Choose the option of ``value``, or of that text."""
        aim = self._browser.run("aimRadio", name, value)
        if "options" in aim:
            value = option_value(name, value, aim["options"])
            aim = self._browser.run("aimRadio", name, value)
        expect(name, aim)
        if aim.get("done"):
            return _held(name, [value], already=True)
        self._input.click(aim["x"], aim["y"])
        return self._check(name, [value])

    def tick(self, name: str, values: list[str]) -> str:
        """Tick the boxes of ``values`` and no other box of the name."""
        aim = self._browser.run("aimBox", name, values)
        if "options" in aim:
            values = box_values(name, values, aim["options"])
            aim = self._browser.run("aimBox", name, values)
        pressed: set[int] = set()
        while not aim.get("done"):
            expect(name, aim)
            if aim["place"] in pressed:
                raise Refused(f"the page does not keep the box {aim['value']!r} of {name!r} as asked")
            pressed.add(aim["place"])
            self._input.click(aim["x"], aim["y"])
            aim = self._browser.run("aimBox", name, values)
        return _held(name, aim["values"], already=not pressed)

    def choose_in_list(self, name: str, values: list[str]) -> str:
        """Choose one option of a drop-down list, or exactly ``values`` in a list that takes several."""
        aim = self._browser.run("aimSelect", name, values[0] if values else None)
        if "options" in aim and values:
            values = [option_value(name, each, aim["options"]) for each in values]
            aim = self._browser.run("aimSelect", name, values[0])
        if aim.get("multiple"):
            return self._choose_several(name, values)
        expect(name, aim)
        if len(values) != 1:
            raise Refused(f"{name!r} takes one option")
        if aim["chosen"] == values:
            return _held(name, values, already=True)
        if aim["size"] > 1:
            self._input.click(aim["x"], aim["y"])
        else:
            # In the open list arrow keys move without choosing: the page sees one change, as from a person.
            self._input.click(aim["x"], aim["y"])
            self._input.press([*_arrows(aim["current"], aim["index"]), ENTER])
        if self._browser.run("read", name)["values"] != values:
            self._choose_in_closed_list(name, values[0])
        return self._check(name, values)

    def _choose_in_closed_list(self, name: str, value: str) -> None:
        """Each arrow key chooses the next option, which also works where no list opens."""
        self._input.press([ESCAPE])
        aim = expect(name, self._browser.run("aimSelect", name, value))
        self._input.press(_arrows(aim["current"], aim["index"]))

    def _choose_several(self, name: str, values: list[str]) -> str:
        for _ in range(MAX_PRESSES):
            aim = expect(name, self._browser.run("aimListOption", name, values))
            if aim.get("done"):
                return self._check(name, aim["values"])
            self._input.click(aim["x"], aim["y"], modifiers=CONTROL)
        raise Refused(f"the page does not keep the options {values} of {name!r} chosen")

    def slide(self, name: str, value: str) -> str:
        """Move a slider: a press on its track, then arrow keys for what the press missed."""
        aim = expect(name, self._browser.run("aim", name, ["range"]))
        try:
            plan = typing_plan.Slider.of(aim, float(value))
        except ValueError as error:
            raise Refused(f"{name!r}: {error}") from error
        if float(aim["value"]) == plan.value:
            return _held(name, [aim["value"]], already=True)
        self._input.click(*plan.point())
        held = float(self._browser.run("read", name)["values"][0])
        presses = plan.presses(held)
        if len(presses) > MAX_PRESSES:
            raise Refused(f"{name!r} does not follow the pointer: it holds {held:g}, not {plan.value:g}")
        if presses:
            self._input.press(presses)
        state = self._leave_and_read(name)
        if float(state["values"][0]) != plan.value:
            raise Refused(f"{name!r} holds {state['values'][0]}, not {plan.value:g}")
        return _held(name, state["values"])

    def _check(self, name: str, wanted: list[str]) -> str:
        held = self._leave_and_read(name)["values"]
        if held is None:
            raise Refused(f"the page removed {name!r} when it was changed")
        if [clean(each) for each in held] != [clean(each) for each in wanted]:
            shown = ", ".join(map(short, held)) or "nothing"
            raise Refused(f"{name!r} holds {shown}, not {', '.join(map(short, wanted))}: the page does not take it")
        return _held(name, wanted)

    def _leave_and_read(self, name: str) -> dict[str, Any]:
        numbers = [self._browser.send_run("leave"), self._browser.send_run("read", name)]
        state: dict[str, Any] = self._browser.values(numbers)[1]
        self.submitted = self.submitted or state["posted"]
        return state


def _arrows(current: int, index: int) -> list[Key]:
    return [ARROWS["down" if index > current else "up"]] * abs(index - current)


def _held(name: str, values: list[str], *, already: bool = False) -> str:
    return f"{name!r} {'already ' if already else ''}holds {', '.join(map(short, values)) or 'nothing'}"

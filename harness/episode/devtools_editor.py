"""Change the fields of the open page over DevTools: the in-page library says where to press, trusted input does it."""

from __future__ import annotations

from typing import Any

from harness.actions.result import ErrorCode
from harness.browser.browser import Browser
from harness.browser.input import Input
from harness.episode import typing_plan
from harness.episode.editing import (
    MAX_PRESSES,
    are_equal,
    arrows,
    held,
    not_held,
    press_list,
    press_options,
    text_not_held,
)
from harness.episode.refusal import ActionRefused, box_values, expect, one_value, open_values, option_value


class DevtoolsEditor:
    """See ``harness.episode.editing.Editor``.

    Attributes:
        submitted: Whether a change made the page submit itself.
    """

    def __init__(self, browser: Browser) -> None:
        self.submitted = False
        self._browser = browser

    @property
    def _input(self) -> Input:
        """Mouse and keyboard of what the browser shows now."""
        return Input(self._browser.channel)

    def write(self, name: str, text: str) -> str:
        """Put ``text`` into a text field, in place of what it holds."""
        aim = expect(name, self._browser.run("aim.text", name))
        plan = typing_plan.TextToType(aim["type"], text, aim["step"])
        if plan.is_held(aim["value"]):
            return held(name, [aim["value"]], already=True)
        if aim["type"] == "color":
            self._browser.run("aim.set", text)
        elif keys := plan.keys():
            self._input.click(aim["x"], aim["y"])
            self._input.press(keys)
        else:
            self._input.replace_text(aim["x"], aim["y"], text)
        values = self._leave_and_read(name)
        if aim["value"] and values and not plan.is_held(values[0]) and not self.submitted and not plan.in_parts:
            # A page that lets only some keys through also swallows the one that selects all.
            self._input.click(aim["x"], aim["y"])
            self._browser.run("aim.selectText")
            self._input.insert(text)
            values = self._leave_and_read(name)
        if values and plan.is_held(values[0]):
            return held(name, values)
        raise text_not_held(name, values, plan, aim["maxLength"])

    def choose_radio(self, name: str, value: str) -> str:
        """Choose the option of ``value``, or of that text; write what is none into the text box beside the options."""
        aim = self._browser.run("aim.radio", name, value)
        text = ""
        if "options" in aim:
            value, text = one_value(name, value, aim["options"], aim.get("other"))
            aim = self._browser.run("aim.radio", name, value)
        if not text and any(aim.get("texts", ())):
            self.write(name, "")  # first, since the choice may hide it
            aim = self._browser.run("aim.radio", name, value)
        expect(name, aim)
        said = held(name, [value], already=True) if aim.get("done") else self._press_radio(name, value, aim)
        if not text:
            return said
        self.write(name, text)
        return held(name, [value, text])

    def _press_radio(self, name: str, value: str, aim: dict[str, Any]) -> str:
        self._input.click(aim["x"], aim["y"])
        try:
            return self._check(name, [value])
        except ActionRefused:
            aim = self._browser.run("aim.radio", name, value, True)
            if self.submitted or "x" not in aim:
                raise
        self._input.click(aim["x"], aim["y"])
        return self._check(name, [value])

    def tick(self, name: str, values: list[str]) -> str:
        """Tick the boxes of ``values`` and no other box of the name."""
        aim = self._browser.run("aim.box", name, values)
        other = ""
        if "options" in aim:
            if aim.get("open"):
                values, other = open_values(name, values, aim["options"])
            else:
                values = box_values(name, values, aim["options"])
            aim = self._browser.run("aim.box", name, values)
        pressed: set[int] = set()
        by_label: set[int] = set()
        while not aim.get("done"):
            if pressed and aim.get("posted"):
                return self._check(name, values)
            expect(name, aim)
            if aim["place"] in pressed:
                box, place = aim["value"], aim["place"]
                aim = self._browser.run("aim.box", name, values, True)
                if place in by_label or "x" not in aim:
                    raise ActionRefused(
                        ErrorCode.BOX_NOT_KEPT, f"the page does not keep the box {box!r} of {name!r} as asked"
                    )
                by_label.add(place)
            pressed.add(aim["place"])
            self._input.click(aim["x"], aim["y"])
            aim = self._browser.run("aim.box", name, values)
        if other or any(aim.get("texts", ())):
            self.write(name, other)
            return held(name, [*aim["values"], *filter(None, [other])])
        return held(name, aim["values"], already=not pressed)

    def choose_in_list(self, name: str, values: list[str]) -> str:
        """Choose one option of a drop-down list, or exactly ``values`` in a list that takes several."""
        aim = self._browser.run("aim.select", name, values)
        if "options" in aim:
            values = [option_value(name, each, aim["options"]) for each in values]
            aim = self._browser.run("aim.select", name, values)
        expect(name, aim)
        if not aim["multiple"] and len(values) != 1:
            raise ActionRefused(ErrorCode.ONE_OPTION_ONLY, f"{name!r} takes one option")
        if set(aim["chosen"]) == set(values):
            return held(name, aim["chosen"], already=True)
        if aim["listed"]:
            press_options(self._browser, name, values, aim)
        else:
            press_list(self._browser, name, values, aim, lambda: self._holds(name, values))
        return self._check(name, values)

    def _holds(self, name: str, values: list[str]) -> bool:
        is_as_asked: bool = self._browser.run("aim.read", name)["values"] == values
        return is_as_asked

    def slide(self, name: str, value: str) -> str:
        """Move a slider: a press on its track, then arrow keys for what the press missed."""
        wanted = typing_plan.slider_value(value)
        aim = expect(name, self._browser.run("aim.slider", name, wanted or 0.0))
        if wanted is None:
            raise ActionRefused(ErrorCode.NOT_A_NUMBER, f"{name!r}: {value!r} is not a number")
        scale = typing_plan.Scale(**aim["scale"])
        if objection := scale.objection(wanted, aim["nearest"]):
            code, words = objection
            raise ActionRefused(code, f"{name!r}: {words}")
        if float(aim["value"]) == wanted:
            return held(name, [aim["value"]], already=True)
        self._input.click(aim["x"], aim["y"])
        values = self._browser.run("aim.read", name)["values"]
        if values and scale.step:
            presses = round((wanted - float(values[0])) / scale.step)
            if 0 < abs(presses) <= MAX_PRESSES:
                self._input.press(arrows(-presses if aim["upwards"] else presses))
                values = self._browser.run("aim.read", name)["values"]
        if values and float(values[0]) != wanted:
            self._browser.run("aim.set", f"{wanted:.15g}")
        values = self._leave_and_read(name)
        if not values or float(values[0]) != wanted:
            raise not_held(name, values, [f"{wanted:g}"])
        return held(name, values)

    def _check(self, name: str, wanted: list[str]) -> str:
        values = self._leave_and_read(name)
        if values is None or not are_equal(values, wanted):
            raise not_held(name, values, wanted)
        return held(name, values)

    def bring_into_view(self, name: str) -> dict[str, float]:
        """Scroll a field to the middle of the screen; gives its box there."""
        return expect(name, self._browser.run("aim.scrollTo", name))

    def _leave_and_read(self, name: str) -> list[str] | None:
        numbers = [self._browser.send_run("page.leave"), self._browser.send_run("aim.read", name)]
        state: dict[str, Any] = self._browser.values(numbers)[1]
        self.submitted = self.submitted or state["posted"]
        values: list[str] | None = state["values"]
        return values

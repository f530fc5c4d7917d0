"""Change the fields of the open page over DevTools: the in-page library says where to press, trusted input does it."""

from __future__ import annotations

from typing import Any

from harness.actions.error_code import ErrorCode
from harness.browser.browser import Browser
from harness.browser.chord import Chord
from harness.browser.input import ARROWS, CONTROL, ENTER, ESCAPE, Input, Key
from harness.browser.listeners import find_listeners
from harness.episode import typing_plan
from harness.episode.editing import MAX_PRESSES, are_equal, held, not_held
from harness.episode.refusal import ActionRefused, box_values, expect, option_value
from harness.text.numbers import counted

PRESSES = frozenset({"click", "mousedown", "mouseup", "dblclick", "pointerdown", "pointerup", "touchstart", "touchend"})
"""Events of a press, for which a page may listen on a list or on what holds it."""


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
        limit = aim["maxLength"]
        if 0 <= limit < len(text.encode("utf-16-le")) // 2:
            raise not_held(name, values, [text], ErrorCode.TOO_LONG, f"it takes at most {counted(limit, 'character')}")
        raise not_held(name, values, [text])

    def choose_radio(self, name: str, value: str) -> str:
        """Choose the option of ``value``, or of that text."""
        aim = self._browser.run("aim.radio", name, value)
        if "options" in aim:
            value = option_value(name, value, aim["options"])
            aim = self._browser.run("aim.radio", name, value)
        expect(name, aim)
        if aim.get("done"):
            return held(name, [value], already=True)
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
        if "options" in aim:
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
            return self._press_options(name, values, CONTROL if aim["multiple"] else 0)
        if aim["unheard"]:
            find_listeners(self._browser, PRESSES, "aim.hearing")
            aim = expect(name, self._browser.run("aim.select", name, values))
        if aim["key"]:
            self._input.press([Chord.parse(aim["key"]).key])
            if self._browser.run("aim.read", name)["values"] == values:
                return self._check(name, values)
            aim = expect(name, self._browser.run("aim.select", name, values))
        # In the open list arrow keys move without choosing: the page sees one change, as from a person.
        self._input.click(aim["x"], aim["y"])
        self._input.press([*_arrows(aim["presses"]), ENTER])
        if self._browser.run("aim.read", name)["values"] != values:
            self._choose_in_closed_list(name, values)
        return self._check(name, values)

    def _choose_in_closed_list(self, name: str, values: list[str]) -> None:
        """Each arrow key chooses the next option, which also works where no list opens."""
        self._input.press([ESCAPE])
        aim = expect(name, self._browser.run("aim.select", name, values))
        self._input.press(_arrows(aim["presses"]))

    def _press_options(self, name: str, values: list[str], modifiers: int) -> str:
        pressed: set[int] = set()
        while not (aim := expect(name, self._browser.run("aim.listOption", values))).get("done"):
            if aim["place"] in pressed:
                break
            pressed.add(aim["place"])
            self._input.click(aim["x"], aim["y"], modifiers=modifiers)
        return self._check(name, values)

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
                self._input.press(_arrows(-presses if aim["upwards"] else presses))
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


def _arrows(presses: int) -> list[Key]:
    """Arrow keys down, or up if ``presses`` is below zero."""
    return [ARROWS["down" if presses > 0 else "up"]] * abs(presses)

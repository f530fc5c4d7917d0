"""Change the fields of the open page over WebDriver: its own means find, press, type, choose and read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.actions.result import ErrorCode
from harness.browser.browser import Browser
from harness.browser.chord import Chord
from harness.browser.input import ARROWS, DELETE, END, Key
from harness.browser.webdriver.driven_form import DrivenControl, DrivenField, DrivenForm, Unpressable, values_of
from harness.browser.webdriver.webdriver_input import DrivenPages, failures
from harness.catalog.kinds import TYPED
from harness.episode import typing_plan
from harness.episode.editing import MAX_PRESSES, are_equal, held, not_held, text_not_held
from harness.episode.refusal import ActionRefused, box_values, expect, one_value, open_values, option_value

_LINE_END = re.compile(r"\r\n|\r|\n")
"""What a browser makes a space of where a text is put into a field of one line."""
_SELECT_ALL = Chord.parse("Control+a").key


class WebdriverEditor:
    """See ``harness.episode.editing.Editor``.

    It shares no code with ``DevtoolsEditor`` that looks at the page or acts on it, so that the two can be held against
    each other: what they send has to be the same.
    """

    def __init__(self, browser: Browser, driven: DrivenPages) -> None:
        """Edit the page that ``browser`` shows, in its session of ``driven``."""
        self.submitted = False
        self._browser = browser
        self._driven = driven
        self._tried: Counter[tuple[str, str]] = Counter()

    @property
    def _form(self) -> DrivenForm:
        return self._driven.page.form

    # ---- texts ------------------------------------------------------------------------------------------------

    @failures()
    def write(self, name: str, text: str) -> str:
        """See ``harness.episode.editing.Editor``."""
        control = self._usable(name, *sorted(TYPED))
        plan = typing_plan.TextToType(control.told["type"], text, control.told["step"])
        if plan.is_held(control.value):
            return held(name, [control.value], already=True)
        if plan.input_type == "color" or (plan.in_parts and not self._form.ours):
            self._form.set(control, text)
        else:
            self._press(name, control)
            if keys := plan.keys():
                self._form.gestures.press(keys)
            else:
                self._replace(text if control.told["kind"] == "textarea" else _LINE_END.sub(" ", text))
        values = self._leave_and_read(name, control)
        if values and not plan.is_held(values[0]) and control.value and not self.submitted and not plan.in_parts:
            # A page that lets only some keys through also swallows the one that selects all.
            self._press(name, control)
            self._form.select_text(control)
            self._form.gestures.insert(text)
            values = self._leave_and_read(name, control)
        if values and plan.is_held(values[0]):
            return held(name, values)
        raise text_not_held(name, values, plan, control.told["maxLength"])

    def _replace(self, text: str) -> None:
        self._form.gestures.press([_SELECT_ALL])
        if text:
            self._form.gestures.enter(text)
        else:
            self._form.gestures.press([DELETE])
        self._form.gestures.press([END])

    # ---- choices ----------------------------------------------------------------------------------------------

    @failures()
    def choose_radio(self, name: str, value: str) -> str:
        """See ``harness.episode.editing.Editor``."""
        field = self._field(name, "radio")
        text = ""
        if value not in [each.value for each in field.controls]:
            value, text = one_value(name, value, field.options(), field.other if field.texts else None)
        if not text and any(each.value for each in field.texts):
            self.write(name, "")  # first, since the choice may hide it
            field = self._field(name, "radio")
        is_chosen = value in values_of("radio", field.controls)
        said = held(name, [value], already=True) if is_chosen else self._press_radio(name, value, field)
        if not text:
            return said
        self.write(name, text)
        return held(name, [value, text])

    def _press_radio(self, name: str, value: str, field: DrivenField) -> str:
        control = self._option(name, field.controls, value)
        self._press(name, control)
        try:
            return self._check(name, [value])
        except ActionRefused:
            if self.submitted or not control.labels:
                raise
        self._press(name, control, beside=True)
        return self._check(name, [value])

    @failures()
    def tick(self, name: str, values: list[str]) -> str:
        """See ``harness.episode.editing.Editor``."""
        field = self._field(name, "checkbox")
        other = ""
        if field.texts:
            values, other = open_values(name, values, field.options())
        elif set(values) - {each.value for each in field.controls}:
            values = box_values(name, values, field.options())
        pressed: Counter[int] = Counter()
        while (place := self._next_box(name, field, values)) is not None:
            control = field.controls[place]
            if pressed[place] and not (pressed[place] == 1 and control.labels):
                words = f"the page does not keep the box {control.value!r} of {name!r} as asked"
                raise ActionRefused(ErrorCode.BOX_NOT_KEPT, words)
            self._press(name, control, beside=pressed[place] > 0)
            pressed[place] += 1
            self._rest()
            if self.submitted:
                return self._check(name, values)
            field = self._field(name, "checkbox")
        if other or any(each.value for each in field.texts):
            self.write(name, other)
            return held(name, [*_ticked(field), *filter(None, [other])])
        return held(name, _ticked(field), already=not pressed)

    def _next_box(self, name: str, field: DrivenField, values: Sequence[str]) -> int | None:
        """The place of a box that is not as asked: those that are too much first, as a page can limit their number."""
        open_ones = [each for each in field.controls if each.checked and not each.told["disabled"]]
        wrong = next((each for each in open_ones if each.value not in values), None)
        if wrong is None:
            lacking = next((value for value in values if value not in _ticked(field)), None)
            if lacking is None:
                return None
            wrong = self._option(name, field.controls, lacking)
        else:
            _refuse_option(name, wrong)
        return field.controls.index(wrong)

    def _option(self, name: str, controls: Sequence[DrivenControl], value: str) -> DrivenControl:
        """The control of a value; of several that can be used the one that was tried least."""
        same = [each for each in controls if each.value == value]
        usable = [each for each in same if not each.objection()]
        if not usable:
            _refuse_option(name, same[0])
        times = self._tried[name, value]
        self._tried[name, value] += 1
        return usable[times % len(usable)]

    @failures()
    def choose_in_list(self, name: str, values: list[str]) -> str:
        """See ``harness.episode.editing.Editor``."""
        control = self._usable(name, "select")
        places = _places(control, values)
        if places is None:
            values = [option_value(name, each, control.options) for each in values]
            places = _places(control, values)
        if places is None:
            wrong = next(each for each in values if _places(control, [each]) is None)
            options = control.options
            told = {
                "code": "no_such_option",
                "error": f"no option {json.dumps(wrong, ensure_ascii=False)} can be chosen",
                "options": options,
            }
            expect(name, told)
            raise AssertionError
        if not control.told["multiple"] and len(values) != 1:
            raise ActionRefused(ErrorCode.ONE_OPTION_ONLY, f"{name!r} takes one option")
        chosen = values_of("select", [control])
        if set(chosen) == set(values):
            return held(name, chosen, already=True)
        self._act(name, lambda: self._form.choose(control, places or []))
        return self._check(name, values, control)

    # ---- sliders ----------------------------------------------------------------------------------------------

    @failures()
    def slide(self, name: str, value: str) -> str:
        """See ``harness.episode.editing.Editor``."""
        control = self._usable(name, "range")
        wanted = typing_plan.slider_value(value)
        if wanted is None:
            raise ActionRefused(ErrorCode.NOT_A_NUMBER, f"{name!r}: {value!r} is not a number")
        scale = typing_plan.Scale(**control.told["scale"])
        if objection := scale.objection(wanted, self._form.nearest(control, wanted)):
            code, words = objection
            raise ActionRefused(code, f"{name!r}: {words}")
        if float(control.value) == wanted:
            return held(name, [control.value], already=True)
        share = (wanted - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
        self._act(name, lambda: self._form.press_at(control, share))
        values = self._read(name, control)
        if values and scale.step:
            presses = round((wanted - float(values[0])) / scale.step)
            if 0 < abs(presses) <= MAX_PRESSES:
                rising = "down" if control.told["upright"] and not control.told["mirrored"] else "up"
                self._form.gestures.press(_arrows(presses, rising))
                values = self._read(name, control)
        if values and float(values[0]) != wanted:
            self._form.set(control, f"{wanted:.15g}")
        values = self._leave_and_read(name, control)
        if not values or float(values[0]) != wanted:
            raise not_held(name, values, [f"{wanted:g}"])
        return held(name, values)

    # ---- what they share --------------------------------------------------------------------------------------

    @failures()
    def bring_into_view(self, name: str) -> dict[str, float]:
        """See ``harness.episode.editing.Editor``."""
        field = self._form.find(name)
        if not field.kind:
            expect(name, _absent(field))
        control = next((each for each in field.controls if each.told["visible"]), None)
        if control is None:
            raise ActionRefused(ErrorCode.NOT_VISIBLE, f"{name!r}: it is not visible now")
        box = self._form.bring_into_view(control)
        if box is None:
            raise ActionRefused(ErrorCode.OUT_OF_VIEW, f"{name!r}: no part of it can be brought into view")
        return box

    def _field(self, name: str, *kinds: str) -> DrivenField:
        """The field, if an action for these kinds can work on it."""
        self._rest()
        if self.submitted:
            raise ActionRefused(ErrorCode.ALREADY_SUBMITTED, f"{name!r}: the form was already submitted")
        field = self._form.find(name)
        if not field.kind:
            expect(name, _absent(field))
        if field.kind == "hidden":
            words = "it is a hidden field: only the page's own script writes it"
            raise ActionRefused(ErrorCode.HIDDEN_FIELD, f"{name!r}: {words}")
        if field.texts and "text" in kinds:
            return replace(field, kind="text", controls=field.texts)
        if field.kind not in kinds:
            what = "text" if field.kind == "textarea" else field.kind
            expect(name, {"code": "another_kind", "error": f"it is a {what} field", "kind": field.kind})
        return field

    def _usable(self, name: str, *kinds: str) -> DrivenControl:
        control = self._field(name, *kinds).usable
        if objection := control.objection():
            code, words = objection
            raise ActionRefused(code, f"{name!r}: {words}")
        return control

    def _press(self, name: str, control: DrivenControl, *, beside: bool = False) -> None:
        self._act(name, lambda: self._form.press(control, beside=beside))

    @staticmethod
    def _act(name: str, work: Callable[[], None]) -> None:
        try:
            work()
        except Unpressable as error:
            raise ActionRefused(error.code, f"{name!r}: {error}") from None

    def _rest(self) -> None:
        """Wait until what was set off has happened, and see whether the form was submitted by it."""
        self.submitted = bool(self._browser.run("form.posted")) or self.submitted

    def _read(self, name: str, control: DrivenControl | None = None) -> list[str] | None:
        """What the field holds, or that control of it if it is still there; None if there is no such field."""
        self._rest()
        field = self._form.find(name)
        if not field.kind:
            return None
        same = [each for each in (*field.controls, *field.texts) if control and each.element == control.element]
        return values_of(same[0].told["kind"] if same else field.kind, same or field.controls)

    def _leave_and_read(self, name: str, control: DrivenControl | None = None) -> list[str] | None:
        self._form.leave()
        return self._read(name, control)

    def _check(self, name: str, wanted: list[str], control: DrivenControl | None = None) -> str:
        values = self._leave_and_read(name, control)
        if self.submitted and self._form.find(name).is_of_buttons:
            return held(name, wanted)
        if values is None or not are_equal(values, wanted):
            raise not_held(name, values, wanted)
        return held(name, values)


def _absent(field: DrivenField) -> dict[str, object]:
    names = list(field.names)
    return {"code": "no_such_field", "error": "no field of this name is on the page now", "names": names}


def _refuse_option(name: str, control: DrivenControl) -> None:
    """Raise the reason why an option cannot be used, if there is one."""
    if objection := control.objection():
        code, words = objection
        code = ErrorCode.OPTION_DISABLED if code is ErrorCode.DISABLED else code
        raise ActionRefused(code, f'{name!r}: its option "{control.value}": {words}')


def _ticked(field: DrivenField) -> list[str]:
    return [each.value for each in field.controls if each.checked and not each.told["disabled"]]


def _places(control: DrivenControl, values: Sequence[str]) -> list[int] | None:
    """Where in a list the first option of each value is that can be chosen; None if one of them has none."""
    places = []
    for value in values:
        fit = [place for place, option in enumerate(control.options) if option["value"] == value and option["visible"]]
        if not fit:
            return None
        places.append(fit[0])
    return places


def _arrows(presses: int, rising: str) -> list[Key]:
    falling = "up" if rising == "down" else "down"
    return [ARROWS[rising if presses > 0 else falling]] * abs(presses)

"""Lists of a page's script in place of a drop-down list: of select2, Chosen and their like."""

from __future__ import annotations

from collections.abc import Sequence

from harness.browser.form.fields import Field
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import CLICKS, PageInput, look

MAX_OPENERS = 4
MAX_ENTRIES = 3
"""Things that say what an option says, of which one may be its entry in the list."""


class Lists:
    """Opens what stands beside a list that cannot be worked itself, and presses the entry of each wanted option."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        page_input = PageInput(form.act, form.probe)
        fields = {field.name: field for field in form.fields}
        done = False
        for goal in form.sought().values():
            field = fields.get(goal.name)
            if field is not None and field.kind == "select":
                done = _List(form, page_input, goal).choose(field) or done
        return done


class _List:
    """What stands in place of one drop-down list."""

    def __init__(self, form: Form, page_input: PageInput, goal: FieldGoal) -> None:
        self._form = form
        self._page_input = page_input
        self._goal = goal

    def choose(self, field: Field) -> bool:
        """Choose the wanted options; whether that changed the field."""
        texts = {option.value: option.text for option in field.options if option.value in self._goal.values}
        self._form.probe.find_listeners(CLICKS)
        openers = [each["number"] for each in look(self._form.probe, "openers", field.name) if not each["own"]]
        for opener in openers[:MAX_OPENERS]:
            for value, text in texts.items():
                if value not in self._held() and not self._take(opener, value, text):
                    break
            if self._held() != field.initial:
                self._close(opener)
                return True
        return False

    def _take(self, opener: int, value: str, text: str) -> bool:
        """Open the list and press one option's entry; whether the field holds it then."""
        before = look(self._form.probe, "saying", text)
        if not self._page_input.press(opener):
            return False
        self._form.act.wait_till_loaded()
        if self._press_entry(value, text, before):
            return True
        # A long list may show what is searched for only.
        self._form.act.type(text)
        self._form.act.wait_till_loaded()
        if self._press_entry(value, text, before):
            return True
        self._form.act.press("Escape")
        return False

    def _press_entry(self, value: str, text: str, before: Sequence[int]) -> bool:
        entries = look(self._form.probe, "saying", text)
        new = [each for each in entries if each not in before]
        for entry in (new or entries)[:MAX_ENTRIES]:
            if self._page_input.press(entry):
                self._form.look()
                if value in self._held():
                    return True
        return False

    def _held(self) -> Sequence[str]:
        return next((field.initial for field in self._form.fields if field.name == self._goal.name), ())

    def _close(self, opener: int) -> None:
        """Close the list, and let nothing else open it once its field is as it shall be."""
        self._form.act.press("Escape")
        self._form.look()
        if self._goal.is_reached(self._held()):
            self._form.settle([self._goal.name], look(self._form.probe, "within", opener))

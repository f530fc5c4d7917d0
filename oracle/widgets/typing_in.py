"""Texts that are typed into something which is no field of the form: editable blocks, search boxes, lists of tokens."""

from __future__ import annotations

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, look
from oracle.widgets.pieces import is_structured, pieces_of

EDITABLE = (
    "[contenteditable]:not([contenteditable=false]), input:not([name]):not([type=hidden], [type=button], [type=submit],"
    "[type=checkbox], [type=radio], [type=range], [type=file]), input[name='']:not([type=hidden]),"
    "textarea:not([name]),"
    "[role=textbox], [role=combobox], [role=searchbox]"
)
MAX_PLACES = 12
MAX_PIECES = 30


class TypingIn:
    """Types the label where something can be typed, and sees whether the page writes it down."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        done = False
        page_input = PageInput(form.act, form.probe)
        for place in look(form.probe, "select", EDITABLE)[:MAX_PLACES]:
            for goal in list(form.unwritten().values()):
                if self._type(form, page_input, goal, place["number"]):
                    done = True
                    break
        return done

    def _type(self, form: Form, page_input: PageInput, goal: FieldGoal, place: int) -> bool:
        """Type one label into one place; whether its field then holds it."""
        for target in goal.targets[:1]:
            if is_structured(target):
                continue
            if self._whole(form, page_input, goal, place, target):
                return True
            for pieces in pieces_of(target)[:2]:
                if 1 < len(pieces) <= MAX_PIECES and self._one_by_one(form, page_input, goal, place, pieces):
                    return True
        return False

    def _whole(self, form: Form, page_input: PageInput, goal: FieldGoal, place: int, text: str) -> bool:
        before = form.written()
        if not page_input.press(place):
            return False
        form.act.press("Control+a")
        form.act.type(text)
        form.look()
        if self._reached(form, goal):
            return True
        if self._choose(form, page_input, goal, text):
            return True
        form.act.press("Tab")
        form.look()
        if self._reached(form, goal):
            return True
        if form.written() == before:
            self._clear(form, page_input, place)
        return False

    def _clear(self, form: Form, page_input: PageInput, place: int) -> None:
        """Take away what was typed in vain."""
        if page_input.press(place):
            form.act.press("Control+a")
            form.act.press("Backspace")

    def _choose(self, form: Form, page_input: PageInput, goal: FieldGoal, text: str) -> bool:
        """Take what the page suggests for a text: press it, or press Enter."""
        for pressable in page_input.pressables():
            if pressable.text.lower() == text.strip().lower() and page_input.press(pressable.number):
                form.look()
                return self._reached(form, goal)
        form.act.press("Enter")
        form.look()
        return self._reached(form, goal)

    def _one_by_one(self, form: Form, page_input: PageInput, goal: FieldGoal, place: int, pieces: list[str]) -> bool:
        for count, piece in enumerate(pieces):
            before = form.written().get(goal.name)
            if not page_input.press(place):
                return False
            form.act.type(piece + "\n")
            form.look()
            if form.written().get(goal.name) == before:
                if count == 0:
                    self._clear(form, page_input, place)
                    return False
                continue
            if self._reached(form, goal):
                return True
        return False

    def _reached(self, form: Form, goal: FieldGoal) -> bool:
        return goal.name not in form.unwritten()

"""The ceiling: enter what the workers answered (TurkingBench, appendix B)."""

from __future__ import annotations

from collections.abc import Mapping

from harness.actions.library import Actions
from harness.fields import Field
from harness.labels import clean
from harness.solver import AnswerKey, Page
from oracle.filling import fill

MAX_ROUNDS = 20
"""How often it looks again for what its own answers have brought out."""
MAX_PRESSES = 60
"""Presses of buttons per page, in search of fields that are not there yet."""

Values = tuple[str, ...]


class Oracle:
    """Gives every scored field the answer that reaches its ceiling, reaching fields as a worker would.

    It fills what is visible in page order and looks again, since answers bring out further fields. Then it tries the
    visible buttons that do not submit, one after another, and keeps pressing one as long as that brings out wanted
    fields.
    """

    def solve_with_key(self, page: Page, act: Actions, key: AnswerKey) -> None:
        """Fill in the page."""
        wanted: dict[str, Values] = {}
        for answer in key.answers:
            if answer.scored:
                wanted[answer.name] = key.profile.best_answer(answer.kind, answer.options, answer.labels)
        filling = _Filling(act, wanted)
        filling.fill(page.fields)
        filling.fill_what_appears()
        filling.press_for_more()


class _Filling:
    """One page being filled."""

    def __init__(self, act: Actions, wanted: Mapping[str, Values]) -> None:
        self._act = act
        self._wanted = wanted
        self._refused: dict[str, tuple[Values, bool]] = {}
        self._fields: list[Field] = []

    def fill(self, fields: tuple[Field, ...] | list[Field]) -> bool:
        """Fill the visible wanted fields that do not hold their answer; whether any took it."""
        progress = False
        for field in fields:
            values = self._missing(field)
            if values is None:
                continue
            if fill(self._act, field, values).ok:
                progress = True
            else:
                self._refused[field.name] = (field.initial, field.disabled)
        return progress

    def _missing(self, field: Field) -> Values | None:
        """What is to be entered; None if nothing is, or nothing can be, or the page refused it in this very state."""
        values = self._wanted.get(field.name)
        if values is None or field.kind == "hidden" or not field.visible:
            return None
        if _holds(field, values):
            return None
        if not values and field.kind != "checkbox":
            return None
        return None if self._refused.get(field.name) == (field.initial, field.disabled) else values

    def fill_what_appears(self) -> None:
        """Look again and fill, until a look brings nothing new."""
        for _ in range(MAX_ROUNDS):
            self._fields = self._act.fields()
            if not self.fill(self._fields):
                return

    def _unreached(self) -> set[str]:
        """Wanted fields that cannot be filled now and do not hold their answer."""
        there = {
            field.name
            for field in self._fields
            if field.visible or field.kind == "hidden" or _holds(field, self._wanted.get(field.name, ()))
        }
        return {name for name, values in self._wanted.items() if values and name not in there}

    def press_for_more(self) -> None:
        """Press buttons that bring out wanted fields."""
        presses = 0
        spent: set[str] = set()
        while (unreached := self._unreached()) and presses < MAX_PRESSES:
            buttons = [text for text in self._act.buttons() if text not in spent]
            if not buttons:
                return
            presses += 1
            place = self._act.locate_button(buttons[0])
            if place is None or not self._act.click(*place).ok:
                spent.add(buttons[0])
                continue
            self.fill_what_appears()
            if not self._unreached() < unreached:
                spent.add(buttons[0])


def _holds(field: Field, values: Values) -> bool:
    return set(map(clean, field.initial)) == set(map(clean, values))

"""The press that is an answer by itself and submits the form: of one of several buttons, or of a place in a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.catalog.labels import number
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, look


@dataclass(frozen=True)
class _Place:
    """Where a picture that submits is to be pressed, in pixels from its corner."""

    picture: int
    x: float
    y: float


class LastPress:
    """What is left to be done on a page when everything else has been entered."""

    def __init__(self, form: Form) -> None:
        """Look at the page; what only this press sends is sought no more."""
        self._form = form
        sought = form.sought()
        self._places: list[_Place] = []
        if any(name.endswith((".x", ".y")) or name in ("x", "y") for name in sought):
            for picture in look(form.probe, "pictures"):
                place = _place(picture["number"], picture["x"], picture["y"], sought)
                if place is not None:
                    self._places.append(place)
                    form.settle([picture["x"], picture["y"]], ())

    def do(self) -> None:
        """Press the button that is an answer, else a picture where the label says; nothing where there is neither."""
        if any(field.submits for field in self._form.fields):
            self._form.submit()
        page_input = PageInput(self._form.act, self._form.probe)
        for place in self._places:
            if not self._form.act.submitted and (box := page_input.box(place.picture)):
                self._form.act.click(box[0] + place.x, box[1] + place.y)
        if self._form.written().keys() & self._form.goals.keys() and not self._form.act.submitted:
            self._choose(page_input)

    def _choose(self, page_input: PageInput) -> None:
        """Press the one of several buttons by which the page's script writes most of what is sought."""
        missing: dict[int, int] = {}
        for button in look(self._form.probe, "choosing"):
            with self._form.kept_open():
                page_input.press(button)
            self._form.look()
            missing[button] = len(self._form.sought())
        if missing:
            page_input.press(min(missing, key=missing.__getitem__))


def _place(picture: int, x: str, y: str, sought: Mapping[str, FieldGoal]) -> _Place | None:
    """The place that two goals say together; None if they say none."""
    found = [number(sought[name].values[0]) if name in sought else None for name in (x, y)]
    return _Place(picture, float(found[0]), float(found[1])) if found[0] is not None and found[1] is not None else None

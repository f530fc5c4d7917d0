"""Sliders that a page's script draws and that write a number: of jQuery UI, bootstrap-slider and their like."""

from __future__ import annotations

from dataclasses import dataclass

from harness.catalog.labels import number
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput
from oracle.page_views import look

TRACKS = (
    ".ui-slider, .noUi-target, .irs, .slider-track, .rangeslider, .rc-slider, .vue-slider,"
    "[role=slider]:not(.slider-handle, .ui-slider-handle, .noUi-handle)"
)
_MARGIN = 2.0
"""Pixels from a track's end at which it is pressed."""
MAX_KEYS = 120
MAX_TRIES = 6


@dataclass(frozen=True)
class _Reading:
    """A point of a track, as a share of its length, and the number that a press there writes."""

    share: float
    value: float


class Sliders:
    """Presses a track, sees which field that writes, and goes on to where the wanted number lies."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        if not any(_wanted(goal) is not None for goal in form.unwritten().values()):
            return False
        page_input = PageInput(form.act, form.probe)
        tracks = look(form.probe, "select", TRACKS)
        for track in tracks:
            if any(_wanted(goal) is not None for goal in form.unwritten().values()):
                _Track(form, page_input, track["number"]).work()
        return bool(tracks)


class _Track:
    def __init__(self, form: Form, page_input: PageInput, number_: int) -> None:
        self._form = form
        self._page_input = page_input
        self._number = number_
        self._field = ""

    def work(self) -> None:
        first = self._press(0.5)
        if first is None:
            return
        goal = self._form.goals.get(self._field)
        wanted = _wanted(goal) if goal else None
        if goal is None or wanted is None:
            return
        low, high = first, self._press(0.0) or first
        for reading in (self._press(1.0), self._press(0.0)):
            if reading:
                low, high = min(low, reading, key=_share), max(high, reading, key=_share)
        for _ in range(MAX_TRIES):
            if self._reached(goal) or high.value == low.value:
                return
            share = low.share + (wanted - low.value) * (high.share - low.share) / (high.value - low.value)
            found = self._press(min(max(share, 0.0), 1.0))
            if found is None or self._reached(goal):
                return
            if self._by_keys(goal, wanted, found.value):
                return
            if found.share > low.share and (found.value - wanted) * (low.value - wanted) > 0:
                low = found
            else:
                high = found

    def _press(self, share: float) -> _Reading | None:
        """Press the track and see what that writes; None if it writes no number."""
        box = self._page_input.box(self._number)
        if box is None:
            return None
        left, top, width, height = box
        upright = height > 2 * width
        length = (height if upright else width) - 2 * _MARGIN
        along = _MARGIN + (1 - share if upright else share) * length
        x, y = (left + width / 2, top + along) if upright else (left + along, top + height / 2)
        before = self._form.written()
        self._form.act.click(x, y)
        self._form.look()
        return self._read(share, before)

    def _read(self, share: float, before: dict[str, tuple[str, ...]]) -> _Reading | None:
        after = self._form.written()
        changed = [name for name, values in after.items() if values != before.get(name)]
        if not self._field:
            self._field = next((name for name in changed if _is_number(after[name])), "")
        values = after.get(self._field, ())
        return _Reading(share, float(values[0])) if _is_number(values) else None

    def _by_keys(self, goal: FieldGoal, wanted: float, value: float) -> bool:
        """Go on with arrow keys from a number near the wanted one; the press before has put the focus on the slider."""
        for _ in range(MAX_KEYS):
            before = value
            self._form.act.press("ArrowRight" if wanted > value else "ArrowLeft")
            self._form.look()
            values = self._form.written().get(self._field, ())
            if self._reached(goal):
                return True
            if not _is_number(values):
                return False
            value = float(values[0])
            if abs(value - wanted) >= abs(before - wanted):
                return False
        return False

    def _reached(self, goal: FieldGoal) -> bool:
        return goal.is_reached(self._form.written().get(goal.name, ()))


def _share(reading: _Reading) -> float:
    return reading.share


def _is_number(values: tuple[str, ...]) -> bool:
    return len(values) == 1 and number(values[0]) is not None


def _wanted(goal: FieldGoal) -> float | None:
    """The number that a goal asks for."""
    found = number(goal.targets[0]) if goal.targets else None
    return None if found is None else float(found)

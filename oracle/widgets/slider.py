"""Sliders that a page's script draws and that write numbers: of noUiSlider, jQuery UI and their like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import Box, PageInput, look
from oracle.widgets.dates import dates_in

GRABBED = ("pointerdown", "mousedown", "touchstart")
"""Events by which a page notices that a handle is taken hold of."""
MAX_RAILS = 24
MAX_KEYS = 400
"""Presses of one arrow key on the way to a number."""
MAX_LONE_KEYS = 120
"""The same, with a look at the field after each."""
MAX_TRIES = 6
MAX_NUMBERS = 4
"""Numbers in the text that the handles of one slider write together."""
_MARGIN = 2.0
"""Pixels from a track's end at which it is pressed."""
_NUMBER = re.compile(r"(?:(?<![\d)\]])-)?\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class _Reading:
    """A place on a track, as a share of its length, and the number that stands for it."""

    share: float
    value: float


Move = Callable[[float], "_Reading | None"]
"""Moves a slider to a share of its track; None if that writes no number."""


class Sliders:
    """Presses a track, drags its handles or uses the keyboard, and goes on to where the wanted number lies.

    Which field a slider writes is found out by moving it.
    """

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        if not any(_wanted(goal) for goal in form.unwritten().values()):
            return False
        page_input = PageInput(form.act, form.probe)
        form.probe.find_listeners(GRABBED)
        rails = look(form.probe, "rails")[:MAX_RAILS]
        for rail in rails:
            if any(_wanted(goal) for goal in form.unwritten().values()):
                _Rail(form, page_input, rail["track"], rail["handles"]).work()
        return bool(rails)


class _Rail:
    """A track with its handles."""

    def __init__(self, form: Form, page_input: PageInput, track: int, handles: Sequence[int]) -> None:
        self._form = form
        self._page_input = page_input
        self._track = track
        self._handles = handles

    def work(self) -> None:
        track, handles = self._track, self._handles
        ways = [_Way(self._form, self._page_input, track, handle, place) for place, handle in enumerate(handles)]
        if len(handles) > 1:
            # Of several handles a press moves whichever is nearest; and one may stand in another's way.
            for way in [*ways, *ways]:
                way.seek()
        else:
            ways = [_Way(self._form, self._page_input, track), *ways]
            for way in ways:
                way.seek()
                if way.is_done:
                    break
        fields = {way.field for way in ways if way.field}
        if fields:
            reached = [
                name for name in sorted(fields) if name in self._form.goals.keys() - self._form.unwritten().keys()
            ]
            self._form.settle(reached, look(self._form.probe, "within", track))


class _Way:
    """One way to move a slider: by pressing its track, or one of its handles.

    Attributes:
        field: The field that it writes; empty if none is known.
    """

    def __init__(
        self, form: Form, page_input: PageInput, track: int, handle: int | None = None, place: int = 0
    ) -> None:
        self._form = form
        self._page_input = page_input
        self._track = track
        self._handle = handle
        self._place = place
        self.field = ""

    @property
    def is_done(self) -> bool:
        """Whether the field holds what it shall."""
        goal = self._form.goals.get(self.field)
        return goal is not None and goal.is_reached(self._form.written().get(self.field, ()))

    def seek(self) -> None:
        """Bring the number of this handle to the wanted one, as near as it comes."""
        if self.field and self._is_there():
            return
        if self._handle is None:
            self._search(self._press, (0.5, 0.0, 1.0, 0.0))
        elif not self._search(self._drag, (0.5, 0.6)) and self._page_input.press(self._handle):
            self._form.look()
            self._by_keys()

    def _search(self, move: Move, probes: Sequence[float]) -> bool:
        """Try some places, and go on from there to the wanted number; whether that writes anything."""
        low = high = None
        for share in probes:
            reading = move(share)
            if reading is None:
                if low is None:
                    return False
                continue
            if self._form.goals.get(self.field) is None or self._is_there():
                return True
            low = min(low or reading, reading, key=_share)
            high = max(high or reading, reading, key=_share)
        wanted = self._number_wanted()
        if low is None or high is None or wanted is None or high.value == low.value:
            return True
        nearest, rises = low, high.value > low.value
        for _ in range(MAX_TRIES):
            share = low.share + (wanted - low.value) * (high.share - low.share) / (high.value - low.value)
            found = move(min(max(share, 0.0), 1.0))
            if found is None or self._is_there() or self._by_keys():
                return True
            if found.value == nearest.value or found.value in (low.value, high.value):
                nearest = found
                break
            nearest = found
            if found.share > low.share and (found.value - wanted) * (low.value - wanted) > 0:
                low = found
            else:
                high = found
        self._by_pixels(move, nearest, wanted, rises=rises)
        return True

    def _by_pixels(self, move: Move, nearest: _Reading, wanted: float, *, rises: bool) -> None:
        """Go on pixel by pixel from the nearest place known, as long as that leads nearer."""
        box = self._page_input.box(self._track)
        if box is None:
            return
        pixel = 1 / max(box[2:])
        towards = pixel if (wanted > nearest.value) == rises else -pixel
        for _ in range(MAX_TRIES):
            found = move(min(max(nearest.share + towards, 0.0), 1.0))
            if found is None or self._is_there() or abs(found.value - wanted) > abs(nearest.value - wanted):
                return
            nearest = _Reading(nearest.share + towards, found.value)

    def _press(self, share: float) -> _Reading | None:
        """Press the track and see what that writes."""
        box = self._page_input.box(self._track)
        if box is None:
            return None
        before = self._form.written()
        self._form.act.click(*_point(box, share))
        self._form.look()
        return self._read(share, before)

    def _drag(self, share: float) -> _Reading | None:
        """Drag the handle along the track and see where it stands then, and what that writes."""
        boxes = self._page_input.both(self._track, self._handle) if self._handle is not None else None
        if boxes is None:
            return None
        track, handle = boxes
        before = self._form.written()
        middle, end = (handle[0] + handle[2] / 2, handle[1] + handle[3] / 2), _point(track, share)
        # A pointer is on a whole pixel: how far it goes has to be one, too.
        start = (int(middle[0]), int(middle[1]))
        right, down = round(end[0] - middle[0]), round(end[1] - middle[1])
        self._page_input.drag(
            start, (start[0], start[1] + down) if _is_upright(track) else (start[0] + right, start[1])
        )
        self._form.look()
        boxes = self._page_input.both(self._track, self._handle) if self._handle is not None else None
        return self._read(_share_of(*boxes), before) if boxes else None

    def _read(self, share: float, before: dict[str, tuple[str, ...]]) -> _Reading | None:
        after = self._form.written()
        if not self.field:
            self._find_field(before, after)
        value = self._value()
        return None if value is None else _Reading(share, value)

    def _find_field(self, before: dict[str, tuple[str, ...]], after: dict[str, tuple[str, ...]]) -> None:
        """Find the field that has just changed, and which of its numbers did."""
        for name, values in after.items():
            numbers, old = _numbers(values), _numbers(before.get(name, ()))
            goal = self._form.goals.get(name)
            if values == before.get(name) or not numbers or (goal and len(_wanted(goal)) != len(numbers)):
                continue
            self.field = name
            changed = [at for at, number in enumerate(numbers) if len(old) == len(numbers) and number != old[at]]
            self._place = changed[0] if len(changed) == 1 else min(self._place, len(numbers) - 1)
            return

    def _value(self) -> float | None:
        """The number of this handle that the field holds."""
        numbers = _numbers(self._form.written().get(self.field, ()))
        return numbers[self._place] if self._place < len(numbers) else None

    def _number_wanted(self) -> float | None:
        goal = self._form.goals.get(self.field)
        wanted = _wanted(goal) if goal else ()
        return wanted[self._place] if self._place < len(wanted) else None

    def _is_there(self) -> bool:
        """Whether all is as it shall be, or this handle's number of several."""
        if self.is_done:
            return True
        goal, wanted = self._form.goals.get(self.field), self._number_wanted()
        return goal is not None and len(_wanted(goal)) > 1 and wanted is not None and self._value() == wanted

    def _by_keys(self) -> bool:
        """Go on with arrow keys, of which one more and one less is tried; whether that leads to the number.

        The press or the drag before has put the focus on the slider, if it takes the focus.
        """
        for more, less in (("ArrowRight", "ArrowLeft"), ("ArrowUp", "ArrowDown")):
            before, old = self._form.written(), self._value()
            if not self._strike(more, before):
                continue
            value, wanted = self._value(), self._number_wanted()
            if value is None or wanted is None:
                return False
            if self._is_there():
                return True
            step = value - old if old is not None else 0.0
            if not step:
                self._strike(more, before)
                step = (self._value() or 0.0) - value
                value = self._value() or 0.0
            return bool(step) and self._walk(more if step * (wanted - value) > 0 else less, wanted, abs(step))
        return False

    def _walk(self, key: str, wanted: float, step: float) -> bool:
        """Press a key until the number is there, and one step back from beyond it if it never is."""
        value = self._value()
        if value is None:
            return False
        for _ in range(min(int(abs(wanted - value) / step) - 1, MAX_KEYS)):
            self._form.act.press(key)
        for _ in range(MAX_LONE_KEYS):
            before = self._value()
            self._form.act.press(key)
            self._form.look()
            value = self._value()
            if self._is_there():
                return True
            if value is None or before is None or value == before:
                return False
            if abs(value - wanted) >= abs(before - wanted):
                self._form.act.press(_BACK[key])
                self._form.look()
                return self._is_there()
        return False

    def _strike(self, key: str, before: dict[str, tuple[str, ...]]) -> bool:
        """Press a key; whether the slider's field changed."""
        self._form.act.press(key)
        self._form.look()
        if not self.field:
            self._find_field(before, self._form.written())
        return bool(self.field) and self._form.written().get(self.field) != before.get(self.field)


_BACK = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight", "ArrowUp": "ArrowDown", "ArrowDown": "ArrowUp"}


def _share(reading: _Reading) -> float:
    return reading.share


def _is_upright(track: Box) -> bool:
    return track[3] > 2 * track[2]


def _point(track: Box, share: float) -> tuple[float, float]:
    """The point of the screen at a share of a track; an upright one begins at its lower end."""
    left, top, width, height = track
    upright = _is_upright(track)
    length = (height if upright else width) - 2 * _MARGIN
    along = _MARGIN + (1 - share if upright else share) * length
    return (left + width / 2, top + along) if upright else (left + along, top + height / 2)


def _share_of(track: Box, handle: Box) -> float:
    """Where a handle's middle stands on its track."""
    at = 1 if _is_upright(track) else 0
    along = handle[at] + handle[at + 2] / 2 - track[at] - _MARGIN
    share = along / max(track[at + 2] - 2 * _MARGIN, 1.0)
    return 1 - share if at else share


def _numbers(values: Sequence[str]) -> Numbers:
    """The numbers in what a field holds; none if they are not what a slider writes."""
    found = _NUMBER.findall(_THOUSANDS.sub("", values[0])) if len(values) == 1 else []
    return tuple(map(float, found)) if len(found) <= MAX_NUMBERS else ()


def _wanted(goal: FieldGoal) -> Numbers:
    """The numbers that a goal asks for; none if it asks for something else."""
    return () if any(map(dates_in, goal.targets[:1])) else _numbers(goal.targets[:1])

"""Boxes that are drawn with the mouse over a picture, a canvas or a drawing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from harness.catalog.labels import number
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, look

SURFACES = "canvas, svg, img, .canvas-container, [class*=canvas], [class*=stage], [class*=annotat], [class*=image]"
MIN_SIDE = 40
MAX_SURFACES = 4
MAX_ATTEMPTS = 3
"""Times that one box is drawn, if the page writes it otherwise and lets it be taken back."""
MAX_SHIFT = 12
"""Pixels by which a page may count from elsewhere than a picture's corner: from within its border, for example."""
_SIDES = 4
_SIDE = re.compile(
    r"(?:^|[\W_])(x[012]?|y[012]?|w|h|left|top|right|bottom|width|height|[xy](?:min|max))$", re.IGNORECASE
)
_UNDO = re.compile(r"\b(undo|remove|delete|clear|reset)\b", re.IGNORECASE)
_FOUR = re.compile(r"[\[(]?\d+(?:\.\d+)?(?:[,\s]+\d+(?:\.\d+)?){3}[\])]?")


@dataclass(frozen=True)
class DrawnBox:
    """A rectangle in the picture's own pixels, with what it was called."""

    left: float
    top: float
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True)
class _Drawn:
    """What is to be drawn, and where it is written.

    Attributes:
        names: The fields that hold it: one, or one for each side.
        label: How it shall be written.
        read: Reads boxes out of such a text.
    """

    names: Mapping[str, str]
    label: str
    read: Callable[[str], list[DrawnBox]]

    @property
    def boxes(self) -> list[DrawnBox]:
        """The boxes to draw."""
        return self.read(self.label)

    def written(self, form: Form) -> str:
        """What the fields hold now, written as the label is."""
        held = {name: (values or ("",))[0] for name, values in form.written().items()}
        if list(self.names.values()) == [""]:
            return held.get(next(iter(self.names)), "")
        return _joined({key: held.get(name, "") for name, key in self.names.items()})


class Drawing:
    """Drags from one corner of each labelled box to the other, or presses one after the other.

    What the page has written then tells how it counts: by sizes or by corners, and from which edge.
    """

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        goals = form.unwritten()
        done = False
        for ways in [*map(_readings, goals.values()), _by_sides(goals)]:
            done = (bool(ways) and _draw(form, ways)) or done
        return done


def _readings(goal: FieldGoal) -> list[_Drawn]:
    """The ways in which a goal's label may be boxes."""
    for target in goal.targets:
        reads = (boxes_in, corners_in) if boxes_in(target) != corners_in(target) else (boxes_in,)
        drawn = [_Drawn({goal.name: ""}, target, read) for read in reads if read(target)]
        if drawn:
            return drawn
    return []


def _by_sides(goals: Mapping[str, FieldGoal]) -> list[_Drawn]:
    """One box whose sides are goals of their own: ``box_x``, ``box_y``, ``box_w`` and ``box_h``."""
    names = {name: found[1].lower() for name in goals if (found := _SIDE.search(name))}
    label = _joined({key: goals[name].targets[0] for name, key in names.items() if goals[name].targets})
    return [_Drawn(names, label, boxes_in)] if len(names) == _SIDES and boxes_in(label) else []


def _joined(sides: Mapping[str, str]) -> str:
    return json.dumps({key: float(number(text) or 0) for key, text in sides.items()})


def _draw(form: Form, ways: Sequence[_Drawn]) -> bool:
    """Draw what a label says, read in the first way that fits the picture; whether that wrote anything."""
    page_input = PageInput(form.act, form.probe)
    surfaces = [each["number"] for each in look(form.probe, "select", SURFACES) if _least_side(each["box"]) >= MIN_SIDE]
    for surface in surfaces[:MAX_SURFACES]:
        before = ways[0].written(form)
        for dragged, drawn in product((True, False), ways):
            if _Pen(form, page_input, surface, drawn, dragged=dragged).draw():
                form.settle(drawn.names, [surface])
                return True
        if ways[0].written(form) != before:
            return True
    return False


class _Pen:
    """Draws on one surface, in one manner."""

    def __init__(self, form: Form, page_input: PageInput, surface: int, drawn: _Drawn, *, dragged: bool) -> None:
        self._form = form
        self._page_input = page_input
        self._surface = surface
        self._drawn = drawn
        self._dragged = dragged
        self._shift = [0.0] * _SIDES

    def draw(self) -> bool:
        """Draw all boxes; whether they are written as they shall be. One that is not is taken back, if it can be."""
        boxes = self._drawn.boxes
        if not all(map(self._fits, boxes)):
            return False
        for place, box in enumerate(boxes):
            for attempt in range(MAX_ATTEMPTS):
                before = self._drawn.written(self._form)
                if not self._draw_one(box):
                    return False
                self._form.look()
                after = self._drawn.written(self._form)
                if after == before:
                    return False
                off = self._off(after, place, box)
                if not any(off):
                    break
                if not self._take_back():
                    break
                if max(map(abs, off)) > MAX_SHIFT or attempt == MAX_ATTEMPTS - 1:
                    return False
                self._shift = [a + b for a, b in zip(self._shift, off, strict=True)]
        return all(name not in self._form.unwritten() for name in self._drawn.names)

    def _fits(self, box: DrawnBox) -> bool:
        """Whether a box is on the surface: read otherwise than it is meant it may not be."""
        place = self._page_input.place("surface", self._surface)
        if place is None:
            return False
        _, _, right, bottom = _edges(box)
        return bool(right * place["scaleX"] <= place["width"] + 1 and bottom * place["scaleY"] <= place["height"] + 1)

    def _off(self, written: str, place: int, box: DrawnBox) -> Sequence[float]:
        """By how much each edge of the last box is off; by much if that cannot be read."""
        found = self._drawn.read(written)
        if not found or (len(found) <= place and len(self._drawn.names) == 1):
            return (MAX_SHIFT + 1.0,)
        got = found[place] if place < len(found) else found[-1]
        return [wanted - other for wanted, other in zip(_edges(box), _edges(got), strict=True)]

    def _take_back(self) -> bool:
        """Press what takes the last box back; whether there is such a thing."""
        found = next((each for each in self._page_input.pressables() if _UNDO.search(each.text)), None)
        if found is None or not self._page_input.press(found.number):
            return False
        self._form.look()
        return True

    def _draw_one(self, box: DrawnBox) -> bool:
        if box.label:
            named = (each for each in self._page_input.pressables() if each.text.lower() == box.label.lower())
            if found := next(named, None):
                self._page_input.press(found.number)
        place = self._page_input.place("surface", self._surface)
        if place is None:
            return False
        left, top, right, bottom = (edge + off for edge, off in zip(_edges(box), self._shift, strict=True))
        start = (place["left"] + left * place["scaleX"], place["top"] + top * place["scaleY"])
        end = (place["left"] + right * place["scaleX"], place["top"] + bottom * place["scaleY"])
        if self._dragged:
            return self._page_input.drag(start, end)
        before = self._drawn.written(self._form)
        if not self._form.act.click(*start).ok:
            return False
        self._form.look()
        if self._drawn.written(self._form) != before:
            # It was the second corner of a box that something else had begun.
            before = self._drawn.written(self._form) if self._take_back() else ""
            if not self._form.act.click(*start).ok:
                return False
            self._form.look()
            if self._drawn.written(self._form) != before:
                self._take_back()  # each press is a box of its own
                return False
        return bool(self._form.act.click(*end).ok)


def _edges(box: DrawnBox) -> tuple[float, float, float, float]:
    return box.left, box.top, box.left + box.width, box.top + box.height


def _least_side(box: Mapping[str, float]) -> float:
    return min(box["width"], box["height"])


def corners_in(target: str) -> list[DrawnBox]:
    """The boxes of a label that gives two corners of each, and calls them nothing; none if it says none."""
    return _boxes(target, corners=True)


def boxes_in(target: str) -> list[DrawnBox]:
    """The boxes of a label in one of the usual forms; none if it says none."""
    return _boxes(target, corners=False)


def _boxes(target: str, *, corners: bool) -> list[DrawnBox]:
    try:
        value: Any = json.loads(target)
    except ValueError:
        value = _written(target)
    if isinstance(value, Mapping):
        single = _box(value, corners=corners)
        if single:
            return [single]
        inner = [each for each in value.values() if isinstance(each, list | Mapping)]
        value = inner[0] if len(inner) == 1 and isinstance(inner[0], list) else inner
    if isinstance(value, list) and len(value) == 4 and all(isinstance(each, int | float) for each in value):
        value = [value]
    if not isinstance(value, list) or not value:
        return []
    boxes = [_box(each, corners=corners) for each in value]
    return [box for box in boxes if box] if all(boxes) else []


def _written(target: str) -> list[list[float]] | None:
    """Boxes as numbers alone, four for each: ``20,30,100,80; 200,120,150,60``."""
    lines = [line for line in re.split(r"[;|\n]", target) if line.strip()]
    if not all(_FOUR.fullmatch(line.strip()) for line in lines):
        return None
    return [[float(each) for each in re.findall(r"[\d.]+", line)] for line in lines]


def _numbers(value: Any) -> list[float]:
    """All numbers in a value, however deep."""
    if isinstance(value, bool) or not isinstance(value, int | float | list | Mapping):
        return []
    if isinstance(value, int | float):
        return [float(value)]
    return [each for part in (value.values() if isinstance(value, Mapping) else value) for each in _numbers(part)]


def _of_four(entry: Any, *, corners: bool) -> DrawnBox | None:
    sides = _numbers(entry)
    if len(sides) != _SIDES:
        return None
    left, top, width, height = sides
    parts = entry.values() if isinstance(entry, Mapping) else entry
    if corners or [len(_numbers(part)) for part in parts if _numbers(part)] == [2, 2]:
        width, height = width - left, height - top
    label = next((each for each in entry.values() if isinstance(each, str)), "") if isinstance(entry, Mapping) else ""
    return DrawnBox(left, top, width, height, label) if width > 0 and height > 0 else None


def _box(entry: Any, *, corners: bool) -> DrawnBox | None:
    if not isinstance(entry, Mapping):
        return _of_four(entry, corners=corners) if isinstance(entry, list) else None
    own = {str(key).lower(): each for key, each in entry.items()}

    def first(*names: str) -> float | None:
        return next((float(own[name]) for name in names if isinstance(own.get(name), int | float)), None)

    x, y = first("left", "x", "x1", "xmin", "x0"), first("top", "y", "y1", "ymin", "y0")
    width, height = first("width", "w"), first("height", "h")
    right, bottom = first("right", "x2", "xmax", "x1"), first("bottom", "y2", "ymax", "y1")
    if x is None or y is None:
        return _of_four(entry, corners=corners)
    width = right - x if width is None and right is not None else width
    height = bottom - y if height is None and bottom is not None else height
    if not width or not height or width < 0 or height < 0:
        return None
    label = next((str(own[key]) for key in ("label", "class", "type", "category", "name") if key in own), "")
    return DrawnBox(x, y, width, height, label)

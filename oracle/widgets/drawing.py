"""Boxes that are drawn with the mouse over a picture, a canvas or a drawing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput
from oracle.page_views import look

SURFACES = "canvas, svg, img, .canvas-container, [class*=canvas], [class*=stage], [class*=annotat], [class*=image]"
MIN_SIDE = 40
MAX_SURFACES = 4


@dataclass(frozen=True)
class DrawnBox:
    """A rectangle in the picture's own pixels, with what it was called."""

    left: float
    top: float
    width: float
    height: float
    label: str = ""


class Drawing:
    """Drags from one corner of each labelled box to the other."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        done = False
        for goal in form.unwritten().values():
            boxes = next((found for target in goal.targets if (found := boxes_in(target))), [])
            if boxes:
                done = self._draw(form, goal, boxes) or done
        return done

    def _draw(self, form: Form, goal: FieldGoal, boxes: list[DrawnBox]) -> bool:
        page_input = PageInput(form.act, form.probe)
        surfaces = [
            each["number"] for each in look(form.probe, "select", SURFACES) if _least_side(each["box"]) >= MIN_SIDE
        ]
        for surface in surfaces[:MAX_SURFACES]:
            before = form.written().get(goal.name)
            for place, box in enumerate(boxes):
                if not _draw_one(page_input, surface, box):
                    break
                form.look()
                if place == 0 and form.written().get(goal.name) == before:
                    break
            if form.written().get(goal.name) != before:
                return True
        return False


def _least_side(box: Mapping[str, float]) -> float:
    return min(box["width"], box["height"])


def _draw_one(page_input: PageInput, surface: int, box: DrawnBox) -> bool:
    if box.label:
        named = next(
            (pressable for pressable in page_input.pressables() if pressable.text.lower() == box.label.lower()), None
        )
        if named:
            page_input.press(named.number)
    place = page_input.place("surface", surface)
    if place is None:
        return False
    left, top = place["left"] + box.left * place["scaleX"], place["top"] + box.top * place["scaleY"]
    right, bottom = left + box.width * place["scaleX"], top + box.height * place["scaleY"]
    return page_input.drag((left, top), (right, bottom))


def boxes_in(target: str) -> list[DrawnBox]:
    """The boxes of a label in one of the usual JSON forms; none if it says none."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        return []
    if isinstance(value, Mapping):
        single = _box(value)
        if single:
            return [single]
        inner = [each for each in value.values() if isinstance(each, list | Mapping)]
        value = inner[0] if len(inner) == 1 and isinstance(inner[0], list) else inner
    if isinstance(value, list) and len(value) == 4 and all(isinstance(each, int | float) for each in value):
        value = [value]
    if not isinstance(value, list) or not value:
        return []
    boxes = [_box(each) for each in value]
    return [box for box in boxes if box] if all(boxes) else []


def _box(entry: Any) -> DrawnBox | None:
    if isinstance(entry, list):
        numbers = all(isinstance(each, int | float) for each in entry)
        sides = list(map(float, entry)) if numbers and len(entry) == 4 else [0.0] * 4
        return DrawnBox(sides[0], sides[1], sides[2], sides[3]) if sides[2] and sides[3] else None
    if not isinstance(entry, Mapping):
        return None
    own = {str(key).lower(): each for key, each in entry.items()}

    def first(*names: str) -> float | None:
        return next((float(own[name]) for name in names if isinstance(own.get(name), int | float)), None)

    x, y = first("left", "x", "x1", "xmin", "x0"), first("top", "y", "y1", "ymin", "y0")
    width, height = first("width", "w"), first("height", "h")
    right, bottom = first("right", "x2", "xmax", "x1"), first("bottom", "y2", "ymax", "y1")
    if x is None or y is None:
        return None
    width = right - x if width is None and right is not None else width
    height = bottom - y if height is None and bottom is not None else height
    if not width or not height or width < 0 or height < 0:
        return None
    label = next((str(own[key]) for key in ("label", "class", "type", "category", "name") if key in own), "")
    return DrawnBox(x, y, width, height, label)

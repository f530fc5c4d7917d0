"""Pairs of words or nodes: aligned in two sentences, ticked in a grid, joined by lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, look
from oracle.widgets.pieces import pairs_in

MAX_PAIRS = 150
Gesture = Callable[[PageInput, int, int], bool]


class Pairing:
    """Finds out by the first pair how a page joins two things, and joins the rest in the same way."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        done = False
        for goal in form.unwritten().values():
            for target in goal.targets[:2]:
                pairs = pairs_in(target)
                if pairs and (self._in_grid(form, goal, pairs) or self._between(form, goal, pairs)):
                    done = True
                    break
        return done

    def _in_grid(self, form: Form, goal: FieldGoal, pairs: Sequence[tuple[str, str]]) -> bool:
        """A table whose cells are pressed: rows and columns by number, or by what their heads say."""
        for grid in look(form.probe, "grids"):
            cells = [grid_cell(grid, *pair) for pair in pairs]
            if None in cells:
                continue
            page_input = PageInput(form.act, form.probe)
            before = form.written().get(goal.name)
            for number in cells[:MAX_PAIRS]:
                if number is not None:
                    page_input.press(number)
                form.look()
                if form.written().get(goal.name) == before:
                    break
            else:
                return True
        return False

    def _between(self, form: Form, goal: FieldGoal, pairs: Sequence[tuple[str, str]]) -> bool:
        """Two rows of words, or one set of nodes, of which two are pressed or one is dragged to the other."""
        page_input = PageInput(form.act, form.probe)
        form.probe.find_listeners(("click", "mousedown", "pointerdown", "dragstart", "dragover", "drop"))
        groups: list[list[dict[str, Any]]] = look(form.probe, "rows")
        for first, second in _choices(groups):
            joined = [(_named(first, a), _named(second, b)) for a, b in pairs]
            ends = [(a, b) for a, b in joined if a is not None and b is not None]
            if len(ends) < len(pairs):
                continue
            for gesture in (_press_both, _drag):
                if self._join(form, page_input, goal, ends, gesture):
                    return True
        return False

    def _join(
        self, form: Form, page_input: PageInput, goal: FieldGoal, ends: Sequence[tuple[int, int]], gesture: Gesture
    ) -> bool:
        for place, (a, b) in enumerate(ends[:MAX_PAIRS]):
            before = form.written().get(goal.name)
            if not gesture(page_input, a, b):
                return place > 0
            form.look()
            if place == 0 and form.written().get(goal.name) == before:
                return False
            if goal.name not in form.unwritten():
                return True
        return True


def grid_cell(grid: dict[str, Any], row: str, column: str) -> int | None:
    """The number of the cell of a row and a column, by their heads, else by their place from 0."""
    rows, columns, cells = grid["rows"], grid["columns"], grid["cells"]
    y = rows.index(row) if row in rows else int(row) if row.isdigit() else -1
    x = columns.index(column) if column in columns else int(column) if column.isdigit() else -1
    return int(cells[y][x]) if 0 <= y < len(cells) and 0 <= x < len(cells[y]) else None


def _choices(groups: list[list[dict[str, Any]]]) -> list[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """Pairs of groups that may be joined: neighbours in page order first, then a group with itself."""
    neighbours = list(pairwise(groups))
    return [*neighbours, *((group, group) for group in groups)]


def _named(group: list[dict[str, Any]], name: str) -> int | None:
    """The member of a group that bears a name or, if none does, stands at that place from 0."""
    for member in group:
        if name in member["names"]:
            return int(member["number"])
    if name.isdigit() and int(name) < len(group):
        return int(group[int(name)]["number"])
    return None


def _press_both(page_input: PageInput, a: int, b: int) -> bool:
    return page_input.press(a) and page_input.press(b)


def _drag(page_input: PageInput, a: int, b: int) -> bool:
    boxes = page_input.both(a, b)
    if boxes is None:
        return False
    start, end = ((left + width / 2, top + height / 2) for left, top, width, height in boxes)
    return page_input.drag(start, end)

"""Items that are dragged into an order, or from one list into another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, look
from oracle.widgets.pieces import pieces_of

MAX_DRAGS = 80
_HANDLES = "li, [draggable=true], .ui-sortable > *, .ui-draggable, .ui-sortable-handle, .sortable > *, tr, div, span"


@dataclass(frozen=True)
class _Item:
    number: int
    names: frozenset[str]
    parent: int


class Sorting:
    """Drags items until their list stands as the label says."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        done = False
        for goal in form.unwritten().values():
            for target in goal.targets[:2]:
                for wanted in pieces_of(target):
                    if len(wanted) > 1 and (items := _items(form, wanted)):
                        done = True
                        _sort(form, PageInput(form.act, form.probe), goal, items)
                        if goal.name not in form.unwritten():
                            return True
        return done


def _items(form: Form, wanted: Sequence[str]) -> list[_Item]:
    """The elements of one list that bear the wanted names, in the wanted order; none if they are not all there."""
    groups: dict[int, list[_Item]] = {}
    for each in look(form.probe, "named", _HANDLES):
        item = _Item(each["number"], frozenset(map(_plain, each["names"])), each["parent"])
        groups.setdefault(item.parent, []).append(item)
    for group in groups.values():
        ordered = []
        for name in wanted:
            found = [item for item in group if _plain(name) in item.names and item not in ordered]
            if not found:
                break
            ordered.append(found[0])
        else:
            if len(ordered) == len(wanted) > 1:
                return ordered
    return []


def _sort(form: Form, page_input: PageInput, goal: FieldGoal, items: Sequence[_Item]) -> None:
    drags = 0
    for place, item in enumerate(items):
        while drags < MAX_DRAGS:
            order: list[int] = look(form.probe, "inOrder", [each.number for each in items])
            now = order.index(item.number)
            if now == place:
                break
            drags += 1
            if not _drag_before(page_input, item.number, order[place]):
                break
            if look(form.probe, "inOrder", [each.number for each in items]) == order:
                break
        form.look()
        if goal.name not in form.unwritten():
            return


def _drag_before(page_input: PageInput, moved: int, other: int) -> bool:
    """Drag one item to the near edge of another that stands before it."""
    boxes = page_input.both(moved, other)
    if boxes is None:
        return False
    start, end = boxes
    across = abs(start[0] - end[0]) > abs(start[1] - end[1])
    place = (end[0] + 2, end[1] + end[3] / 2) if across else (end[0] + end[2] / 2, end[1] + 2)
    return page_input.drag((start[0] + start[2] / 2, start[1] + start[3] / 2), place)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())

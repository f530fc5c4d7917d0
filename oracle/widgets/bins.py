"""Items that are dragged into bins, one field a bin; a button that says that all is done writes what they hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.browser.launch import SCREEN
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, look
from oracle.widgets.pieces import pieces_of

ITEMS = "li, [draggable=true], .ui-draggable, .ui-sortable-handle, .item, .card, .token, .word"
BINS = "ul, ol, td, .ui-sortable, .ui-droppable, [class*=bin], [class*=drop], [class*=bucket], [class*=column]"
_ONWARDS = re.compile(r"\b(next|continue|part|step|proceed|move|start|begin)\b", re.IGNORECASE)
_FINISHES = re.compile(r"\b(done|finish|complete|save|ready)\w*", re.IGNORECASE)
MAX_DRAGS = 120
MAX_ONWARDS = 4
REACH = 0.8
"""Share of the screen's height over which an item is dragged at once."""
DROPS = (1.0, 0.5, 0.0, 0.75)
"""Where in a bin, as shares of its height, an item is dropped, one attempt after another."""
MIN_BINS = 2
"""Fields whose labels are lists of items, below which they are no bins."""


@dataclass(frozen=True)
class Item:
    """Something that can be put into a bin, by the number of its element."""

    number: int
    name: str
    holder: int
    classes: str


class Bins:
    """Drags each item into the bin that a worker put it in, and presses what says that this is all."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        contents = _contents(list(form.sought().values()))
        if len(contents) < MIN_BINS:
            return False
        page_input = PageInput(form.act, form.probe)
        wanted = {piece for pieces in contents.values() for piece in pieces}
        items = _bring_out(form, page_input, wanted)
        if not items:
            return False
        drags = 0
        fixed: set[str] = set()
        # Bins that are there first: a page makes room for new ones, and may grow beyond the screen.
        for name, pieces in sorted(contents.items(), key=lambda each: (not _has_bin(form, each[0]), _natural(each[0]))):
            holder = _bin_of(form, name, pieces)
            for piece in pieces:
                item = next((each for each in items_of(form, {piece})), None)
                if item is None or holder is None or item.holder == holder or drags >= MAX_DRAGS:
                    continue
                if item.classes in fixed:
                    continue
                drags += 1
                if not _drop(form, page_input, item, holder) and item.classes:
                    # One that no drag brings to its bin stands for its like: a page marks what it holds fast.
                    fixed.add(item.classes)
        for pressable in [pressable for pressable in page_input.pressables() if _FINISHES.search(pressable.text)]:
            page_input.press(pressable.number)
            form.look()
        return drags > 0


def _contents(goals: Sequence[FieldGoal]) -> Mapping[str, list[str]]:
    """What one worker put into each bin: of the worker who filled most; no bins where labels are no lists."""
    lists = [goal for goal in goals if not goal.answer.options]
    workers = range(max((len(goal.answer.labels) for goal in lists), default=0))
    best = max(workers, key=lambda worker: sum(bool(goal.label_of(worker)) for goal in lists), default=None)
    return {goal.name: pieces_of(label)[0] for goal in lists if (label := goal.label_of(best)) and pieces_of(label)}


def items_of(form: Form, names: set[str]) -> list[Item]:
    """What bears one of the names, but for bins, which can bear a name and be dragged, too."""
    pressables = look(form.probe, "named", ITEMS)
    holders = {each["parent"] for each in pressables}
    found = []
    bins: set[int] | None = None
    for each in pressables:
        name = next((name for name in each["names"] if name in names), None)
        if name is None:
            continue
        if each["number"] in holders:
            bins = {int(each["number"]) for each in look(form.probe, "holders", BINS)} if bins is None else bins
            if each["number"] in bins:
                continue
        found.append(Item(each["number"], name, each["parent"], each["classes"]))
    return found


def _bring_out(form: Form, page_input: PageInput, wanted: set[str]) -> list[Item]:
    """The items, when those that can be moved are visible; what leads on is pressed until nothing new comes."""
    items = items_of(form, wanted)
    for _ in range(MAX_ONWARDS):
        onwards = [pressable for pressable in page_input.pressables() if _ONWARDS.search(pressable.text)]
        before = len(items)
        for pressable in onwards:
            page_input.press(pressable.number)
            items = items_of(form, wanted)
            if len(items) > before:
                break
        else:
            break
    return items


def _bin_of(form: Form, name: str, pieces: Sequence[str]) -> int | None:
    """The bin of a field: of its name, else an empty one, else the one that holds most of its items already."""
    bins = look(form.probe, "holders", BINS)
    for each in bins:
        if _is_called(each, name):
            return int(each["number"])
    empty = next((int(each["number"]) for each in bins if not each["names"]), None)
    held = {int(each["number"]): len(set(each["names"]) & set(pieces)) for each in bins}
    return empty if empty is not None else max(held, key=lambda number: held[number], default=None)


def _on_the_way(form: Form, item: int, holder: int) -> int | None:
    """The bin nearest to one that is out of reach, of those that an item can be dragged to."""
    start, goal = (look(form.probe, "boxNow", number) for number in (item, holder))
    if "error" in start or "error" in goal:
        return None
    near = {}
    for each in look(form.probe, "holders", BINS):
        box = look(form.probe, "boxNow", each["number"])
        away = abs(box["top"] + box["height"] / 2 - start["top"])
        if each["number"] != holder and each["names"] and away < SCREEN[1] * REACH:
            near[int(each["number"])] = abs(box["top"] - goal["top"])
    return min(near, key=lambda number: near[number], default=None)


def _is_called(holder: Mapping[str, Any], name: str) -> bool:
    return any(_bare(word) == _bare(name) for word in [holder["id"], *holder["classes"]])


def _has_bin(form: Form, name: str) -> bool:
    return any(_is_called(each, name) for each in look(form.probe, "holders", BINS))


def _drop(form: Form, page_input: PageInput, item: Item, holder: int) -> bool:
    """Drag an item into a bin: to its end, else to its middle, else to its start, until it is there; whether it is."""
    for share in DROPS:
        boxes = page_input.both(item.number, holder)
        if boxes is None and (between := _on_the_way(form, item.number, holder)) is not None:
            # Bins that are further apart than the screen is high are reached by way of another.
            boxes = page_input.both(item.number, between)
        if boxes is None:
            return False
        start, end = boxes
        place = end[0] + end[2] / 2, end[1] + min(max(share * end[3], 6.0), end[3] - 6.0)
        page_input.drag((start[0] + start[2] / 2, start[1] + start[3] / 2), place)
        now = items_of(form, {item.name})
        if not any(each.holder == holder for each in now):
            form.act.wait_till_loaded()  # it may be on its way
            now = items_of(form, {item.name})
        if any(each.holder == holder for each in now):
            return True
        item = next(iter(now), item)
    return False


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _natural(name: str) -> list[int | str]:
    """Names in the order of their numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]

"""Items that a page shows one after another, each with boxes to be ticked, and whose ticks it writes all together."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from harness.browser.form.fields import Field
from harness.catalog.kinds import VOTES
from harness.catalog.labels import match_option
from harness.episode.library import fill
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, Pressable, look

_ONWARDS = ("next", "continue", "proceed", "save", "ok", "done", "finish", "forward", ">", "›", "»", "→")
MAX_STEPS = 120


class Stepwise:
    """Answers each item as the worker's records say, and goes on to the next."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        for goal in form.unwritten().values():
            for target in goal.targets[:1]:
                records = records_in(target)
                choices = [field for field in form.fields if _is_free(form, field)]
                if records and choices and self._answer(form, goal, records, choices):
                    return True
        return False

    def _answer(self, form: Form, goal: FieldGoal, records: list[dict[str, str]], choices: list[Field]) -> bool:
        columns = {field.name: key for field in choices if (key := _column(records, field))}
        page_input = PageInput(form.act, form.probe)
        onwards = next(filter(leads_on, page_input.pressables()), None)
        if not columns or onwards is None:
            return False
        for record in _shifted(records, choices, columns)[:MAX_STEPS]:
            if goal.name not in form.unwritten():
                return True
            for field in form.fields:
                if field.name in columns and field.visible:
                    value = match_option(record[columns[field.name]], field.values)
                    if value is not None and (value,) != field.initial:
                        fill(form.act, field, (value,))
            if not page_input.press(onwards.number):
                break
            form.look()
        # The page may want to be told once more that there is nothing left.
        if goal.name in form.unwritten() and page_input.press(onwards.number):
            form.look()
        return True


def records_in(target: str) -> list[dict[str, str]]:
    """The records of a label that is a JSON list or map of them, in order; none if it is something else."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        return []
    entries = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    if len(entries) < 2 or not all(isinstance(entry, Mapping) for entry in entries):
        return []
    return [{str(key): str(each) for key, each in entry.items()} for entry in entries]


def _column(records: list[dict[str, str]], field: Field) -> str:
    """What of the records a choice answers: the part that is one of its options in each of them; empty if none."""
    for key in records[0]:
        if all(match_option(record.get(key, ""), field.values) is not None for record in records):
            return key
    return ""


def _shifted(records: list[dict[str, str]], choices: list[Field], columns: Mapping[str, str]) -> list[dict[str, str]]:
    """The records in the order in which they are answered.

    A page that takes down an item's answer when it shows the next one writes what an untouched choice holds into its
    first record, and each answer into the record after.
    """
    untouched = {field.name: field.initial for field in choices}
    late = all((records[0][key],) == untouched[name] for name, key in columns.items())
    return [*records[1:], records[-1]] if late else records


def _is_free(form: Form, field: Field) -> bool:
    return field.kind in VOTES and field.visible and not field.disabled and field.name not in form.goals


def leads_on(pressable: Pressable) -> bool:
    """Whether something says that it leads on to the next item."""
    words = pressable.text.lower()
    return words in _ONWARDS or words.startswith(("next", "continue", "save and"))


_NOTHING = frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True)
class _Box:
    number: int
    group: str
    single: bool
    ticked: bool
    names: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """What a label says of one item.

    Attributes:
        marks: What each of its boxes is called, and how it was marked, in order.
    """

    marks: tuple[tuple[str, str], ...]

    @property
    def chosen(self) -> frozenset[str]:
        """What the ticked boxes are called, in plain words."""
        return frozenset(_plain(name) for name, mark in self.marks if mark.lower() not in _NOTHING)


class Ticking:
    """Ticks at each item what the worker ticked, and goes on to the next."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        for goal in form.unwritten().values():
            for target in goal.targets[:1]:
                cards = cards_in(target)
                if cards and _Deck(form, goal).answer(cards):
                    return True
        return False


class _Deck:
    def __init__(self, form: Form, goal: FieldGoal) -> None:
        self._form = form
        self._goal = goal
        self._page_input = PageInput(form.act, form.probe)

    def answer(self, cards: Sequence[Card]) -> bool:
        """Answer one item after another; whether the page has something of the kind."""
        left = list(cards)
        boxes = self._boxes()
        if self._onwards() is None or not any(_fit(card, boxes) for card in left):
            return False
        done = False
        for _ in range(MAX_STEPS):
            if self._goal.name not in self._form.unwritten():
                return True
            if boxes and left:
                card = max(left, key=lambda each: _fit(each, boxes))
                left.remove(card)
                self._tick(boxes, card)
            if not self._go_on():
                return done
            done = True
            boxes = self._boxes()
            if not boxes and not left:
                break
        return done

    def _boxes(self) -> list[_Box]:
        """The boxes of the item that is shown: all that belong to no goal."""
        found = [
            _Box(each["number"], each["group"], each["single"], each["ticked"], tuple(each["names"]))
            for each in look(self._form.probe, "boxes")
        ]
        return [box for box in found if box.group not in self._form.goals]

    def _tick(self, boxes: Sequence[_Box], card: Card) -> None:
        wanted = _wanted(boxes, card)
        for box in boxes:
            if box.ticked != (box.number in wanted) and not (box.single and box.ticked):
                self._page_input.press(box.number)

    def _onwards(self) -> Pressable | None:
        """What leads on to the next item."""
        return next(filter(leads_on, self._page_input.pressables()), None)

    def _go_on(self) -> bool:
        """Press what leads on; whether there is such a thing."""
        onwards = self._onwards()
        if onwards is None or not self._page_input.press(onwards.number):
            return False
        self._form.look()
        return True


def cards_in(target: str) -> list[Card]:
    """The cards of a label that is a JSON list or map of them, in order; none if it is something else."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        return []
    entries = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    cards = [_card(entry) for entry in entries]
    return [card for card in cards if card] if cards and all(cards) else []


def _card(entry: Any) -> Card | None:
    """What one item's record says of its boxes: the first part of it that is a list or a map of marks."""
    parts = list(entry.values()) if isinstance(entry, Mapping) else entry if isinstance(entry, list) else []
    marks = _marks(entry)
    return Card(marks) if marks else next((Card(marks) for part in parts if (marks := _marks(part))), None)


def _marks(value: Any) -> tuple[tuple[str, str], ...]:
    """Marks: ``[["a", 1], ["b", 0]]``, ``[{"text": "a", "ok": true}]``, ``{"a": 1}``; or the ticked, ``["a"]``."""
    if isinstance(value, Mapping):
        pairs = [[key, each] for key, each in value.items()]
        return _pairs(pairs) if all(isinstance(each, bool | int) for each in value.values()) else ()
    if not isinstance(value, list):
        return ()
    if value and all(isinstance(each, str) for each in value):
        return tuple((each, "1") for each in value)
    return _pairs([list(each.values()) if isinstance(each, Mapping) else each for each in value])


def _pairs(items: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    found = []
    for item in items:
        if not isinstance(item, list) or len(item) < 2:
            return ()
        name = next((part for part in item if isinstance(part, str)), None)
        mark = next((part for part in item if isinstance(part, bool | int | float)), None)
        if name is None or mark is None:
            return ()
        found.append((name, str(int(mark)) if isinstance(mark, bool) else f"{mark:g}"))
    return tuple(found)


def _fit(card: Card, boxes: Sequence[_Box]) -> int:
    """How well a card fits what is shown: how many marks have a box of their name, or whether all have a scale."""
    there = {_plain(name) for box in boxes for name in box.names}
    return sum(_plain(name) in there for name, _ in card.marks) or int(bool(_on_scales(boxes, card)))


def _on_scales(boxes: Sequence[_Box], card: Card) -> set[int]:
    """The numbers of the buttons for a card whose marks are values, each of one group; none if it is no such card."""
    groups = [list(group) for _, group in groupby(boxes, key=lambda box: box.group)]
    if len(groups) != len(card.marks) or not all(len(group) > 1 and group[0].single for group in groups):
        return set()
    chosen = [_valued(group, mark) for group, (_, mark) in zip(groups, card.marks, strict=True)]
    return {box.number for box in chosen if box} if all(chosen) else set()


def _wanted(boxes: Sequence[_Box], card: Card) -> set[int]:
    """The numbers of the boxes to be ticked.

    As many boxes as marks are taken in order, unless names say otherwise: a page may write what it shows in another
    spelling. As many groups of buttons as marks are scales, of which each mark is a value.
    """
    if on_scales := _on_scales(boxes, card):
        return on_scales
    by_name = {box.number for box in boxes if card.chosen & set(map(_plain, box.names))}
    if len(boxes) != len(card.marks):
        return by_name
    names = [_plain(name) for name, _ in card.marks]
    for box, name in zip(boxes, names, strict=True):
        own = set(map(_plain, box.names))
        if name not in own and own & set(names):
            return by_name
    return {box.number for box, (_, mark) in zip(boxes, card.marks, strict=True) if mark.lower() not in _NOTHING}


def _valued(group: Sequence[_Box], mark: str) -> _Box | None:
    return next((box for box in group if match_option(mark, box.names) is not None), None)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().lower()

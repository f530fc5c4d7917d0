"""Stretches of a text that a worker marks by dragging over them, written as numbers or as the words themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, Pressable
from oracle.page_views import look

MARKED_BY = ("mouseup", "mousedown", "pointerup", "selectionchange", "click")
MAX_BLOCKS = 4
"""Texts in which a field's first mark is tried."""
MAX_TARGETS = 3
"""Workers whose marks are tried for one field."""
_STARTS = ("start", "startoffset", "begin", "from", "startindex", "start_offset", "left")
_ENDS = ("end", "endoffset", "stop", "to", "endindex", "end_offset", "right")
_LABELS = ("label", "type", "category", "tag", "entity", "class")
_WORD = re.compile(r"\S+")
_BARE_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class Mark:
    """A stretch of a text, by characters; ``label`` is what it was called, empty if nothing."""

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True)
class _Block:
    number: int
    text: str
    id: str
    listens: bool


class Marking:
    """Marks what a label says, in the text which that field is about."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        goals = [goal for goal in form.unwritten().values() if any(map(looks_like_marks, goal.targets))]
        if not goals:
            return False
        form.probe.find_listeners(MARKED_BY)
        blocks = [_Block(**each) for each in look(form.probe, "textBlocks")]
        worker = _Marker(form, PageInput(form.act, form.probe), blocks)
        done = False
        for goal in goals:
            done = worker.mark(goal) or done
        for goal in goals:
            if goal.name in form.unwritten():
                worker.mark_nothing(goal)
        return done


class _Marker:
    def __init__(self, form: Form, page_input: PageInput, blocks: Sequence[_Block]) -> None:
        self._form = form
        self._page_input = page_input
        self._blocks = blocks
        self._fruitless = 0

    def mark(self, goal: FieldGoal) -> bool:
        """Make a worker's marks; whether the field took any."""
        for target in goal.targets[:MAX_TARGETS]:
            for block in self._candidates(goal.name):
                marks = marks_in(block.text, target)
                if not marks or self._fruitless >= MAX_BLOCKS:
                    continue
                if not self._make(goal, block, marks[0]):
                    self._fruitless += 1
                    continue
                self._fruitless = 0
                for mark in marks[1:]:
                    self._make(goal, block, mark)
                return True
        return False

    def _make(self, goal: FieldGoal, block: _Block, mark: Mark) -> bool:
        """Make one mark; whether that changed the field."""
        before = self._form.written().get(goal.name)
        named = self._named(mark.label)
        if named:
            self._page_input.press(named.number)
        if not self._page_input.mark(block.number, mark.start, mark.end):
            return False
        self._form.look()
        if self._form.written().get(goal.name) != before:
            return True
        named = self._named(mark.label)
        if named and self._page_input.press(named.number):
            self._form.look()
        return self._form.written().get(goal.name) != before

    def _named(self, label: str) -> Pressable | None:
        """What is to be pressed for a label."""
        if not label:
            return None
        return next(
            (pressable for pressable in self._page_input.pressables() if pressable.text.lower() == label.lower()), None
        )

    def mark_nothing(self, goal: FieldGoal) -> None:
        """For a worker who marked nothing, where that is written all the same: make a mark and take it back."""
        if not any(_is_empty(target) for target in goal.targets):
            return
        for block in self._candidates(goal.name)[:1]:
            word = _WORD.search(block.text)
            there = {pressable.number for pressable in self._page_input.pressables()}
            if word is None or not self._make(goal, block, Mark(*word.span())):
                continue
            for pressable in self._page_input.pressables():
                if pressable.number not in there and self._page_input.press(pressable.number):
                    self._form.look()
                    return

    def _candidates(self, name: str) -> list[_Block]:
        """The texts that a field may be about: of that name, else those that the page listens on, else all."""
        bare = _bare(name)
        named = [block for block in self._blocks if block.id and _bare(block.id) == bare]
        listening = [block for block in self._blocks if block.listens and block not in named]
        if named:
            return [*named, *listening]
        return listening or list(self._blocks)


def looks_like_marks(target: str) -> bool:
    """Whether a label may be one of marks in a text: JSON lists of numbers or of words, or several words of a text."""
    value = _json(target)
    if isinstance(value, list):
        return all(isinstance(each, list | dict | str) for each in value)
    return isinstance(value, dict) or (value is None and " " in target.strip())


def marks_in(text: str, target: str) -> list[Mark]:
    """The marks that a label says, in a text; none if it says none that the text can have."""
    value = _json(target)
    if isinstance(value, str) or value is None:
        return list(_found(text, [target]))
    entries = value if isinstance(value, list) else list(value.values())
    if entries and all(isinstance(each, int) for each in entries) and len(entries) == 2:
        entries = [entries]
    if all(isinstance(each, str) for each in entries):
        return list(_found(text, entries))
    marks = [mark for entry in entries if (mark := _numbers(entry)) is not None]
    return _fitted(text, marks) if len(marks) == len(entries) else []


def _numbers(entry: Any) -> Mark | None:
    if isinstance(entry, list) and len(entry) >= 2 and all(isinstance(each, int) for each in entry[:2]):
        label = next((each for each in entry[2:] if isinstance(each, str)), "")
        return Mark(entry[0], entry[1], label)
    if isinstance(entry, Mapping):
        own = {str(key).lower(): value for key, value in entry.items()}
        start = next((own[key] for key in _STARTS if isinstance(own.get(key), int)), None)
        end = next((own[key] for key in _ENDS if isinstance(own.get(key), int)), None)
        label = next((own[key] for key in _LABELS if isinstance(own.get(key), str)), "")
        if start is not None and end is not None:
            return Mark(start, end, label)
    return None


def _fitted(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks as characters, of the ways to count the one that fits the text's words best.

    Pages count characters or words, and the last one is among the marked or is not.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    ways: list[list[Mark]] = [list(marks), [Mark(mark.start, mark.end + 1, mark.label) for mark in marks]]
    for extra in (0, 1):
        if all(0 <= mark.start < mark.end + extra <= len(words) for mark in marks):
            ways.append([Mark(words[mark.start][0], words[mark.end - 1 + extra][1], mark.label) for mark in marks])
    possible = [way for way in ways if all(0 <= mark.start < mark.end <= len(text) for mark in way)]
    # A mark may leave out the full stop behind a word.
    spans = [*words, *(match.span() for match in _BARE_WORD.finditer(text))]
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    return max(possible, key=lambda way: sum((m.start in starts) + (m.end in ends) for m in way), default=[])


def _found(text: str, pieces: Sequence[str]) -> Iterator[Mark]:
    """Where pieces stand in a text, each after the one before if it stands there."""
    place = 0
    for piece in pieces:
        at = text.find(piece, place)
        at = text.find(piece) if at < 0 else at
        if at < 0 or not piece:
            return
        place = at + len(piece)
        yield Mark(at, place)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_empty(target: str) -> bool:
    return _json(target) in ([], {})


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()

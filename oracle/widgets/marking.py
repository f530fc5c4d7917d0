"""Stretches of a text that a worker marks by dragging over them, written as numbers or as the words themselves."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, Pressable, look
from oracle.widgets.pieces import CONFIRMS, TAKES_BACK, is_structured, likeness
from oracle.widgets.tagging import choose_in_list, is_called

MARKED_BY = ("mouseup", "mousedown", "pointerup", "selectionchange", "click")
MAX_BLOCKS = 4
"""Texts in which a field's first mark is tried."""
MAX_WAYS = 8
"""Ways to read a label that are tried for one field."""
MAX_CONFIRMING = 3
"""Buttons that are tried with a text that has been marked."""
MAX_TAKING_BACK = 3
"""Things that are tried to undo a mark."""
MAX_TARGETS = 3
"""Workers whose marks are tried for one field."""
_STARTS = ("start", "startoffset", "begin", "from", "startindex", "start_offset", "left")
_ENDS = ("end", "endoffset", "stop", "to", "endindex", "end_offset", "right")
_LABELS = ("label", "type", "category", "tag", "entity", "class")
_WORDS = ("text", "words", "word", "phrase", "quote", "value", "mention", "selection")
_PARTS = ("paragraph", "para", "p", "sentence", "line", "turn", "block", "part")
_COUNTS = ((0, 0, 1.0), (0, 1, 1.0), (-1, 0, 0.8), (-1, -1, 0.8))
"""What is added to start and end where pages count from 0 or 1, with the last one or without it; how usual that is."""
_WORD = re.compile(r"\S+")
_BARE_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class Mark:
    """A stretch of a text, by characters; ``label`` is what it was called, empty if nothing."""

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True)
class Reading:
    """What a label may mean in one text, and how well that fits the text's words."""

    marks: list[Mark]
    fit: float


@dataclass(frozen=True)
class _Said:
    """A mark as a label counts it; ``part`` is the number of the paragraph, ``words`` what is marked."""

    start: int
    end: int
    label: str = ""
    words: str = ""
    part: int | None = None


@dataclass(frozen=True)
class _Block:
    number: int
    text: str
    id: str
    listens: bool
    is_heard: bool
    parts: Sequence[Sequence[int]]


class Marking:
    """Marks what a label says, in the text which that field is about."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        goals = [goal for goal in form.unwritten().values() if any(map(looks_like_marks, goal.targets))]
        if not goals:
            return False
        worker = _Marker(form, PageInput(form.act, form.probe))
        done = False
        for goal in goals:
            done = (goal.name in form.unwritten() and worker.mark(goal)) or done
        for goal in goals:
            if goal.name in form.unwritten():
                worker.mark_nothing(goal)
        return done


class _Marker:
    def __init__(self, form: Form, page_input: PageInput) -> None:
        self._form = form
        self._page_input = page_input
        self._blocks = self._look_for_blocks()
        self._fruitless: set[int] = set()

    def _look_for_blocks(self) -> list[_Block]:
        self._form.probe.find_listeners(MARKED_BY)
        return [_Block(**{**each, "text": in_units(each["text"])}) for each in look(self._form.probe, "textBlocks")]

    def mark(self, goal: FieldGoal) -> bool:
        """Make a worker's marks; whether the field took any.

        The first mark shows how the page counts: what it writes otherwise than the label is taken back, if it can be.
        """
        for target in goal.targets[:MAX_TARGETS]:
            ways = self._ways(goal.name, target)
            fallback = None
            for block, marks in ways:
                if block.number in self._fruitless or len(self._fruitless) >= MAX_BLOCKS:
                    continue
                before, there = self._held(goal), self._there()
                if not self._make(goal, block, marks[0]):
                    self._fruitless.add(block.number)
                    continue
                self._fruitless.clear()
                fallback = fallback or (block, marks)
                is_right = not is_structured(target) or self._is_nearer(goal, before, target)
                if is_right or not self._take_back(goal, before, there):
                    return self._make_all(goal, block, marks[1:])
            if fallback:
                return self._make_all(goal, *fallback)
        return False

    def _make_all(self, goal: FieldGoal, block: _Block, marks: Sequence[Mark]) -> bool:
        for mark in marks:
            self._make(goal, block, mark)
        return True

    def _ways(self, name: str, target: str) -> list[tuple[_Block, list[Mark]]]:
        """What a label may mean in the texts of the page, the likeliest first."""
        ways = [
            (block, reading)
            for block in self._candidates(name)
            for reading in readings_of(block.text, target, block.parts)
        ]
        named = _bare(name)
        ways.sort(key=lambda way: (not way[0].id or _bare(way[0].id) != named, -way[1].fit))
        return [(block, reading.marks) for block, reading in ways[:MAX_WAYS]]

    def _held(self, goal: FieldGoal) -> str:
        self._form.look()
        return "".join(self._form.written().get(goal.name, ()))

    def _there(self) -> set[int]:
        return {pressable.number for pressable in self._page_input.pressables()}

    def _is_nearer(self, goal: FieldGoal, before: str, target: str) -> bool:
        held, wanted = self._held(goal), _json(target)
        return goal.is_reached([held]) or likeness(_json(held), wanted) > likeness(_json(before), wanted)

    def _make(self, goal: FieldGoal, block: _Block, mark: Mark) -> bool:
        """Make one mark; whether that changed the field."""
        before = self._held(goal)
        named = self._named(mark.label)
        if named:
            self._page_input.press(named.number)
        elif mark.label:
            choose_in_list(self._form, mark.label)
        if not self._drag_over(block, mark):
            return False
        if self._held(goal) != before:
            return True
        named = self._named(mark.label)
        if named and self._page_input.press(named.number) and self._held(goal) != before:
            return True
        for pressable in self._confirming(block)[:MAX_CONFIRMING]:
            if self._page_input.press(pressable.number) and self._held(goal) != before:
                return True
        return False

    def _drag_over(self, block: _Block, mark: Mark) -> bool:
        if self._page_input.mark(block.number, mark.start, mark.end):
            return True
        # What the page has drawn anew has another number.
        again = next((each for each in self._look_for_blocks() if each.text == block.text), None)
        return again is not None and self._page_input.mark(again.number, mark.start, mark.end)

    def _confirming(self, block: _Block) -> list[Pressable]:
        """What may take over marked text: says so, or says nothing; what stands behind the text first."""
        found = {
            each.number: each
            for each in self._page_input.pressables()
            if CONFIRMS.search(each.text) or (each.tag == "button" and not each.text)
        }
        order = look(self._form.probe, "inOrder", [block.number, *found])
        at = order.index(block.number) if block.number in order else 0
        return [found[number] for number in (*order[at:], *order[:at]) if number in found]

    def _take_back(self, goal: FieldGoal, before: str, there: Collection[int]) -> bool:
        """Undo a mark by what says so, or by what it has brought out; whether the field holds what it held before."""
        found = [
            each for each in self._page_input.pressables() if TAKES_BACK.search(each.text) or each.number not in there
        ]
        found.sort(key=lambda each: (not TAKES_BACK.search(each.text), each.number in there))
        for pressable in found[:MAX_TAKING_BACK]:
            if self._page_input.press(pressable.number) and _is_same(self._held(goal), before):
                return True
        return False

    def _named(self, label: str) -> Pressable | None:
        """What is to be pressed for a label."""
        if not label:
            return None
        pressables = self._page_input.pressables()
        return next((each for each in pressables if is_called([each.text], label)), None)

    def mark_nothing(self, goal: FieldGoal) -> None:
        """For a worker who marked nothing, where that is written all the same: make a mark and take it back."""
        if not any(_is_empty(target) for target in goal.targets):
            return
        for block in self._candidates(goal.name)[:1]:
            word = _WORD.search(block.text)
            before, there = self._held(goal), self._there()
            if word and self._make(goal, block, Mark(*word.span())):
                self._take_back(goal, before, there)

    def _candidates(self, name: str) -> list[_Block]:
        """The texts that a field may be about: of that name, else those that the page listens on, else all."""
        bare = _bare(name)
        named = [block for block in self._blocks if block.id and _bare(block.id) == bare]
        listening = [block for block in self._blocks if block.is_heard and block not in named]
        listening.sort(key=lambda block: not block.listens)
        if named:
            return [*named, *listening]
        return listening or list(self._blocks)


def looks_like_marks(target: str) -> bool:
    """Whether a label may be one of marks in a text: JSON lists of numbers or of words, or several words of a text."""
    value = _json(target)
    if isinstance(value, list):
        return all(isinstance(each, list | dict | str) for each in value)
    return isinstance(value, dict) or (value is None and " " in target.strip())


def in_units(text: str) -> str:
    """A text with one character for each unit that scripts count: two for a character beyond the basic plane."""
    units = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2))


def readings_of(text: str, target: str, parts: Sequence[Sequence[int]] = ()) -> list[Reading]:
    """What a label may mean in a text; none if it says no marks that the text can have.

    Args:
        text: As ``in_units`` gives it.
        target: The label.
        parts: Where each of the text's paragraphs begins and ends.
    """
    value = _json(target)
    entries = [in_units(target)] if isinstance(value, str) or value is None else _entries(value)
    if all(isinstance(each, str) for each in entries):
        found = list(_found(text, [in_units(each) for each in entries]))
        return [Reading(found, 1)] if found else []
    said = [each for entry in entries if (each := _said(entry)) is not None]
    if len(said) < len(entries):
        return []
    readings = [Reading(marks, fit) for marks, fit in _counted(text, said, parts)]
    unique = {tuple(each.marks): each for each in sorted(readings, key=lambda each: each.fit)}
    return sorted(unique.values(), key=lambda each: -each.fit)


def _entries(value: Any) -> list[Any]:
    """The parts of a label that say one mark each."""
    if isinstance(value, Mapping):
        return [value] if _said(value) else list(value.values())
    entries = list(value) if isinstance(value, list) else []
    return [entries] if len(entries) == 2 and all(isinstance(each, int) for each in entries) else entries


def _said(entry: Any) -> _Said | None:
    if isinstance(entry, list) and len(entry) >= 2 and all(isinstance(each, int) for each in entry[:2]):
        label = next((each for each in entry[2:] if isinstance(each, str)), "")
        return _Said(entry[0], entry[1], label)
    if isinstance(entry, Mapping):
        own = {str(key).lower(): value for key, value in entry.items()}
        start, end, part = (
            next((own[key] for key in names if isinstance(own.get(key), int)), None)
            for names in (_STARTS, _ENDS, _PARTS)
        )
        label, words = (
            next((own[key] for key in names if isinstance(own.get(key), str)), "") for names in (_LABELS, _WORDS)
        )
        if start is not None and end is not None:
            return _Said(start, end, label, in_units(words), part)
    return None


def _counted(text: str, said: Sequence[_Said], parts: Sequence[Sequence[int]]) -> Iterator[tuple[list[Mark], float]]:
    """Marks by each way to count that the text allows, with how well they fit its words.

    Pages count characters, bytes or words, from 0 or 1, in a whole text or in each paragraph, and the last one is
    among the marked or is not.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    # A mark may leave out the full stop behind a word.
    spans = [*words, *(match.span() for match in _BARE_WORD.finditer(text))]
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    for places, stretches in _places(text, said, parts):
        scales = [_scales(text[start:end]) for start, end in stretches]
        for scale, (to_start, to_end, weight) in itertools.product(range(len(scales[0])), _COUNTS):
            marks = []
            for each, place in zip(said, places, strict=True):
                firsts, lasts, worth = scales[place][scale]
                first, last = each.start + to_start, each.end + to_end
                if 0 <= first < len(firsts) and 0 < last < len(lasts):
                    base = stretches[place][0]
                    marks.append(Mark(base + firsts[first], base + lasts[last], each.label))
            if len(marks) < len(said) or any(mark.start >= mark.end for mark in marks):
                continue
            edges = sum((mark.start in starts) + (mark.end in ends) for mark in marks) / (2 * len(marks))
            same = all(
                text[mark.start : mark.end].split() == each.words.split()
                for mark, each in zip(marks, said, strict=True)
            )
            yield marks, edges * weight * worth + same


def _places(
    text: str, said: Sequence[_Said], parts: Sequence[Sequence[int]]
) -> Iterator[tuple[list[int], Sequence[Sequence[int]]]]:
    """For each mark in which stretch of the text it is counted, and those stretches."""
    yield [0] * len(said), [(0, len(text))]
    numbers = [each.part for each in said if each.part is not None]
    for base in (0, 1):
        if len(numbers) == len(said) and all(0 <= number - base < len(parts) for number in numbers):
            yield [number - base for number in numbers], parts


def _scales(text: str) -> list[tuple[Sequence[int], Sequence[int], float]]:
    """Ways to count what is in a text: where each thing begins, where what is before each ends, and how usual it is."""
    units = range(len(text) + 1)
    words = [match.span() for match in _WORD.finditer(text)]
    characters = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    points, octets = [0], [0]
    for character in characters:
        after = points[-1] + len(in_units(character))
        octets += [points[-1]] * (len(character.encode()) - 1) + [after]
        points.append(after)
    return [
        (units, units, 1),
        ([start for start, _ in words], [0, *(end for _, end in words)], 0.9),
        (points, points, 0.98),
        (octets, octets, 0.96),
    ]


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


def _is_same(held: str, before: str) -> bool:
    return held == before or all(not each.strip() or _is_empty(each) for each in (held, before))


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()

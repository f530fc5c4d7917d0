"""Parts of a board that go from one state to the next with each press, and fields that list which are in which state.

Alignment matrices are of this kind, whose cells are sure, possible or nothing by turns, and words that are highlighted.
How a page counts its parts is found out by pressing some; nothing is pressed for states that the labels do not have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.catalog.kinds import TEXTS
from oracle.field_goal import MAX_WORKERS, FieldGoal
from oracle.form import Form
from oracle.page_input import CLICKS, PageInput, look
from oracle.widgets.board import Board, Entries, Part, Place, Reading, boards_among, entries_in

MAX_BOARDS = 6
"""Boards that are tried for one length of places."""
MAX_TRIALS = 8
"""Parts that are pressed to find out how the page counts them."""
MAX_STATES = 8
"""States that a part may have."""
MAX_PRESSES = 600

States = Mapping[str, Entries]
"""Field -> what it lists."""


class Cycling:
    """Presses each part of a board until the fields list it as a worker had it."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        goals = [goal for goal in form.goals.values() if _is_listing(form, goal)]
        wanted = _wanted(goals)
        sought = form.unwritten().keys() & wanted.keys()
        if not sought or not any(_is_list(entries) for entries in wanted.values()):
            return False
        done = False
        form.probe.find_listeners(CLICKS)
        for length in (2, 1):
            of_length = {name: each for name, each in wanted.items() if _length(each) == length}
            if sought & of_length.keys():
                done = _Boards(form, of_length, length).work() or done
        return done


class _Boards:
    """The boards of a page whose parts have places of one length."""

    def __init__(self, form: Form, wanted: States, length: int) -> None:
        self._form = form
        self._wanted = wanted
        self._length = length

    def work(self) -> bool:
        done = False
        tried = 0
        # A matrix of cells has more parts than its heads, which are what single numbers count.
        boards = _boards(self._form)
        for board in boards if self._length > 1 else reversed(boards):
            if not self._form.unwritten().keys() & self._wanted.keys() or tried >= MAX_BOARDS:
                break
            if any(part.number in self._form.worked for part in board.parts):
                continue
            readings = [way for way in board.readings(self._length) if self._is_possible(way)]
            if readings:
                tried += 1
                done = _Play(self._form, self._wanted, board).work(readings) or done
        return done

    def _is_possible(self, reading: Reading) -> bool:
        """Whether the parts have all the places that one of the fields sought shall list."""
        places = set(reading.values())
        sought = self._form.unwritten().keys() & self._wanted.keys()
        return any({entry.place for entry in self._wanted[name]} <= places for name in sought)


class _Play:
    """One board being worked."""

    def __init__(self, form: Form, wanted: States, board: Board) -> None:
        self._form = form
        self._wanted = wanted
        self._board = board
        self._page_input = PageInput(form.act, form.probe)
        self._presses = 0
        self._fields: set[str] = set()

    def work(self, readings: Sequence[Reading]) -> bool:
        """Find out how the page counts, and bring each part to its state; whether the board writes the fields."""
        reading = self._learn(readings)
        if reading is None:
            return False
        parts = _parts_by_place(reading)
        for place in sorted(self._off()):
            if place in parts and self._presses < MAX_PRESSES:
                self._bring(parts[place], place)
        self._form.settle(self._fields, (part.number for part in self._board.parts))
        return True

    def _learn(self, readings: Sequence[Reading]) -> Reading | None:
        """The one reading that agrees with what presses write; None if none does."""
        first = self._telling(readings, ())
        place = self._cycle(first) if first is not None else None
        if first is None or place is None:
            return None
        tried = [first]
        left = [way for way in readings if way.get(first) == place]
        while self._differ(left) and len(tried) < MAX_TRIALS:
            number = self._telling(left, tried)
            if number is None:
                break
            tried.append(number)
            before = self._now()
            self._press(number)
            places = {place for _, place in self._changes(before, self._now())}
            left = [way for way in left if {way.get(number)} == places]
        return left[0] if left else None

    def _differ(self, readings: Sequence[Reading]) -> bool:
        """Whether it matters for the places that are to be changed which of the readings holds."""
        places = self._off()
        ways = [_parts_by_place(way) for way in readings]
        return len({tuple(way.get(place) for place in sorted(places)) for way in ways}) > 1

    def _telling(self, readings: Sequence[Reading], tried: Sequence[int]) -> int | None:
        """The part whose press tells most readings apart; of those one that has to be pressed anyway.

        A place that several fields list may be so from the beginning only, and is pressed last.
        """
        listed = [entry.place for entries in self._wanted.values() for entry in entries]

        def worth(number: int) -> tuple[int, int, int]:
            places = [way[number] for way in readings if number in way]
            several = sum(listed.count(place) > 1 for place in places)
            return len(set(places)), -several, sum(place in listed for place in places)

        told = {number: None for way in readings for number in way if number not in tried}
        return max(told, key=worth, default=None)

    def _cycle(self, number: int) -> Place | None:
        """Press a part until it is in a state again: the one place that changed; None if none or several did.

        A part that lists nothing is left as it was.
        """
        before = self._form.written()
        if not self._press(number):
            self._undo(number, before)
            return None
        seen = [self._now()]
        changes: set[tuple[str, Place]] = set()
        while len(seen) <= MAX_STATES:
            if not self._press(number):
                break
            now = self._now()
            changes |= self._changes(seen[-1], now)
            if now in seen:
                break
            seen.append(now)
        places = {place for _, place in changes}
        if len(places) == 1:
            self._fields |= {name for name, _ in changes}
            return places.pop()
        for _ in seen[1:]:
            self._press(number)
        return None

    def _undo(self, number: int, before: Mapping[str, Sequence[str]]) -> None:
        """Press a part that is of no use here until other fields are as they were, if they changed at all."""
        for _ in range(MAX_STATES):
            now = self._form.written()
            if all(now.get(name) == values for name, values in before.items() if name in self._form.goals):
                return
            self._press(number)

    def _press(self, number: int) -> bool:
        """Press a part; whether that did anything to the fields."""
        before = self._form.written()
        self._presses += 1
        if not self._page_input.press(number):
            return False
        self._form.look()
        after = self._form.written()
        return any(after.get(name) != before.get(name) for name in self._wanted)

    def _now(self) -> States:
        """What the fields list."""
        written = self._form.written()
        return {name: entries_in("".join(written.get(name, ()))) or frozenset() for name in self._wanted}

    def _changes(self, before: States, after: States) -> set[tuple[str, Place]]:
        return {(name, entry.place) for name in self._wanted for entry in before[name] ^ after[name]}

    def _off(self) -> set[Place]:
        """The places that the board's fields list otherwise than they shall."""
        now = self._now()
        return {entry.place for name in self._fields for entry in now[name] ^ self._wanted[name]}

    def _bring(self, number: int, place: Place) -> None:
        """Press a part until it is as it shall be; if it never is, as near to that as it comes."""

        def state(lists: States) -> frozenset[tuple[str, str]]:
            return frozenset((name, each.state) for name in self._fields for each in lists[name] if each.place == place)

        wanted = state(self._wanted)
        seen: list[frozenset[tuple[str, str]]] = []
        while (now := state(self._now())) != wanted and now not in seen and len(seen) < MAX_STATES:
            seen.append(now)
            if not self._press(number):
                return
        if now == wanted:
            return
        nearest = min(seen, key=lambda each: len(each ^ wanted))
        for _ in seen:
            if state(self._now()) == nearest or not self._press(number):
                return


def _parts_by_place(reading: Reading) -> dict[Place, int]:
    """The part to press for each place: the first of those that the page calls by it."""
    parts: dict[Place, int] = {}
    for number, place in reading.items():
        parts.setdefault(place, number)
    return parts


def _boards(form: Form) -> list[Board]:
    """The boards of the page as it is now."""
    found = []
    for part in look(form.probe, "parts"):
        box = part["box"]
        found.append(
            Part(
                number=part["number"],
                box=(box["left"], box["top"], box["width"], box["height"]),
                kind=part["kind"],
                holders=tuple(part["holders"]),
                numbers=tuple(map(tuple, part["numbers"])),
            )
        )
    return boards_among(found)


def _is_listing(form: Form, goal: FieldGoal) -> bool:
    """Whether a goal is a list of places that only a script writes."""
    return goal.answer.kind in TEXTS and goal.name in form.written() and any(map(entries_in, goal.targets))


def _wanted(goals: Sequence[FieldGoal]) -> dict[str, Entries]:
    """What each field shall list: as far as possible what one worker had, the one who gave most of the lists."""

    def given(worker: int) -> int:
        return sum(bool(entries_in(goal.label_of(worker))) for goal in goals)

    workers = range(min(max((len(goal.answer.labels) for goal in goals), default=0), MAX_WORKERS))
    best = max(workers, key=given, default=None)
    lists = {}
    for goal in (replace(each, worker=best) for each in goals):
        found = next((entries for target in goal.targets if (entries := entries_in(target))), None)
        if found:
            lists[goal.name] = found
    return lists


def _length(entries: Entries) -> int:
    return max(len(entry.place) for entry in entries)


def _is_list(entries: Entries) -> bool:
    """Whether it is a list for sure: a lone number may be anything."""
    return len(entries) > 1 or _length(entries) > 1

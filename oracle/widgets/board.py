"""A board: things that can be pressed and lie in rows and columns, and the ways in which a page may count them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Any

from oracle.page_input import Box

Place = tuple[int, ...]
"""One number or two, as the page counts."""
_PIECE = re.compile(r"[(\[]?(\d+)(?:(\D{1,4}?)(\d+))?[)\]]?(\W?[A-Za-z]\w*)?")
_COMMAS = re.compile(r"\d+,\d+")
"""Two numbers that are rather two entries than the two parts of one."""
_SPLITS: tuple[Callable[[str], list[str]], ...] = (
    lambda text: re.split(r"[\s;|]+", text),
    lambda text: re.split(r"[\s;|,]+", text),
)


@dataclass(frozen=True)
class PartEntry:
    """What stands in a list.

    Attributes:
        place: Of what it stands for.
        state: What else is written of it: ``?`` of ``1?3``, ``sure`` of ``[1, 3, "sure"]``; empty if nothing.
    """

    place: Place
    state: str = ""


Entries = frozenset[PartEntry]


def entries_in(text: str) -> Entries | None:
    """The entries of a label or of what a page has written; None if it is no list of places."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        return _written(text)
    return _of(value)


def _written(text: str) -> Entries | None:
    for split in _SPLITS:
        pieces = [piece.rstrip(",;.") for piece in split(text.strip()) if piece.strip(",;.")]
        if len(pieces) == 1 and _COMMAS.fullmatch(pieces[0]):
            continue
        found = [_PIECE.fullmatch(piece) for piece in pieces]
        entries = [_of_match(match) for match in found if match]
        if entries and len(entries) == len(found) and _are_alike(entries):
            return frozenset(entries)
    return None


def _of_match(match: re.Match[str]) -> PartEntry:
    first, between, second, state = match.groups()
    if second is None:
        return PartEntry((int(first),), state or "")
    return PartEntry((int(first), int(second)), between.strip("-:,. ") + (state or ""))


def _of(value: Any) -> Entries | None:
    if (whole := _whole(value)) is not None:
        return frozenset({PartEntry((whole,))})
    if isinstance(value, str):
        return _written(value)
    if isinstance(value, Mapping):
        return _gathered([_of_pair(str(key), each) for key, each in value.items()])
    return _gathered([_of_item(each) for each in value]) if isinstance(value, list) else None


def _of_item(item: Any) -> Entries | None:
    """One entry written as a list or a map of its parts, else as text."""
    if not isinstance(item, list | Mapping):
        return _of(item)
    parts = list(item.values()) if isinstance(item, Mapping) else item
    place = tuple(whole for part in parts if (whole := _whole(part)) is not None)
    rest = [str(part) for part in parts if isinstance(part, str | bool)]
    if len(place) not in (1, 2) or len(place) + len(rest) < len(parts):
        return None
    return frozenset({PartEntry(place, " ".join(rest))})


def _of_pair(key: str, value: Any) -> Entries | None:
    """What a map says under one key: the state of a place, the partners of a number, or the places of a state."""
    places = _written(key)
    if places is None:
        inner = _of(value)
        return None if inner is None else frozenset(PartEntry(each.place, key + each.state) for each in inner)
    (own,) = places
    if isinstance(value, list):
        inner = _gathered([_of(each) for each in value])
        return None if inner is None else frozenset(PartEntry(own.place + each.place, each.state) for each in inner)
    return frozenset({PartEntry(own.place, str(value))}) if isinstance(value, str | int) else None


def _whole(value: Any) -> int | None:
    """The number that a value is, if it is a whole one: tables write ``8.0`` for ``8``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if value == int(value) else None


def _gathered(parts: Iterable[Entries | None]) -> Entries | None:
    found: set[PartEntry] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return frozenset(found) if _are_alike(found) else None


def _are_alike(entries: Iterable[PartEntry]) -> bool:
    lengths = {len(each.place) for each in entries}
    return lengths <= {1} or lengths <= {2}


_FILLED = 0.9
"""Share of the places of a lattice that are taken."""
_OVERLAP = 0.3
"""Share of the shorter of two stretches that both have, from which on they are in one line."""


@dataclass(frozen=True)
class Part:
    """One thing of a page that can be pressed.

    Attributes:
        number: By which the page's looks know it.
        box: Where it lies.
        kind: Its element's name and those of what it is in.
        holders: The numbers of what it is in, the nearest first.
        numbers: The numbers in each of its attributes that has some.
    """

    number: int
    box: Box
    kind: str
    holders: tuple[int, ...]
    numbers: tuple[Place, ...]


Reading = Mapping[int, Place]
"""What a page may call each part of a board: number of the part -> place."""


@dataclass(frozen=True)
class Board:
    """Parts of one kind that are in one thing.

    Attributes:
        parts: In page order.
        lattice: Number of a part -> its row and column, from 0; empty if they lie in none.
    """

    parts: tuple[Part, ...]
    lattice: Mapping[int, tuple[int, int]]

    @property
    def is_wide(self) -> bool:
        """Whether it has several rows and several columns."""
        return any(row for row, _ in self.lattice.values()) and any(column for _, column in self.lattice.values())

    def readings(self, length: int) -> list[Reading]:
        """The ways in which a page may count the parts.

        Args:
            length: How many numbers a place has, 1 or 2.
        """
        ways = list(self._pairs() if length == 2 else self._lines())
        ways.extend(self._by_attributes(length))
        distinct: dict[frozenset[tuple[int, Place]], Reading] = {}
        for way in ways:
            reading = {number: place for number, place in way.items() if min(place) >= 0}
            distinct.setdefault(frozenset(reading.items()), reading)
        return list(distinct.values())

    def _pairs(self) -> Iterator[Reading]:
        if not self.is_wide:
            return
        last = max(column for _, column in self.lattice.values())
        # A page counts from 0 or 1, or has a head in the first row or column that can be pressed, too.
        for down, across, turned, columns_first in product((0, 1, -1), (0, 1, -1), (False, True), (True, False)):
            way = {}
            for number, (row, column) in self.lattice.items():
                place = (row + down, (last - column if turned else column) + across)
                way[number] = place[::-1] if columns_first else place
            yield way

    def _lines(self) -> Iterator[Reading]:
        orders: list[list[tuple[int, int]]] = [[(part.number, at) for at, part in enumerate(self.parts)]]
        if self.lattice:
            orders.append([(number, row) for number, (row, _) in self.lattice.items()])
            orders.append([(number, column) for number, (_, column) in self.lattice.items()])
        for order in orders:
            last = max(at for _, at in order)
            for base, turned in product((0, 1, -1), (False, True)):
                yield {number: ((last - at if turned else at) + base,) for number, at in order}

    def _by_attributes(self, length: int) -> Iterator[Reading]:
        """By numbers that stand in the same attribute of every part."""
        for at in range(min((len(part.numbers) for part in self.parts), default=0)):
            found = [(part.number, part.numbers[at]) for part in self.parts]
            if all(len(place) >= length for _, place in found):
                for step in (1, -1):
                    yield {number: place[-length:][::step] for number, place in found}


def boards_among(parts: Sequence[Part]) -> list[Board]:
    """The boards that parts may form, the largest first: of one kind, and together in one thing.

    The rows and columns of a lattice are no boards of their own.
    """
    groups: dict[tuple[str, int], list[Part]] = {}
    for part in parts:
        for holder in part.holders:
            groups.setdefault((part.kind, holder), []).append(part)
    distinct = {tuple(part.number for part in group): tuple(group) for group in groups.values() if len(group) > 1}
    found: list[Board] = []
    for group in sorted(distinct.values(), key=len, reverse=True):
        if not any(board.is_wide and set(group) <= set(board.parts) for board in found):
            found.append(Board(group, _lattice(group)))
    return found


def _lattice(parts: Sequence[Part]) -> dict[int, tuple[int, int]]:
    rows = _lines_of([(part.box[1], part.box[3]) for part in parts])
    columns = _lines_of([(part.box[0], part.box[2]) for part in parts])
    places = dict(zip((part.number for part in parts), zip(rows, columns, strict=True), strict=True))
    room = (max(rows) + 1) * (max(columns) + 1)
    is_lattice = len(set(places.values())) == len(parts) >= _FILLED * room
    return places if is_lattice else {}


def _lines_of(stretches: Sequence[tuple[float, float]]) -> list[int]:
    """The line in which each stretch of start and length lies; those that overlap are in one."""
    usual = median(length for _, length in stretches)
    lines: list[int] = [0] * len(stretches)
    line, end = -1, float("-inf")
    for at in sorted(range(len(stretches)), key=lambda at: stretches[at]):
        start, length = stretches[at]
        if start > end - _OVERLAP * min(length, usual):
            line, end = line + 1, start + length
        lines[at], end = line, max(end, start + length)
    return lines

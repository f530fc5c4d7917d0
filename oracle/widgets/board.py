"""A board: things that can be pressed and lie in rows and columns, and the ways in which a page may count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median

from oracle.page_input import Box
from oracle.widgets.entries import Place

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

"""The entries of a list of places that a page keeps: pairs such as ``0-2 1?3``, or numbers such as ``4 7``."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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

"""The dates of a label, however a page writes them."""

from __future__ import annotations

import calendar
import json
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

_FORMATS = (
    *("%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y.%m.%d", "%m.%d.%Y"),
    *("%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y", "%d-%b-%Y", "%Y %B %d", "%m/%d/%y", "%d/%m/%y", "%d.%m.%y"),
)
_TIME = re.compile(
    r"(?:T|,?\s+)(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([AaPp])?\.?(?:[Mm]\.?)?\s*(?:Z|[+-]\d\d:?\d\d)?$"
)
_WEEKDAY = re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_BETWEEN = (r"\s+(?:to|until|and|bis)\s+", r"\s+[-–—~]\s+", r"\s*[;|]\s*", r",\s*", r"\s+")
MAX_DATES = 12
_MONTHS = calendar.month_name[1:]
_CAPTIONS = (
    re.compile(r"\b(?P<name>[A-Za-z]{3,9})\.?,?\s+(?P<year>\d{4})\b"),
    re.compile(r"\b(?P<month>\d{1,2})\s*[/.-]\s*(?P<year>\d{4})\b"),
    re.compile(r"\b(?P<year>\d{4})\s*[/.-]?\s*(?P<name>[A-Za-z]{3,9})\b"),
    re.compile(r"\b(?P<year>\d{4})\s*[/.-]\s*(?P<month>\d{1,2})\b"),
)

Month = tuple[int, int]
"""Year and month."""


def dates_in(target: str) -> list[list[datetime]]:
    """Ways to read a label as one or several dates, the likeliest first; none if it is something else."""
    ways: dict[tuple[datetime, ...], None] = {}
    for pieces in _splits(target.strip()):
        for form in _FORMATS:
            found = [_read(piece, form) for piece in pieces]
            if found and all(found):
                ways.setdefault(tuple(each for each in found if each))
        if ways:
            break
    return [list(way) for way in ways]


def month_in(caption: str) -> Month | None:
    """The month that a calendar says it shows; None if it says none that can be read."""
    for pattern in _CAPTIONS:
        for found in pattern.finditer(caption):
            parts = found.groupdict()
            month = _month_named(parts["name"]) if "name" in parts else int(parts["month"])
            if 1 <= month <= len(_MONTHS):
                return int(parts["year"]), month
    return None


def months_between(start: Month, end: Month) -> int:
    """How many months from one to the other; below zero if back."""
    return (end[0] - start[0]) * 12 + end[1] - start[1]


def _month_named(name: str) -> int:
    """The number of a month by its name or the beginning of it; 0 if it is none."""
    return next((at for at, each in enumerate(_MONTHS, 1) if each.lower().startswith(name.lower())), 0)


def _splits(target: str) -> Iterator[Sequence[str]]:
    yield (target,)
    try:
        value: Any = json.loads(target)
    except ValueError:
        value = None
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        yield value
        return
    for separator in _BETWEEN:
        pieces = [piece for piece in re.split(separator, target) if piece]
        if 1 < len(pieces) <= MAX_DATES:
            yield pieces


def _read(piece: str, form: str) -> datetime | None:
    text, at = piece.strip(), time()
    if found := _TIME.search(text):
        hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").lower()
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        if hour > 23 or minute > 59:
            return None
        text, at = text[: found.start()], time(hour, minute)
    text = _ORDINAL.sub("", _WEEKDAY.sub("", text))
    text = " ".join(text.replace(",", " ").split()) if "%B" in form or "%b" in form else text
    try:
        day = datetime.strptime(text, form).date()
    except ValueError:
        return None
    return datetime.combine(day, at) if day >= date(1000, 1, 1) else None

"""Labels as a spreadsheet or a locale wrote them, and what the control of the page takes instead.

Pure: the type of an input and a label in, what could be meant out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from PIL import ImageColor

from harness.catalog.labels import number


@dataclass(frozen=True)
class Notation:
    """How an input writes its values, as the HTML standard has it.

    Attributes:
        named: The same in words, with an example.
        pattern: What every value of it matches.
        written: How Python writes one; empty if it is no date or time.
    """

    named: str
    pattern: re.Pattern[str]
    written: str = ""


_DATE, _TIME = (
    r"\d{4,}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])",
    r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?",
)
NOTATIONS: Mapping[str, Notation] = {
    "date": Notation("a date as 2021-03-14", re.compile(_DATE), "%Y-%m-%d"),
    "time": Notation("a time as 19:30", re.compile(_TIME), "%H:%M"),
    "datetime-local": Notation("a date and time as 2021-03-14T19:30", re.compile(f"{_DATE}T{_TIME}"), "%Y-%m-%dT%H:%M"),
    "month": Notation("a month as 2021-03", re.compile(r"\d{4,}-(?:0[1-9]|1[0-2])"), "%Y-%m"),
    "week": Notation("a week as 2021-W11", re.compile(r"\d{4,}-W(?:0[1-9]|[1-4]\d|5[0-3])"), "%G-W%V"),
    "number": Notation("a number as 12.50", re.compile(r"(?!)")),
    "color": Notation("a colour as #ff0000", re.compile(r"#[0-9a-f]{6}")),
}
"""Type of an input -> how it writes its values. What is a number is not told by the pattern: see ``takes``."""

_DAYS = (
    *("%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y", "%d/%m/%y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d.%m.%Y"),
    *("%d.%m.%y", "%m-%d-%Y", "%d-%m-%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y"),
)
_TIMES = (
    *("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%I:%M%p", "%I %p", "%I%p", "%I.%M %p"),
    *("%H.%M", "%Hh%M", "%H:%MZ", "%H:%M:%SZ", "%H:%M:%S.%fZ"),
)
_STAMPS = tuple(f"{day}{between}{at}" for between in (" ", "T") for day in _DAYS for at in _TIMES)
_WRITTEN = {
    "date": (*_DAYS, *_STAMPS),
    "time": (*_TIMES, *_STAMPS),
    "datetime-local": _STAMPS,
    "month": ("%Y-%m", "%Y/%m", "%m/%Y", "%m.%Y", "%B %Y", "%b %Y", "%b-%y", "%b-%Y", "%B-%Y", *_DAYS),
    "week": ("%G-W%V-%u", "%GW%V-%u", "%G-%V-%u", "%G W%V-%u"),
}
"""Type of an input -> how its values may be written elsewhere; a week with its first day behind it."""
_FIRST_DAY = datetime(1899, 12, 30)
"""What spreadsheets count days from."""
_DAY_SECONDS = 86_400
_COUNTED_DAYS = range(20_000, 80_000)
"""From 1954 to 2119."""
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([,.' ])\d{3})+(?:[,.]\d+)?")
_UNITS = re.compile(r"^[^\d+\-.,(]+|[^\d.,)]+$")


def takes(type_: str, label: str) -> bool:
    """Whether an input of a type takes a label as it is written; those of types without a notation take any."""
    notation = NOTATIONS.get(type_)
    if notation is None:
        return True
    return number(label) is not None if type_ == "number" else bool(notation.pattern.fullmatch(label.strip()))


@lru_cache(maxsize=4096)
def meant(type_: str, label: str) -> tuple[str, ...]:
    """What a label can mean, as an input of a type writes it: several values if it can be read in several ways.

    Args:
        type_: The type of the input.
        label: The label, which the input does not take.
    """
    text = " ".join(label.replace("\xa0", " ").replace("\u202f", " ").split())
    if type_ in {"number", "range"}:
        return _distinct(_numbers(text))
    if type_ == "color":
        return _distinct(_colours(text))
    if type_ not in NOTATIONS:
        return ()
    return _distinct(_as_written(type_, each) for each in _moments(type_, text))


def dates_of(option: str) -> frozenset[tuple[int, int]]:
    """Month and day that a spreadsheet makes of an option such as ``1-2`` or ``3/4``; empty if it makes none of it."""
    found = re.fullmatch(r"\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*", option)
    if not found:
        return frozenset()
    first, second = int(found[1]), int(found[2])
    return frozenset(
        (month, day) for month, day in ((first, second), (second, first)) if 1 <= month <= 12 and day <= 31
    )


def as_dates(label: str) -> frozenset[tuple[int, int]]:
    """Month and day of a label that is a date, as ``02-Jan`` and ``2021-01-02`` are."""
    text = " ".join(label.split())
    formats = ("%d-%b", "%d %b", "%d. %b", "%b-%d", "%b %d", *_DAYS)
    # The year is that of a leap day.
    whole = [(f"2000 {text}", f"%Y {each}") if "%y" not in each.lower() else (text, each) for each in formats]
    return frozenset((moment.month, moment.day) for said, form in whole for moment in _read(said, (form,)))


def _distinct(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _numbers(text: str) -> Iterator[str]:
    """The numbers that a text can be: with a decimal comma, thousands apart, a currency or unit around it."""
    text = text.replace("\u2212", "-").replace("\u2019", "'")
    if re.fullmatch(r"\(.*\)", text):  # as bookkeepers write what is below zero
        text = "-" + text[1:-1].strip()
    bare = re.sub(r"^([+-]?)\s*[^\d+\-.,]+", r"\1", _UNITS.sub("", text)).strip()
    if _GROUPED.fullmatch(bare):
        *_, last = re.finditer(r"[,.' ]", bare)
        kinds = set(re.findall(r"[,.' ]", bare))
        if len(kinds) == 1:
            yield re.sub(r"[,.' ]", "", bare)
            if kinds <= {",", "."} and len(re.findall(r"[,.]", bare)) == 1:
                yield bare.replace(",", ".")
        else:
            yield re.sub(r"[,.' ]", "", bare[: last.start()]) + "." + bare[last.end() :]
    elif re.fullmatch(r"[+-]?\d*,\d+", bare):
        yield bare.replace(",", ".")
    elif number(bare) is not None:
        yield bare


def _colours(text: str) -> Iterator[str]:
    with suppress(ValueError):
        red, green, blue = ImageColor.getrgb(text.replace(" ", "").lower())[:3]
        yield f"#{red:02x}{green:02x}{blue:02x}"
    if re.fullmatch(r"[0-9a-fA-F]{6}", text):
        yield f"#{text.lower()}"


def _moments(type_: str, text: str) -> Iterator[datetime]:
    said = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text).replace(",", " ")
    said = " ".join(re.sub(r"\b([ap])\.\s?m\.?(?!\w)", r"\1m", said, flags=re.IGNORECASE).split())
    days = number(said)
    if days is not None and (int(days) in _COUNTED_DAYS if type_ in {"date", "datetime-local"} else 0 < days < 1):
        yield _FIRST_DAY + timedelta(seconds=round(float(days) * _DAY_SECONDS))
    else:
        yield from _read(f"{said}-1" if type_ == "week" else said, _WRITTEN[type_])


def _as_written(type_: str, moment: datetime) -> str:
    seconds = ":%S" if moment.second and "%M" in NOTATIONS[type_].written else ""
    return moment.strftime(NOTATIONS[type_].written + seconds)


def _read(text: str, formats: Sequence[str]) -> Iterator[datetime]:
    for form in formats:
        with suppress(ValueError):
            yield datetime.strptime(text, form)

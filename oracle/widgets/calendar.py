"""Calendars in which a day is pressed, of jQuery UI, flatpickr and their like: they write read-only fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import CLICKS, PageInput, look
from oracle.widgets.dates import Month, dates_in, month_in, months_between

MAX_TARGETS = 3
MAX_READINGS = 3
"""Ways to read a label's dates that are tried: ``03/04/2021`` has two."""
MAX_MONTHS = 360
"""Presses on the way to a month."""
YEARS_BY_CHOICE = 12
"""Months from which on the year is chosen, if the calendar lets it be."""
MAX_OPENERS = 5
_OPENS = re.compile(r"date|calend|day\b|pick|choose|when|\U0001f4c5|\U0001f4c6|\U0001f5d3", re.IGNORECASE)
_ON = re.compile(r"next|forward|later|[>›»→▶❯]", re.IGNORECASE)
_BACK = re.compile(r"prev|back|earlier|[<‹«←◀❮]", re.IGNORECASE)
_YEARS = re.compile(r"year|«|»|<<|>>", re.IGNORECASE)
_HOUR, _MINUTE = re.compile(r"hour", re.IGNORECASE), re.compile(r"minute", re.IGNORECASE)
_NOON = 12


@dataclass(frozen=True)
class _Control:
    """Something around the days that may be worked.

    Attributes:
        number: By which the page's looks know it.
        tag: Its element's name.
        hint: What it says and is called.
        value: What it holds.
        options: Texts of its options, if it is a list.
    """

    number: int
    tag: str
    hint: str
    value: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class _Sheet:
    """The days of one month as the page shows them.

    Attributes:
        around: Numbers of what its days are in, from the inside.
        days: Numbers of its days, from the first.
        month: Which it is; None if that cannot be read.
        controls: What is around them.
    """

    around: tuple[int, ...]
    days: tuple[int, ...]
    month: Month | None
    controls: tuple[_Control, ...]

    def shares(self, other: _Sheet) -> int:
        """How much of what one is in the other is in, too."""
        return len({*self.around} & {*other.around})


class Calendars:
    """Opens the calendar of a field, goes to the month of the label, and presses its day."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        page_input = PageInput(form.act, form.probe)
        done = False
        for goal in form.unwritten().values():
            readings = [way for target in goal.targets[:MAX_TARGETS] for way in dates_in(target)]
            if readings and goal.name in form.unwritten():
                done = _Calendar(form, page_input, goal).enter(readings[:MAX_READINGS]) or done
        return done


class _Calendar:
    """The calendar of one field."""

    def __init__(self, form: Form, page_input: PageInput, goal: FieldGoal) -> None:
        self._form = form
        self._page_input = page_input
        self._goal = goal
        self._opener: int | None = None
        self._sheet_opened: _Sheet | None = None
        self._last_day: int | None = None

    def enter(self, readings: Sequence[Sequence[datetime]]) -> bool:
        """Pick the dates of one of these readings; whether there is a calendar that writes the field."""
        form = self._form
        form.probe.find_listeners(CLICKS)
        before = form.written()
        for opener in self._openers():
            self._opener, self._sheet_opened = opener, None
            for reading in readings:
                if not self._pick_all(reading):
                    break
                if self._is_reached():
                    self._finish()
                    return True
            after = form.written()
            if after.get(self._goal.name) != before.get(self._goal.name):
                return True
            if after != before and self._last_day is not None:
                # It is another field's: pressed once more, a day of several is none of them again.
                self._page_input.press(self._last_day)
                form.look()
        return False

    def _finish(self) -> None:
        """Close what was opened, and let nothing else press what stays open."""
        if self._opener is not None:
            self._form.act.press("Escape")
            self._form.look()
        if sheet := self._sheet():
            worked = look(self._form.probe, "within", sheet.around[0])
            self._form.settle([self._goal.name], [*worked, *(each.number for each in sheet.controls)])

    def _pick_all(self, moments: Sequence[datetime]) -> bool:
        return all(self._pick(moment) for moment in moments)

    def _openers(self) -> Iterable[int | None]:
        """What may open it: the field itself, a box or a button near it; None for a calendar that is open already."""
        openers = look(self._form.probe, "openers", self._goal.name)
        own = [each["number"] for each in openers if each["own"]]
        others = [each for each in openers if not each["own"] and (each["written"] or _OPENS.search(each["hint"]))]
        beside = [each["number"] for each in others if each["beside"]]
        # Hidden fields may stand anywhere, and far from what writes them.
        far = [] if own else [each["number"] for each in others if not each["beside"]]
        return [*own, *beside[:MAX_OPENERS], *([None] if self._sheets() else []), *far[:MAX_OPENERS]]

    def _is_reached(self) -> bool:
        return self._goal.is_reached(self._form.written().get(self._goal.name, ()))

    def _sheets(self) -> list[_Sheet]:
        return [_sheet(each) for each in look(self._form.probe, "calendars")]

    def _sheet(self) -> _Sheet | None:
        """The month that this field's calendar shows now, which may have drawn its days anew; None if it is closed."""
        opened = self._sheet_opened
        if opened is None:
            return None
        sheets = [sheet for sheet in self._sheets() if sheet.shares(opened)]
        return max(sheets, key=opened.shares, default=None)

    def _open(self) -> _Sheet | None:
        """Open the calendar, if it is not open; None if that is not how."""
        if sheet := self._sheet():
            return sheet
        before = self._sheets()
        if self._opener is None:
            self._sheet_opened = before[0] if before else None
            return self._sheet_opened
        if not self._page_input.press(self._opener):
            return None
        self._form.act.wait_till_loaded()
        known = {sheet.days[0] for sheet in before}
        self._sheet_opened = next((sheet for sheet in self._sheets() if sheet.days[0] not in known), None)
        return self._sheet_opened

    def _pick(self, moment: datetime) -> bool:
        """Pick a day; whether it could be pressed."""
        sheet = self._open()
        if sheet is None:
            return False
        if sheet.month is None:
            return self._pick_by_effect(moment, sheet)
        sheet = self._turn_to(sheet, (moment.year, moment.month))
        return sheet is not None and self._press_day(sheet, moment)

    def _press_day(self, sheet: _Sheet, moment: datetime) -> bool:
        if moment.day > len(sheet.days) or not self._page_input.press(sheet.days[moment.day - 1]):
            return False
        self._last_day = sheet.days[moment.day - 1]
        if moment.hour or moment.minute:
            self._set_time(moment)
        self._form.look()
        return True

    # ---- months ----------------------------------------------------------------------------------------------------

    def _turn_to(self, sheet: _Sheet, wanted: Month) -> _Sheet | None:
        """Turn the leaves until a month is shown; None if that is beyond where they can be turned."""
        if sheet.month and abs(months_between(sheet.month, wanted)) >= YEARS_BY_CHOICE:
            sheet = self._choose_year(sheet, wanted[0]) or sheet
        spent: set[str] = set()
        for _ in range(MAX_MONTHS):
            if sheet.month is None or sheet.month == wanted:
                return sheet if sheet.month else None
            left = months_between(sheet.month, wanted)
            control = _leading(sheet, onwards=left > 0, spent=spent, far=abs(left) >= YEARS_BY_CHOICE)
            if control is None:
                return None
            turned = self._page_input.press(control.number)
            after = self._sheet()
            if after is None:
                return None
            if not turned or after.month is None or abs(months_between(after.month, wanted)) >= abs(left):
                spent.add(control.hint)
            sheet = after
        return None

    def _choose_year(self, sheet: _Sheet, year: int) -> _Sheet | None:
        """Choose a year from the calendar's list of years, or write it where one is written."""
        shown = str(sheet.month[0]) if sheet.month else ""
        for control in sheet.controls:
            if control.tag == "select" and str(year) in control.options:
                if self._page_input.press(control.number):
                    self._form.act.type(str(year))
                    self._form.act.press("Enter")
                    return self._sheet()
            elif control.tag == "input" and control.value == shown and self._write(control.number, str(year), "Enter"):
                return self._sheet()
        return None

    def _pick_by_effect(self, moment: datetime, sheet: _Sheet) -> bool:
        """Pick a day in a calendar that does not say its month in words that are understood: the field does."""
        if not self._press_day(sheet, moment):
            return False
        shown = self._month_written(moment)
        if shown is None or self._is_reached():
            return shown is not None
        left = months_between(shown, (moment.year, moment.month))
        if abs(left) > MAX_MONTHS or (found := self._open()) is None:
            return True
        for _ in range(abs(left)):
            control = _leading(found, onwards=left > 0, spent=(), far=False)
            if control is None or not self._page_input.press(control.number):
                return True
            found = self._sheet()
            if found is None:
                return True
        return self._press_day(found, moment)

    def _month_written(self, moment: datetime) -> Month | None:
        """The month of the day that the field holds."""
        values = self._form.written().get(self._goal.name, ())
        ways = dates_in(values[0]) if len(values) == 1 else []
        return next(((way[-1].year, way[-1].month) for way in ways if way[-1].day == moment.day), None)

    # ---- times -----------------------------------------------------------------------------------------------------

    def _set_time(self, moment: datetime) -> None:
        """Write the time where the calendar has boxes for it."""
        sheet = self._sheet()
        if sheet is None:
            return
        half = next((each for each in sheet.controls if re.search(r"\b[ap]\.?m\b", each.hint, re.IGNORECASE)), None)
        hour = (moment.hour % _NOON or _NOON) if half else moment.hour
        for control in sheet.controls:
            if control.tag == "input" and _HOUR.search(control.hint):
                self._write(control.number, f"{hour:02}", "Tab")
            elif control.tag == "input" and _MINUTE.search(control.hint):
                self._write(control.number, f"{moment.minute:02}", "Tab")
        if half and bool(re.search(r"\bp\.?m\b", half.hint, re.IGNORECASE)) != (moment.hour >= _NOON):
            self._page_input.press(half.number)

    def _write(self, number: int, text: str, end: str) -> bool:
        """Write a text into a box of the calendar, and press a key that ends it; whether it could be pressed."""
        if not self._page_input.press(number):
            return False
        self._form.act.press("Control+a")
        self._form.act.type(text)
        self._form.act.press(end)
        return True


def _sheet(record: dict[str, Any]) -> _Sheet:
    months = (month_in(caption) for caption in record["captions"])
    controls = (
        _Control(each["number"], each["tag"], each["hint"], each["value"], tuple(each["options"]))
        for each in record["controls"]
    )
    return _Sheet(
        around=tuple(record["around"]),
        days=tuple(record["days"]),
        month=next((month for month in months if month), None),
        controls=tuple(controls),
    )


def _leading(sheet: _Sheet, *, onwards: bool, spent: Iterable[str], far: bool) -> _Control | None:
    """What leads to later or earlier months, a year at once if that is far; None if nothing says that it does."""
    wanted, other = (_ON, _BACK) if onwards else (_BACK, _ON)
    found = [
        each
        for each in sheet.controls
        if each.tag not in ("select", "input")
        and each.hint not in spent
        and wanted.search(each.hint)
        and not other.search(each.hint)
    ]
    return next((each for each in found if bool(_YEARS.search(each.hint)) == far), found[0] if found else None)

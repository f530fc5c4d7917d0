"""The portal's own day, which stands still while an episode lasts, and dates as people write them."""

from __future__ import annotations

from datetime import date, timedelta

FIRST_DAY = date(2031, 3, 3)
SEEDED_DAYS = 20
"""On how many days the clock may stand: all in one month, so that the same presses lead to a date of any of them."""
DAYS_SOLD = 330
"""So far ahead can be booked."""
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def today_of(seed: int) -> date:
    """Return the day on which the clock stands."""
    return FIRST_DAY + timedelta(days=seed % SEEDED_DAYS)


def last_day(today: date) -> date:
    """Return the last day that can be booked."""
    return today + timedelta(days=DAYS_SOLD)


def read_date(text: str) -> date | None:
    """Return the day that a person has written, None if it is none: 2031-05-14, 14/05/2031 or 14 May 2031."""
    words = text.strip().lower().replace("/", " ").replace("-", " ").replace(".", " ").replace(",", " ").split()
    if len(words) != 3:
        return None
    if words[0].isdecimal() and len(words[0]) == 4:
        words.reverse()
    day, month, year = words
    if not (day.isdecimal() and year.isdecimal() and len(day) <= 2 and len(year) == 4):
        return None
    number = _month(month)
    try:
        return date(int(year), number, int(day)) if number else None
    except ValueError:
        return None


def _month(word: str) -> int:
    if word.isdecimal():
        return int(word) if len(word) <= 2 else 0
    named = [number for number, name in enumerate(_MONTHS, 1) if len(word) >= 3 and name.startswith(word)]
    return named[0] if len(named) == 1 else 0


def clock_text(minutes: int, *, half_days: bool = False) -> str:
    """Return a time of day as a board shows it.

    Args:
        minutes: Since midnight; times of the next days are shown as what the clock then says.
        half_days: Whether it is shown with am and pm.
    """
    hour, minute = divmod(minutes % 1440, 60)
    if not half_days:
        return f"{hour:02}:{minute:02}"
    return f"{hour % 12 or 12}:{minute:02} {'am' if hour < 12 else 'pm'}"


def duration_text(minutes: int) -> str:
    """Return how long something takes, e.g. ``2 h 05 min``."""
    return f"{minutes // 60} h {minutes % 60:02} min"

"""Which keys and presses give a value to controls that take no plain text: date and time inputs, sliders."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime, time

from harness.actions.result import ErrorCode
from harness.browser.input import ARROWS, BACKSPACE, Key, key_for
from harness.catalog.labels import clean
from harness.kit.text import counted

# The parts of a typed input in the order in which Chromium shows them in US English (the browser is started so):
# a date is typed month first, an hour as one of twelve with AM or PM. A part that is full moves on to the next.
_PATTERNS = {
    "date": re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"),
    "month": re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)"),
    "week": re.compile(r"(?P<year>\d{4})-W(?P<week>\d\d)"),
    "time": re.compile(r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))?"),
    "datetime-local": re.compile(
        r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d))?"
    ),
}
_READERS = {
    "date": date.fromisoformat,
    "month": lambda text: date.fromisoformat(f"{text}-01"),
    "week": lambda text: date.fromisoformat(f"{text}-1"),
    "time": time.fromisoformat,
    "datetime-local": datetime.fromisoformat,
}
_EXAMPLES = {
    "date": "a date such as 2031-05-14",
    "month": "a month such as 2031-05",
    "week": "a week such as 2031-W20",
    "time": "a time such as 14:30",
    "datetime-local": "a date and time such as 2031-05-14T14:30",
}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_PARTS = 7  # more than any of them has
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NO_SECONDS = re.compile(r"(\d\d:\d\d):00(?:\.0+)?$")


@dataclass(frozen=True)
class TextToType:
    """A text that a text control shall hold.

    Attributes:
        input_type: The control's ``type``.
        text: In the form that HTML submits (https://html.spec.whatwg.org/#dates-and-times), or empty.
        step: The control's ``step``, which decides whether a time has seconds.
    """

    input_type: str
    text: str
    step: str = ""

    @property
    def in_parts(self) -> bool:
        """Whether the control is one of several parts, such as day, month and year."""
        return self.input_type in _PATTERNS

    def is_held(self, value: str) -> bool:
        """Whether a control that holds ``value`` holds the text, by the control's own spelling."""
        return self._spelt(clean(value)) == self._spelt(clean(self.text))

    def objection(self, limit: int) -> tuple[ErrorCode, str] | None:
        """Why no control of this type can hold the text; None if one can.

        Args:
            limit: The control's ``maxLength``: UTF-16 code units, -1 for no limit.
        """
        if 0 <= limit < len(self.text.encode("utf-16-le")) // 2:
            return ErrorCode.TOO_LONG, f"it takes at most {counted(limit, 'character')}"
        if not self.text:
            return None
        if self.input_type == "number" and slider_value(self.text) is None:
            return ErrorCode.NOT_A_NUMBER, "it takes a number"
        if self.input_type == "color" and not _COLOUR.fullmatch(self.text):
            return ErrorCode.WRONG_ARGUMENT, "it takes a colour such as #ff8800"
        if self.in_parts and not self._is_in_form():
            return ErrorCode.WRONG_ARGUMENT, f"it takes {_EXAMPLES[self.input_type]}"
        return None

    def _is_in_form(self) -> bool:
        if not _PATTERNS[self.input_type].fullmatch(self.text):
            return False
        try:
            _READERS[self.input_type](self.text)
        except ValueError:
            return False
        return True

    def _spelt(self, text: str) -> str:
        if self.input_type == "color":
            return text.lower()
        if self.input_type in ("time", "datetime-local"):
            return _NO_SECONDS.sub(r"\1", text.replace(" ", "T"))
        return text

    def keys(self) -> list[Key]:
        """Key presses that write the text into a control of parts that was just clicked.

        Returns:
            The keys; none if the type takes plain text or the text is not of its form (the browser then refuses
            the plain text, which the read-back shows).
        """
        pattern = _PATTERNS.get(self.input_type)
        if pattern is None:
            return []
        to_first_part = [ARROWS["left"]] * _PARTS
        if not self.text:
            return to_first_part + [BACKSPACE, ARROWS["right"]] * _PARTS
        match = pattern.fullmatch(self.text)
        if match is None:
            return []
        part = match.groupdict()
        if self.input_type == "month":
            month = int(part["month"])
            # The month's name is found by its first letters; it does not move on by itself.
            name = _MONTHS[month - 1] if 1 <= month <= 12 else ""
            return [*to_first_part, *_typed(name), ARROWS["right"], *_typed(part["year"])]
        if self.input_type == "week":
            return [*to_first_part, *_typed(part["week"] + part["year"])]
        keys = list(to_first_part)
        if "month" in part:
            keys += _typed(part["month"] + part["day"] + part["year"])
        if "hour" in part:
            # A year may have up to six digits, so that four do not fill its part.
            keys += [ARROWS["right"]] if "month" in part else []
            hour = int(part["hour"])
            seconds = (part["second"] or "00") if self._has_seconds() or part["second"] not in (None, "00") else ""
            keys += _typed(f"{(hour - 1) % 12 + 1:02d}{part['minute']}{seconds}" + ("PM" if hour >= 12 else "AM"))
        return keys

    def _has_seconds(self) -> bool:
        try:
            return self.step.lower() == "any" or float(self.step or 60) % 60 != 0
        except ValueError:
            return False


def _typed(text: str) -> list[Key]:
    return [key for character in text if (key := key_for(character))]


def slider_value(text: str) -> float | None:
    """The finite number that a text is, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Scale:
    """The values that a slider can have.

    Attributes:
        low: At the start of its track.
        high: At the end.
        step: Distance of neighbouring values; 0 if any value goes.
    """

    low: float
    high: float
    step: float

    def objection(self, value: float, nearest: float) -> tuple[ErrorCode, str] | None:
        """Why the slider cannot have ``value``, the ``nearest`` to which is as given; None if it can."""
        if not self.low <= value <= self.high:
            return ErrorCode.OUT_OF_RANGE, f"{value:g} is not between {self.low:g} and {self.high:g}"
        if not math.isclose(value, nearest, rel_tol=1e-12, abs_tol=1e-12):
            scale = f"a step of {self.step:g} from {self.low:g} to {self.high:g}"
            return ErrorCode.OFF_STEP, f"{value:g} is not on {scale}; the nearest is {nearest:g}"
        return None

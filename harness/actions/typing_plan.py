"""Which keys and presses give a value to controls that take no plain text: date and time inputs, sliders."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.browser.input import ARROWS, BACKSPACE, Key, key_for

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
_PARTS = 7  # more than any of them has


def keys_for(input_type: str, value: str) -> list[Key] | None:
    """Key presses that write ``value`` into a date or time input that was just clicked.

    Args:
        input_type: The input's ``type``.
        value: In the form that HTML submits (https://html.spec.whatwg.org/#dates-and-times), or empty.

    Returns:
        The keys, or None if the type takes plain text or the value is not of its form (the browser then
        refuses the plain text, which the read-back shows).
    """
    pattern = _PATTERNS.get(input_type)
    if pattern is None:
        return None
    to_first_part = [ARROWS["left"]] * _PARTS
    if not value:
        return to_first_part + [BACKSPACE, ARROWS["right"]] * _PARTS
    match = pattern.fullmatch(value)
    if match is None:
        return None
    part = match.groupdict()
    typed = []
    if input_type == "week":
        typed = [part["week"], part["year"]]
    elif "month" in part:
        typed = [part["month"], part["day"]] if "day" in part else [part["month"]]
        typed.append(part["year"])
    keys = [*to_first_part, *_typed(typed)]
    if "hour" in part:
        hour = int(part["hour"])
        clock = [
            f"{(hour - 1) % 12 + 1:02d}",
            part["minute"],
            part.get("second") or "",
            "PM" if hour >= 12 else "AM",
        ]
        # A year may have up to six digits, so that four do not fill its part.
        keys += [*([ARROWS["right"]] if typed else []), *_typed(clock)]
    return keys


def _typed(parts: list[str]) -> list[Key]:
    return [key for character in "".join(parts) if (key := key_for(character))]


@dataclass(frozen=True)
class Slider:
    """A range control on the screen and the value that it shall get.

    Attributes:
        value: The wanted value.
        low: Value at the start of its track.
        high: Value at the end.
        step: Distance of neighbouring values; 0 if any value goes.
        box: Left, top, width, height in viewport pixels.
        mirrored: The track runs from right to left.
    """

    value: float
    low: float
    high: float
    step: float
    box: tuple[float, float, float, float]
    mirrored: bool

    # Chromium's thumb; its middle cannot reach the ends of the track.
    THUMB = 16.0

    @classmethod
    def of(cls, aim: Mapping[str, Any], value: float) -> Slider:
        """From the page's description of the control.

        Raises:
            ValueError: the value is no number, beyond an end or between two steps; says what is possible.
        """
        low = float(aim["min"] or 0)
        high = max(float(aim["max"] or 100), low)
        step = 0.0 if aim["step"] == "any" else float(aim["step"] or 1)
        if not math.isfinite(value) or not low <= value <= high:
            raise ValueError(f"{value:g} is not between {low:g} and {high:g}")
        if step and not math.isclose((value - low) / step, round((value - low) / step), abs_tol=1e-6):
            raise ValueError(f"{value:g} is not on a step of {step:g} from {low:g} to {high:g}")
        left, top, width, height = aim["box"]
        return cls(value, low, high, step, (left, top, width, height), aim["rightToLeft"])

    def point(self) -> tuple[float, float]:
        """Where on the track the value lies."""
        left, top, width, height = self.box
        share = (self.value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        share = 1 - share if self.mirrored else share
        return left + self.THUMB / 2 + share * (width - self.THUMB), top + height / 2

    def presses(self, held: float) -> list[Key]:
        """Arrow keys from the value ``held`` to the wanted one; none if any value goes."""
        if not self.step:
            return []
        steps = round((self.value - held) / self.step)
        return [ARROWS["up" if steps > 0 else "down"]] * abs(steps)

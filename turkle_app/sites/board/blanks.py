"""Forms as data: what is asked, how an answer is read, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

BlankKind = Literal["line", "long", "number", "day", "clock", "choice", "radio", "tick", "ticks", "switch"]
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST = 60_000  # more than any blank takes: what is longer is refused all the same
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


class Posted(Protocol):
    """What a form has sent (``QueryDict``)."""

    def get(self, key: str, default: str, /) -> str | None:
        """The last value of a name."""

    def getlist(self, key: str, /) -> list[str]:
        """All values of a name."""


@dataclass(frozen=True, kw_only=True)
class Blank:
    """One question of a form.

    Attributes:
        name: The name of its control.
        label: What is asked.
        kind: ``line``, ``long`` (a text of several lines), ``number``, ``day`` and ``clock`` (texts of a shape),
            ``choice`` (a list), ``radio``, ``tick`` (one that has to be ticked if it is needed), ``ticks`` (several of
            ``options``), ``switch`` (on or off).
        options: Value and text of each.
        help: A line below it.
        least: The shortest text or the smallest number.
        most: The longest text or the largest number; 0 for no bound.
        needed: Whether it may not be left empty.
    """

    name: str
    label: str
    kind: BlankKind = "line"
    options: tuple[tuple[str, str], ...] = ()
    help: str = ""
    least: int = 0
    most: int = 0
    needed: bool = False


Answers = dict[str, str | bool | list[str]]
"""Name of a blank -> what was answered."""


@dataclass(frozen=True)
class FilledBlank:
    """A question with what was answered, as a page shows it."""

    blank: Blank
    value: str | bool | list[str]
    error: str


def read(blanks: Iterable[Blank], posted: Posted) -> Answers:
    """Return what a form has sent for some questions; text without white space at its ends."""
    answers: Answers = {}
    for blank in blanks:
        if blank.kind in ("tick", "switch"):
            answers[blank.name] = bool(posted.get(blank.name, ""))
        elif blank.kind == "ticks":
            known = [value for value, _ in blank.options]
            answers[blank.name] = [value for value in known if value in posted.getlist(blank.name)]
        else:
            answers[blank.name] = (posted.get(blank.name, "") or "")[:_LONGEST].replace("\r\n", "\n").strip()
    return answers


def mistakes(blanks: Iterable[Blank], answers: Answers, today: date) -> dict[str, str]:
    """Return what is wrong with answers, by name; nothing if all is well.

    Args:
        blanks: The questions.
        answers: As ``read`` gives them.
        today: Days have to be after it.
    """
    found = {}
    for blank in blanks:
        if wrong := _mistake(blank, answers.get(blank.name, ""), today):
            found[blank.name] = wrong
    return found


def filled(blanks: Sequence[Blank], answers: Answers, wrong: Mapping[str, str]) -> list[FilledBlank]:
    """Return questions with answers and mistakes, for a page."""
    return [FilledBlank(blank, answers.get(blank.name, ""), wrong.get(blank.name, "")) for blank in blanks]


def _mistake(blank: Blank, answer: str | bool | list[str], today: date) -> str:
    if isinstance(answer, bool):
        return "Please tick this to go on." if blank.kind == "tick" and blank.needed and not answer else ""
    if not answer:
        return _missing(blank) if blank.needed else ""
    if isinstance(answer, list):
        return ""
    match blank.kind:
        case "choice" | "radio":
            return "" if answer in [value for value, _ in blank.options] else "Please choose one of the list."
        case "number":
            return _wrong_number(blank, answer)
        case "day":
            return _wrong_day(answer, today)
        case "clock":
            return "" if _CLOCK.fullmatch(answer) else "Please write a time as 18:30."
        case _:
            return _wrong_length(blank, answer)


def _missing(blank: Blank) -> str:
    if blank.kind in ("choice", "radio"):
        return "Please choose one."
    return "Please choose at least one." if blank.kind == "ticks" else "Please fill this in."


def _wrong_number(blank: Blank, answer: str) -> str:
    fits = answer.isascii() and answer.isdecimal() and len(answer) < 9 and blank.least <= int(answer) <= blank.most
    return "" if fits else f"Please write a number from {blank.least} to {blank.most}."


def _wrong_day(answer: str, today: date) -> str:
    try:
        day = date.fromisoformat(answer) if _DAY.fullmatch(answer) else None
    except ValueError:
        day = None
    if day is None:
        return "Please write a day as 2031-06-14."
    return "" if day > today else "Please choose a day that is still to come."


def _wrong_length(blank: Blank, answer: str) -> str:
    if len(answer) < blank.least:
        return f"Please write at least {blank.least} characters; it is {len(answer)} so far."
    if blank.most and len(answer) > blank.most:
        return f"Please write at most {blank.most} characters; it is {len(answer)}."
    return ""

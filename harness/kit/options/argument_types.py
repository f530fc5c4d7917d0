"""Types of arguments: each turns a text into a value, or says in one line what it should have been."""

from __future__ import annotations

import argparse
import decimal
import math
import re
from collections.abc import Callable
from pathlib import Path


def whole(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def seconds(text: str) -> float:
    """A time above 0."""
    if not 0 < (found := _number(text)) < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return found


def points_of_difference(text: str) -> float:
    """Points of per cent, above 0."""
    if not 0 < (found := _number(text)) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 100")
    return found


def share(text: str) -> float:
    """A number between 0 and 1."""
    if not 0 < (found := _number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return found


def correlation(text: str) -> float:
    """A coefficient of correlation below 1."""
    if not -1 <= (found := _number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a correlation from -1 to below 1")
    return found


def tasks_by_instances(text: str) -> tuple[int, int]:
    """Two sizes such as 20x20."""
    found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 20x20")
    return int(found[1]), int(found[2])


def money(text: str) -> float:
    """An amount of money."""
    try:
        amount = decimal.Decimal(text)
    except decimal.InvalidOperation:
        amount = decimal.Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars")
    return float(amount)


def one_line(most: int) -> Callable[[str], str]:
    """The type of a line of at most ``most`` characters."""

    def line(text: str) -> str:
        if len(text) > most or not text.isprintable():
            raise argparse.ArgumentTypeError(f"one line of at most {most} characters is needed")
        return text

    return line


def absolute(text: str) -> str:
    """A path, which need not be there."""
    return str(Path(text).resolve())


def existing(text: str) -> str:
    """The absolute path of a file."""
    file = Path(text)
    if not file.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return str(file.resolve())


def folder(text: str) -> str:
    """The absolute path of a folder."""
    place = Path(text)
    if not place.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return str(place.resolve())


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan

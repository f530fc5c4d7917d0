"""Elements numbered by letters: A, B, ..., Z, AA, AB, ..."""

from __future__ import annotations

import re

_LETTERS = re.compile(r"[A-Z]{1,6}")


def letters(number: int) -> str:
    """The letters of an element's number: 1 is A, 26 is Z, 27 is AA."""
    found = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        found = chr(ord("A") + place) + found
    return found


def number_of(written: str) -> int | None:
    """The number that letters stand for; None if the text is no letters."""
    if not _LETTERS.fullmatch(written):
        return None
    number = 0
    for each in written:
        number = 26 * number + ord(each) - ord("A") + 1
    return number

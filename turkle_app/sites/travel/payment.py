"""Paying by card: whether what was entered can be a card, and whether its bank agrees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

_DECLINED = {"4000000000000002": "Your bank declined this card. Please use another one."}
"""Number -> what its bank says: a card that always fails, so that one can see what happens then."""


def card_problems(entered: Mapping[str, str], today: date) -> dict[str, str]:
    """Return what is wrong with a card, by field.

    Args:
        entered: ``card_number``, ``card_name``, ``expiry`` (MM/YY) and ``cvc``.
        today: On which it has to be good still.
    """
    problems = {}
    number = re.sub(r"[\s-]", "", entered.get("card_number", ""))
    if not re.fullmatch(r"[0-9]{16}", number) or not _luhn(number):
        problems["card_number"] = "Enter the 16 digits of the card; these are not a card's."
    elif number in _DECLINED:
        problems["card_number"] = _DECLINED[number]
    if not entered.get("card_name", "").strip():
        problems["card_name"] = "Enter the name on the card."
    if not _good_until(entered.get("expiry", ""), today):
        problems["expiry"] = "Enter month and year as MM/YY; the card must not have expired."
    if not re.fullmatch(r"[0-9]{3}", entered.get("cvc", "").strip()):
        problems["cvc"] = "Enter the three digits on the back."
    return problems


def last_digits(number: str) -> str:
    """Return the last four digits of a card's number."""
    return re.sub(r"[^0-9]", "", number)[-4:]


def _luhn(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number)]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _good_until(text: str, today: date) -> bool:
    found = re.fullmatch(r"\s*([0-9]{1,2})\s*/\s*(?:20)?([0-9]{2})\s*", text)
    if not found or not 1 <= int(found[1]) <= 12:
        return False
    return (2000 + int(found[2]), int(found[1])) >= (today.year, today.month)

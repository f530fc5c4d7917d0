"""What customers enter in forms, checked: addresses and cards. Problems are told by field, in words for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from turkle_app.sites.shop.customer import COUNTRIES, PostalAddress

ADDRESS_FIELDS = (
    ("label", "What you call it", "e.g. Home", 40),
    ("name", "Full name", "", 80),
    ("street", "Street and number", "", 80),
    ("city", "Town", "", 60),
    ("postcode", "Postcode", "", 12),
)
"""Name, words, example, longest."""
_EXPIRY = re.compile(r"(0[1-9]|1[0-2])\s*/\s*(\d\d)")


def address_of(sent: Mapping[str, str], number: int) -> tuple[PostalAddress, dict[str, str]]:
    """The address that a form holds.

    Args:
        sent: The form's fields.
        number: What the address will be known by.

    Returns:
        The address, and what is wrong with it by field; nothing if it can be used.
    """
    values = {name: " ".join(sent.get(name, "").split()) for name, *_ in ADDRESS_FIELDS}
    problems = {name: "Please fill this in." for name, value in values.items() if not value}
    problems |= {
        name: f"At most {longest} characters." for name, _, _, longest in ADDRESS_FIELDS if len(values[name]) > longest
    }
    country = sent.get("country", "")
    if country not in COUNTRIES:
        problems["country"] = "Please choose a country."
    return PostalAddress(number=number, country=country, **values), problems


def card_of(sent: Mapping[str, str], today: date) -> tuple[str, dict[str, str]]:
    """The card that a form holds, as an order keeps it: by its last four digits.

    Args:
        sent: The form's fields.
        today: Until when it has to be valid at least.

    Returns:
        The words for the card, and what is wrong with it by field; nothing if it can be used.
    """
    problems = {}
    number = re.sub(r"[\s-]", "", sent.get("card_number", ""))
    if not (number.isascii() and number.isdecimal() and len(number) == 16 and _sums_up(number)):
        problems["card_number"] = "This is no number of a card: it has 16 digits."
    if not sent.get("card_name", "").strip():
        problems["card_name"] = "Please enter the name on the card."
    expiry = _EXPIRY.fullmatch(sent.get("card_expiry", "").strip())
    if expiry is None:
        problems["card_expiry"] = "Write month and year like 09/28."
    elif (2000 + int(expiry[2]), int(expiry[1])) < (today.year, today.month):
        problems["card_expiry"] = "This card is not valid any more."
    code = sent.get("card_code", "").strip()
    if not (code.isascii() and code.isdecimal() and len(code) == 3):
        problems["card_code"] = "The code has 3 digits."
    return f"Card ending in {number[-4:]}", problems


def _sums_up(number: str) -> bool:
    """Whether the check digit fits (Luhn)."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number)))
    return sum(value // 10 + value % 10 for value in doubled) % 10 == 0

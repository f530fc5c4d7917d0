"""Receipt transcription: a scanned receipt; the worker adds one row of inputs per item bought."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts
from tasks._generator.scans import scan

NAME = "Receipt transcription"

CURRENCIES = ("EUR", "GBP", "JPY", "SEK", "TRY", "USD")
RECEIPTS_A_SHOP = 3
MOST_ITEMS = 6
_FIRST_DAY = date(2023, 1, 2)
# Fixed, since strftime would follow the machine's language.
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# fmt: off
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)
# fmt: on


@dataclass(frozen=True)
class Receipt:
    """What was bought.

    Attributes:
        shop: the shop, as the texts describe it.
        day: the date of the purchase.
        items: name and price in hundredths.
        cash: hundredths handed over; 0 if a card was used.
    """

    shop: dict[str, Any]
    day: date
    items: list[tuple[str, int]]
    cash: int

    @property
    def total(self) -> int:
        """The sum to pay, in hundredths."""
        return sum(price for _, price in self.items)


@cache
def _receipts() -> list[Receipt]:
    rng = random.Random(f"{NAME}, receipts")
    return [_receipt(shop, rng) for _ in range(RECEIPTS_A_SHOP) for shop in texts("receipt_transcription")]


def files() -> dict[str, bytes]:
    """Scan the receipts."""
    rng = random.Random(f"{NAME}, scans")
    return {
        f"media/{number:02d}.jpg": scan(_printed(receipt, rng), number, rng)
        for number, receipt in enumerate(_receipts(), 1)
    }


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: a worker who leaves out a line puts the others where they belong all the same."""
    return [
        crowd.made(
            {"picture": f"{number:02d}"}, lambda worker, receipt=receipt: _answers(receipt, worker), _truth(receipt)
        )
        for number, receipt in enumerate(_receipts(), 1)
    ]


def _receipt(shop: dict[str, Any], rng: random.Random) -> Receipt:
    goods = rng.sample(shop["goods"], rng.randint(1, MOST_ITEMS))
    items = [(name, round(price * 100)) for name, price in goods]
    total = sum(price for _, price in items)
    note = 100000 if total > 10000 else 2000
    cash = (total // note + 1) * note if rng.random() < 0.4 else 0
    return Receipt(shop, _FIRST_DAY + timedelta(days=rng.randrange(800)), items, cash)


def _printed(receipt: Receipt, rng: random.Random) -> list[list[str]]:
    shop = receipt.shop
    total, tax, card, cash, change = shop["words"]
    lines = [
        ["head", shop["shop"]],
        ["middle", shop["address"]],
        ["middle", f"Till {rng.randint(1, 9)} / {rng.randint(1000, 9999)}"],
        ["rule"],
        *(["line", name.upper(), _money(price, shop)] for name, price in receipt.items),
        ["rule"],
        ["bold", total, f"{shop['sign']} {_money(receipt.total, shop)}"],
        ["line", tax, _money(receipt.total // 6, shop)],
        ["line", cash if receipt.cash else card, _money(receipt.cash or receipt.total, shop)],
    ]
    if receipt.cash:
        lines.append(["line", change, _money(receipt.cash - receipt.total, shop)])
    hour = f"{rng.randint(8, 19)}:{rng.randint(0, 59):02d}"
    lines += [["rule"], ["line", _day(receipt.day, shop["stamp"]), hour], ["middle", shop["greeting"]]]
    return lines


def _money(hundredths: int, shop: dict[str, Any]) -> str:
    text = f"{hundredths // 100}" if "whole" in shop else f"{hundredths / 100:.2f}"
    return text.replace(".", ",") if "comma" in shop else text


def _day(day: date, stamp: str) -> str:
    month = _MONTHS[day.month - 1]
    names = {"%A": _DAYS[day.weekday()], "%B": month, "%b": month[:3]}
    numbers = {"%d": f"{day.day:02d}", "%m": f"{day.month:02d}", "%Y": str(day.year)}
    for code, text in (names | numbers).items():
        stamp = stamp.replace(code, text)
    return stamp


def _truth(receipt: Receipt) -> dict[str, str]:
    right = {
        "shop": receipt.shop["shop"],
        "date": receipt.day.isoformat(),
        "total": _number(receipt.total),
        "currency": receipt.shop["currency"],
        "paid-by": "cash" if receipt.cash else "card",
    }
    bought = [*receipt.items, *([("", 0)] * (MOST_ITEMS - len(receipt.items)))]
    for number, (name, price) in enumerate(bought, 1):
        right |= {f"item-{number}-name": name, f"item-{number}-price": _number(price) if name else ""}
    return right


def _answers(receipt: Receipt, worker: Worker) -> dict[str, str]:
    name = receipt.shop["shop"]
    right = receipt.shop["currency"]
    answers = {
        "shop": worker.copy((name, name, name.upper()), 0.1),
        "date": worker.choose(receipt.day.isoformat(), _misread(receipt.day), 0.2),
        "total": worker.choose(
            _number(receipt.total),
            [_number(receipt.total), _number(receipt.cash or receipt.total // 6)],
            0.12,
        ),
        "currency": worker.choose(right, CURRENCIES, 0.2, ("EUR", "USD")),
        "paid-by": worker.choose("cash" if receipt.cash else "card", ("card", "cash"), 0.2),
    }
    for number in range(1, MOST_ITEMS + 1):
        bought = number <= len(receipt.items)
        # Leaving out a line does not move those below it: a worker skips a row that is there.
        copied = bought and not worker.skips(0.08)
        name, price = receipt.items[number - 1] if bought else ("", 0)
        answers[f"item-{number}-name"] = worker.copy((name, name, name.upper()), 0.1) if copied else ""
        answers[f"item-{number}-price"] = _number(price) if copied else ""
    return answers


def _misread(day: date) -> list[str]:
    swapped = day.replace(month=day.day, day=day.month) if day.day <= 12 else day - timedelta(days=1)
    return [day.isoformat(), swapped.isoformat()]


def _number(hundredths: int) -> str:
    # As a number field holds it after a person typed it the short way: 12.5, 880.
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")

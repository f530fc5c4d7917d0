"""What there is to sell, as rows: those that the shop always has, and those that a seed makes.

``fixed_goods.csv`` has all goods of its kinds: a seed adds goods of other kinds only (``made_kinds.csv``), so that "the
cheapest rain jacket" is the same with every seed, and tasks can count on names, prices and ratings.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

_HERE = Path(__file__).parent
A_KIND = 6
"""Goods that a seed makes of each of its kinds."""
_BRANDS = ("Brookfield", "Osterby", "Linden", "Tidewell", "Morrow", "Halden", "Fernley", "Cobalt & Co", "Ashgrove")
_SERIES = ("Classic", "Plus", "Studio", "Home", "Atlas", "Nova", "Heritage", "Eco")
_FEATURES = (
    "Made to last; five years of guarantee",
    "Packed without plastic",
    "Easy to clean",
    "Designed in a small studio; made in small batches",
    "Spare parts can be ordered for ten years",
    "Comes with a bag to keep it in",
)


@dataclass(frozen=True, kw_only=True)
class StockRow:
    """One of the goods: the price in cents, the rating from 1 to 5, lists in words with commas between them."""

    category: str
    kind: str
    name: str
    brand: str
    price: int
    rating: float
    colours: str
    sizes: str
    features: str


def stock(seed: int) -> list[StockRow]:
    """All rows of a seed; no two have the same name."""
    chance = Random(f"goods {seed}")  # noqa: S311 - the same for the same seed is the point
    made = [row for kind in _table("made_kinds.csv") for row in _of_kind(kind, chance)]
    return [*_fixed(), *made]


@cache
def fixed_kinds() -> frozenset[str]:
    """The kinds whose goods no seed changes."""
    return frozenset(row.kind for row in _fixed())


def _fixed() -> list[StockRow]:
    rows = []
    for row in _table("fixed_goods.csv"):
        price, rating = int(row["price"]), float(row["rating"])
        rows.append(StockRow(**(row | {"price": price, "rating": rating})))  # type: ignore[arg-type]
    return rows


def _of_kind(kind: dict[str, str], chance: Random) -> list[StockRow]:
    looks = kind["looks"].split(", ")
    rows = []
    for look, series in chance.sample([(look, series) for look in looks for series in _SERIES], A_KIND):
        brand = chance.choice(_BRANDS)
        row = StockRow(
            category=kind["category"],
            kind=kind["kind"],
            name=f"{brand} {look} {kind['thing']} {series}",
            brand=brand,
            price=chance.randint(int(kind["least"]), int(kind["most"])) * 100 - chance.choice((10, 5, 1, 50)),
            rating=chance.randint(30, 49) / 10,
            colours=kind["colours"],
            sizes="",
            features="; ".join(chance.sample(_FEATURES, 2)),
        )
        rows.append(row)
    return rows


def _table(name: str) -> list[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))

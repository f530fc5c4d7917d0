"""What the shop sells: the goods of a seed, made once a process and shared by all episodes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random

from turkle_app.sites.shop.stock import StockRow, stock

CATEGORIES = {
    "kitchen": "Kitchen",
    "bedroom": "Bedroom",
    "office": "Office",
    "outdoor": "Outdoor",
    "clothing": "Clothing",
    "audio": "Audio",
    "toys": "Toys & Games",
    "garden": "Garden",
}
"""Slug -> name."""
_NO_WORD = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"[a-z0-9.]+")
_OPINIONS = (
    ("Just what I was looking for", "It does what it should, and it looks good doing it."),
    ("Good value", "There are dearer ones that are not better."),
    ("Happy so far", "In use every day for three months, and no complaint yet."),
    ("Smaller than I thought", "Look at the measures before you order."),
    ("A present", "They liked it, so I do, too."),
    ("Came quickly", "Two days from the order to the door. Well packed."),
    ("Not for me", "Well made, but I sent it back: the colour is not that of the picture."),
)


@dataclass(frozen=True, kw_only=True)
class CustomerReview:
    """What a customer wrote of a product."""

    author: str
    stars: int
    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Product:
    """One of the goods.

    Attributes:
        slug: Names it in addresses.
        price: In cents.
        rating: Stars in the mean, from 1 to 5.
        rated: By how many.
        colours: To choose from; none if there is no choice.
        sizes: Likewise.
        features: In words.
        reviews: Some of those who rated it.
    """

    slug: str
    name: str
    brand: str
    category: str
    kind: str
    price: int
    rating: float
    rated: int
    colours: tuple[str, ...]
    sizes: tuple[str, ...]
    features: tuple[str, ...]
    reviews: tuple[CustomerReview, ...]

    @property
    def category_name(self) -> str:
        """As people read it."""
        return CATEGORIES[self.category]

    @cached_property
    def hue(self) -> int:
        """Of its picture, in degrees."""
        return sum(map(ord, self.slug)) * 37 % 360

    @cached_property
    def searched(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The words by which it is found, and how much each counts; those of the name count most."""
        texts = (
            (8, self.name),
            (5, self.kind),
            (3, self.brand),
            (2, " ".join(self.colours)),
            (1, f"{self.category_name} {' '.join(self.features)}"),
        )
        return tuple((weight, tuple(words_of(text))) for weight, text in texts)

    @property
    def stars(self) -> str:
        """Its rating in five characters."""
        return "★★★★★☆☆☆☆☆"[5 - round(self.rating) : 10 - round(self.rating)]


@dataclass(frozen=True)
class Assortment:
    """All goods of a seed.

    Attributes:
        goods: In the order in which the shop shows them of itself.
        by_slug: The same by their slugs.
    """

    goods: tuple[Product, ...]
    by_slug: Mapping[str, Product]


@lru_cache(maxsize=8)
def assortment(seed: int) -> Assortment:
    """The goods of a seed: about 160, a third of which are the same for all seeds."""
    chance = Random(f"shown {seed}")  # noqa: S311 - the same for the same seed is the point
    goods = [_product(row, chance) for row in stock(seed)]
    chance.shuffle(goods)
    return Assortment(tuple(goods), {product.slug: product for product in goods})


def words_of(text: str) -> list[str]:
    """The words of a text in small letters."""
    return _WORD.findall(text.lower())


def slug_of(name: str) -> str:
    """A name as a part of an address."""
    return _NO_WORD.sub("-", name.lower().replace("'", "")).strip("-")


def _product(row: StockRow, chance: Random) -> Product:
    return Product(
        slug=slug_of(row.name),
        name=row.name,
        brand=row.brand,
        category=row.category,
        kind=row.kind,
        price=row.price,
        rating=row.rating,
        rated=chance.randint(6, 480),
        colours=tuple(row.colours.split(", ")) if row.colours else (),
        sizes=tuple(row.sizes.split(", ")) if row.sizes else (),
        features=tuple(feature[:1].upper() + feature[1:] for feature in row.features.split("; ")),
        reviews=_reviews(row.rating, chance),
    )


def _reviews(rating: float, chance: Random) -> tuple[CustomerReview, ...]:
    found = []
    for title, text in chance.sample(_OPINIONS, 3):
        stars = min(5, max(1, round(rating + chance.uniform(-1.2, 0.9))))
        author = f"{chance.choice('ABCDEFGHJKLMNPRSTVW')}. {chance.choice('BCDFGHKLMPRSTW')}."
        found.append(CustomerReview(author=author, stars=stars, title=title, text=text))
    return tuple(found)

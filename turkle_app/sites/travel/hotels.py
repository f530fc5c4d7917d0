"""The hotels of a city, their rooms and what they offer: made from the seed alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from turkle_app.sites.travel.destinations import BY_CODE

AMENITIES = ("Breakfast", "Gym", "Parking", "Pets allowed", "Pool", "Spa", "Wi-Fi")
ROOMS = {"Single": (1, 0.8), "Double": (2, 1.0), "Family": (4, 1.55), "Suite": (2, 2.1)}
"""Kind of room -> guests it holds, and by what the price of a double is multiplied."""
_KINDS = ("Hotel", "The", "Casa", "Villa", "Hotel", "Guesthouse")
_NAMES = (
    "Almond Court", "Amber Gate", "Blue Anchor", "Cedar Yard", "Copper Lantern", "Elm Terrace", "Fountain",
    "Garden Wall", "Harbour Light", "Juniper", "Linden", "Marigold", "Meridian", "North Star", "Old Mint", "Orchard",
    "Painted Door", "Quiet Corner", "River Stone", "Saffron", "Silver Birch", "Station Square", "Swan", "Tall Windows",
    "White Heron",
)  # fmt: skip
_QUARTERS = ("Old Town", "Riverside", "Station Quarter", "University", "Harbour", "Gardens")


@dataclass(frozen=True, kw_only=True)
class Hotel:
    """A hotel.

    Attributes:
        slug: Names it in addresses: the city's code and a number.
        name: What it is called.
        city: Code of the destination.
        quarter: The part of the city.
        stars: From 2 to 5.
        rating: What guests say, from 0 to 10.
        reviews: How many said it.
        kilometres: To the middle of the city.
        amenities: What it offers.
        free_cancellation: Whether a room can be given back without a cost.
        cents: What a night in a double costs, in euro cents.
    """

    slug: str
    name: str
    city: str
    quarter: str
    stars: int
    rating: float
    reviews: int
    kilometres: float
    amenities: tuple[str, ...]
    free_cancellation: bool
    cents: int

    def cents_of(self, room: str) -> int:
        """Return what a night in a kind of room costs, in euro cents."""
        return round(self.cents * ROOMS[room][1] / 100) * 100


@lru_cache(maxsize=128)
def hotels_of(seed: int, city: str) -> tuple[Hotel, ...]:
    """Return the hotels of a city in the order of the portal's liking.

    Three at least have four stars or more, a pool and breakfast, and can be cancelled; no two have one price.
    """
    chance = random.Random(f"hotels {seed} {city}")  # noqa: S311 - made up, nothing secret
    names = chance.sample(_NAMES, chance.randint(12, 17))
    taken: set[int] = set()
    made = []
    for place, name in enumerate(names):
        stars = chance.choice((4, 5)) if place < 3 else chance.choice((2, 3, 3, 4, 5))
        cents = round(2_900 * stars * chance.uniform(0.7, 1.5) / 100) * 100
        while cents in taken:
            cents += 100
        taken.add(cents)
        offered = {amenity for amenity in AMENITIES if chance.random() < 0.3 + 0.08 * stars}
        offered |= {"Pool", "Breakfast"} if place < 3 else set()
        made.append(
            Hotel(
                slug=f"{city.lower()}-{chance.randint(10, 99)}{place:02}",
                name=f"{chance.choice(_KINDS)} {name}",
                city=city,
                quarter=chance.choice(_QUARTERS),
                stars=stars,
                rating=round(min(9.7, 5.2 + 0.7 * stars + chance.uniform(0, 1.6)), 1),
                reviews=chance.randint(40, 2_400),
                kilometres=round(chance.uniform(0.2, 6.5), 1),
                amenities=tuple(sorted(offered)),
                free_cancellation=place < 3 or chance.random() < 0.45,
                cents=cents,
            )
        )
    chance.shuffle(made)
    return tuple(made)


def hotel_of(seed: int, slug: str) -> Hotel | None:
    """Return the hotel that an address names, None if there is none."""
    city = slug.partition("-")[0].upper()
    if city not in BY_CODE:
        return None
    return next((hotel for hotel in hotels_of(seed, city) if hotel.slug == slug), None)


_CLASSES: dict[str, Callable[[Hotel], bool]] = {
    "any": lambda _: True,
    "four_stars": lambda hotel: hotel.stars >= 4,
    "four_stars_pool": lambda hotel: hotel.stars >= 4 and "Pool" in hotel.amenities,
    "four_stars_free_cancellation": lambda hotel: hotel.stars >= 4 and hotel.free_cancellation,
    "pets": lambda hotel: "Pets allowed" in hotel.amenities,
}


def cheaper_hotels(seed: int, chosen: Hotel) -> dict[str, int]:
    """Return how many hotels of its city are cheaper than one, of several classes.

    So a condition can say that the cheapest of a class was taken, whatever the seed.
    """
    rivals = [hotel for hotel in hotels_of(seed, chosen.city) if hotel.cents < chosen.cents]
    return {name: sum(belongs(hotel) for hotel in rivals) for name, belongs in _CLASSES.items()}

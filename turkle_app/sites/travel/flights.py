"""The flights of a route and a day: made from the seed alone, whenever they are asked for."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import cycle, pairwise

from turkle_app.sites.travel.destinations import BY_CODE, HUBS, Destination, distance_km

AIRLINES = ("Fernwing", "Halcyon Air", "Norrvik", "Palisade Airways", "Tern & Sons")
CABINS = {"economy": 1.0, "premium": 1.6, "business": 2.9}
"""Cabin -> by what the price of economy is multiplied."""
PARTS_OF_DAY = {"night": (0, 6), "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24)}
"""Part of the day -> the hour from which and the hour before which it departs."""


@dataclass(frozen=True, kw_only=True)
class Flight:
    """One way from one destination to another.

    Attributes:
        offer: Names it: route, day and a number, as it stands in addresses.
        airline: Who flies.
        number: Of the flight.
        origin: Code of where it departs.
        destination: Code of where it arrives.
        day: When it departs.
        departs: Minutes after midnight, where it departs.
        minutes: How long it takes.
        via: Codes of where it stops.
        cents: What a seat in economy costs, in euro cents.
        seats_left: How many can still be had.
    """

    offer: str
    airline: str
    number: str
    origin: str
    destination: str
    day: date
    departs: int
    minutes: int
    via: tuple[str, ...]
    cents: int
    seats_left: int

    @property
    def stops(self) -> int:
        """How often it stops."""
        return len(self.via)

    @property
    def arrives(self) -> int:
        """Minutes after midnight of the day on which it departs; clocks are not set on the way."""
        return self.departs + self.minutes

    @property
    def part_of_day(self) -> str:
        """The name in ``PARTS_OF_DAY`` of when it departs."""
        return next(name for name, (first, end) in PARTS_OF_DAY.items() if first * 60 <= self.departs < end * 60)

    def cents_in(self, cabin: str) -> int:
        """Return what a seat in a cabin costs, in euro cents."""
        return round(self.cents * CABINS[cabin] / 100) * 100


@lru_cache(maxsize=256)
def flights_of(seed: int, origin: str, destination: str, day: date) -> tuple[Flight, ...]:
    """Return the flights of a route and a day by the time at which they depart.

    There are non-stop ones in the morning, the afternoon and the evening, two of each, and no two of one price.

    Args:
        seed: Of the portal's data.
        origin: Code of where they depart.
        destination: Code of where they arrive.
        day: When they depart.
    """
    chance = random.Random(f"flights {seed} {origin} {destination} {day}")  # noqa: S311 - made up, nothing secret
    kilometres = distance_km(BY_CODE[origin], BY_CODE[destination])
    usual = 3_900 + kilometres * 6.5 * chance.uniform(0.85, 1.15)
    kinds = [(part, 0) for part in ("morning", "afternoon", "evening") * 2]
    kinds += [(chance.choice(tuple(PARTS_OF_DAY)), 1 + (chance.random() < 0.3)) for _ in range(chance.randint(5, 9))]
    numbers = chance.sample(range(1, 40), len(kinds))
    taken: set[int] = set()
    made = []
    for (part, stops), number in zip(kinds, numbers, strict=True):
        cents = round(usual * chance.uniform(0.7, 1.6) * (1 - 0.12 * stops) / 100) * 100
        while cents in taken:
            cents += 100
        taken.add(cents)
        made.append(_flight(chance, (BY_CODE[origin], BY_CODE[destination], day), (part, stops), number, cents))
    return tuple(sorted(made, key=lambda flight: (flight.departs, flight.offer)))


def _flight(
    chance: random.Random,
    route: tuple[Destination, Destination, date],
    kind: tuple[str, int],
    number: int,
    cents: int,
) -> Flight:
    origin, destination, day = route
    first, end = PARTS_OF_DAY[kind[0]]
    hubs = [BY_CODE[hub] for hub in HUBS if hub not in {origin.code, destination.code}]
    near = sorted(hubs, key=lambda hub: distance_km(origin, hub) + distance_km(hub, destination))[:3]
    stops = sorted(chance.sample(near, kind[1]), key=lambda hub: distance_km(origin, hub))
    via = tuple(hub.code for hub in stops)
    ways = [origin, *stops, destination]
    flown = sum(distance_km(one, other) for one, other in pairwise(ways))
    waits = sum(chance.randrange(50, 260, 5) for _ in via)
    airline = chance.choice(AIRLINES)
    return Flight(
        offer=f"{origin.code}-{destination.code}-{day:%Y%m%d}-{number}",
        airline=airline,
        number=f"{airline[:2].upper()} {chance.randint(100, 989)}",
        origin=origin.code,
        destination=destination.code,
        day=day,
        departs=chance.randrange(first * 60, end * 60, 5),
        minutes=round((35 * (1 + len(via)) + flown / 13.5 + waits) / 5) * 5,
        via=via,
        cents=cents,
        seats_left=chance.choice((2, 4, 5, 9, 9, 9)),
    )


def flight_of(seed: int, offer: str) -> Flight | None:
    """Return the flight that an offer names, None if there is none."""
    parts = offer.split("-")
    if len(parts) != 4 or parts[0] not in BY_CODE or parts[1] not in BY_CODE or parts[0] == parts[1]:
        return None
    try:
        day = date.fromisoformat(parts[2])
    except ValueError:
        return None
    return next((flight for flight in flights_of(seed, parts[0], parts[1], day) if flight.offer == offer), None)


def cheaper(seed: int, chosen: Flight) -> dict[str, int]:
    """Return how many flights of the same route and day are cheaper, of all and of those that are like it.

    So a condition can say that the cheapest was taken, whatever the seed.
    """
    rivals = [
        flight
        for flight in flights_of(seed, chosen.origin, chosen.destination, chosen.day)
        if flight.cents < chosen.cents
    ]
    alike = [flight for flight in rivals if flight.part_of_day == chosen.part_of_day]
    return {
        "any": len(rivals),
        "nonstop": sum(not flight.stops for flight in rivals),
        "same_part_of_day": len(alike),
        "nonstop_same_part_of_day": sum(not flight.stops for flight in alike),
    }


_COLOURS = dict(zip(AIRLINES, cycle(("#0f766e", "#b45309", "#1d4ed8", "#7c3aed", "#be123c")), strict=False))


def colour_of(airline: str) -> str:
    """Return the colour of an airline's mark, as CSS writes it."""
    return _COLOURS[airline]

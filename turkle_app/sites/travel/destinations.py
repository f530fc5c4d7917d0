"""Where one can go: cities with the codes of their airports, some of them of one name or nearly so."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass

_EARTH_RADIUS_KM = 6371.0


@dataclass(frozen=True)
class Destination:
    """A city with one airport.

    Attributes:
        code: Of its airport; three capital letters.
        name: Of the city.
        region: The country, after the state or province where that tells it from a city of the same name.
        latitude: Degrees north.
        longitude: Degrees east.
    """

    code: str
    name: str
    region: str
    latitude: float
    longitude: float

    @property
    def label(self) -> str:
        """As it is written into the fields of a search, e.g. ``Lisbon (LIS)``."""
        return f"{self.name} ({self.code})"

    @property
    def full_name(self) -> str:
        """With its region, e.g. ``San José, Costa Rica``."""
        return f"{self.name}, {self.region}"


DESTINATIONS: tuple[Destination, ...] = tuple(
    Destination(*row)
    for row in (
        ("AMS", "Amsterdam", "Netherlands", 52.3, 4.8),
        ("ATH", "Athens", "Greece", 37.9, 23.9),
        ("AHN", "Athens", "Georgia, United States", 33.9, -83.3),
        ("BCN", "Barcelona", "Spain", 41.3, 2.1),
        ("BLA", "Barcelona", "Venezuela", 10.1, -64.7),
        ("BGO", "Bergen", "Norway", 60.3, 5.2),
        ("BER", "Berlin", "Germany", 52.4, 13.5),
        ("BHX", "Birmingham", "United Kingdom", 52.5, -1.7),
        ("BHM", "Birmingham", "Alabama, United States", 33.6, -86.8),
        ("BRU", "Brussels", "Belgium", 50.9, 4.5),
        ("BUH", "Bucharest", "Romania", 44.6, 26.1),
        ("BUD", "Budapest", "Hungary", 47.4, 19.3),
        ("CPH", "Copenhagen", "Denmark", 55.6, 12.7),
        ("ODB", "Córdoba", "Spain", 37.8, -4.8),
        ("COR", "Córdoba", "Argentina", -31.3, -64.2),
        ("DUB", "Dublin", "Ireland", 53.4, -6.3),
        ("GVA", "Geneva", "Switzerland", 46.2, 6.1),
        ("GOA", "Genoa", "Italy", 44.4, 8.8),
        ("GRX", "Granada", "Spain", 37.2, -3.8),
        ("MGA", "Granada", "Nicaragua", 12.0, -86.0),
        ("HEL", "Helsinki", "Finland", 60.3, 25.0),
        ("IST", "Istanbul", "Türkiye", 41.3, 28.7),
        ("LIS", "Lisbon", "Portugal", 38.8, -9.1),
        ("LON", "London", "United Kingdom", 51.5, -0.5),
        ("YXU", "London", "Ontario, Canada", 43.0, -81.2),
        ("MAN", "Manchester", "United Kingdom", 53.4, -2.3),
        ("MHT", "Manchester", "New Hampshire, United States", 42.9, -71.4),
        ("MEL", "Melbourne", "Australia", -37.7, 144.8),
        ("MLB", "Melbourne", "Florida, United States", 28.1, -80.6),
        ("NYC", "New York", "United States", 40.6, -73.8),
        ("OSL", "Oslo", "Norway", 60.2, 11.1),
        ("PAR", "Paris", "France", 49.0, 2.5),
        ("PDX", "Portland", "Oregon, United States", 45.6, -122.6),
        ("PWM", "Portland", "Maine, United States", 43.6, -70.3),
        ("OPO", "Porto", "Portugal", 41.2, -8.7),
        ("POA", "Porto Alegre", "Brazil", -30.0, -51.2),
        ("PRG", "Prague", "Czechia", 50.1, 14.3),
        ("ROM", "Rome", "Italy", 41.8, 12.3),
        ("SJC", "San Jose", "California, United States", 37.4, -121.9),
        ("SJO", "San José", "Costa Rica", 10.0, -84.2),
        ("SCL", "Santiago", "Chile", -33.4, -70.8),
        ("SCQ", "Santiago de Compostela", "Spain", 42.9, -8.4),
        ("SIN", "Singapore", "Singapore", 1.4, 104.0),
        ("STO", "Stockholm", "Sweden", 59.7, 17.9),
        ("SYD", "Sydney", "Australia", -33.9, 151.2),
        ("YQY", "Sydney", "Nova Scotia, Canada", 46.2, -60.0),
        ("TYO", "Tokyo", "Japan", 35.6, 139.8),
        ("VLC", "Valencia", "Spain", 39.5, -0.5),
        ("VLN", "Valencia", "Venezuela", 10.1, -67.9),
        ("VCE", "Venice", "Italy", 45.5, 12.4),
        ("VIE", "Vienna", "Austria", 48.1, 16.6),
        ("WAW", "Warsaw", "Poland", 52.2, 21.0),
    )
)
BY_CODE: dict[str, Destination] = {destination.code: destination for destination in DESTINATIONS}
HUBS = ("AMS", "IST", "LON", "NYC", "PAR", "SIN")
"""Where flights with a stop have it."""


def plain(text: str) -> str:
    """Return a text as it is searched for: small letters, without accents and without space at its ends."""
    decomposed = unicodedata.normalize("NFD", text)
    return " ".join("".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold().split())


def suggestions(query: str, most: int = 8) -> list[Destination]:
    """Return the destinations that a person may mean who has typed so much, the likeliest first.

    Args:
        query: What was typed: the beginning of a word of the name or of the region, or a code.
        most: How many are returned at most.
    """
    wanted = plain(query)
    if not wanted:
        return []
    ranked = [(rank, place) for place in DESTINATIONS if (rank := _rank(place, wanted)) is not None]
    return [place for _, place in sorted(ranked, key=lambda pair: (pair[0], pair[1].name, pair[1].region))][:most]


def _rank(place: Destination, wanted: str) -> int | None:
    name, full_name = plain(place.name), plain(place.full_name)
    if wanted in {place.code.casefold(), plain(place.label)}:
        return 0
    if name.startswith(wanted):
        return 1
    starts = any(f" {part}".startswith(f" {wanted}") for part in _tails(full_name))
    return 2 if starts else None


def _tails(text: str) -> list[str]:
    words = text.replace(",", "").split()
    return [" ".join(words[first:]) for first in range(len(words))] + [text]


def meant(text: str) -> list[Destination]:
    """Return what a text names: one destination if it is clear, several if it fits several, none if unknown.

    A code, the label and the full name are clear; a name is if no other city has it.
    """
    wanted = plain(text)
    for place in DESTINATIONS:
        if wanted in {place.code.casefold(), plain(place.label), plain(place.full_name)}:
            return [place]
    return [place for place in DESTINATIONS if plain(place.name) == wanted]


def distance_km(one: Destination, other: Destination) -> float:
    """Return the length of the shortest way over the globe between two destinations, in kilometres."""
    north, north_too = math.radians(one.latitude), math.radians(other.latitude)
    half_east = math.radians(other.longitude - one.longitude) / 2
    half_north = (north_too - north) / 2
    chord = math.sin(half_north) ** 2 + math.cos(north) * math.cos(north_too) * math.sin(half_east) ** 2
    return 2 * _EARTH_RADIUS_KM * math.asin(math.sqrt(chord))

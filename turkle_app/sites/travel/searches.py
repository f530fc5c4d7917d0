"""What was searched for: read from an address, written into one, and applied to what there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from urllib.parse import urlencode

from django.http import QueryDict

from turkle_app.sites.travel.calendar_clock import last_day, read_date
from turkle_app.sites.travel.destinations import Destination, meant
from turkle_app.sites.travel.flights import AIRLINES, CABINS, Flight
from turkle_app.sites.travel.hotels import AMENITIES, Hotel

FLIGHT_ORDERS = {"best": "Best", "price": "Cheapest first", "duration": "Fastest first", "departure": "Earliest first"}
HOTEL_ORDERS = {
    "liking": "Our picks",
    "price": "Lowest price",
    "rating": "Guest rating",
    "stars": "Most stars",
    "distance": "Nearest",
}
MOST_PEOPLE = 6
MOST_NIGHTS = 30


@dataclass(frozen=True)
class ReadSearch:
    """What could be read of an address.

    Attributes:
        search: What was searched for; None if that is not clear.
        problems: Field -> what is wrong with what it says.
        unclear: Field -> the destinations that it may mean, where there are several.
    """

    search: FlightSearch | StaySearch | None
    problems: Mapping[str, str] = field(default_factory=dict)
    unclear: Mapping[str, list[Destination]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FlightSearch:
    """A search for flights.

    Attributes:
        origin: Where from.
        destination: Where to.
        depart: On which day.
        back: On which day back; None for one way.
        adults: How many fly.
        cabin: A key of ``CABINS``.
        most_stops: Filter: so many stops at most; None for any number.
        most_euros: Filter: what one seat costs at most; None for any price.
        hours: Filter: departs from this hour and before that one.
        airlines: Filter: who flies; none for all.
        order: A key of ``FLIGHT_ORDERS``.
    """

    origin: Destination
    destination: Destination
    depart: date
    back: date | None = None
    adults: int = 1
    cabin: str = "economy"
    most_stops: int | None = None
    most_euros: int | None = None
    hours: tuple[int, int] = (0, 24)
    airlines: tuple[str, ...] = ()
    order: str = "best"

    @property
    def query(self) -> str:
        """As it stands in an address, without what was left open."""
        pairs = [("from", self.origin.code), ("to", self.destination.code), ("depart", self.depart.isoformat())]
        pairs += [("return", self.back.isoformat())] if self.back else []
        pairs += [("adults", str(self.adults)), ("cabin", self.cabin)]
        pairs += [("stops", str(self.most_stops))] if self.most_stops is not None else []
        pairs += [("max_price", str(self.most_euros))] if self.most_euros is not None else []
        pairs += [("leave_from", str(self.hours[0]))] if self.hours[0] else []
        pairs += [("leave_before", str(self.hours[1]))] if self.hours[1] < 24 else []
        pairs += [("airline", airline) for airline in self.airlines]
        pairs += [("sort", self.order)] if self.order != "best" else []
        return urlencode(pairs)

    def found(self, flights: Iterable[Flight]) -> list[Flight]:
        """Return those of the flights that pass the filters, in the order that was asked for."""
        passed = [flight for flight in flights if self._passes(flight)]
        orders = {
            "best": lambda flight: flight.cents_in(self.cabin) + 60 * flight.minutes + 4_000 * flight.stops,
            "price": lambda flight: flight.cents,
            "duration": lambda flight: flight.minutes,
            "departure": lambda flight: flight.departs,
        }
        return sorted(passed, key=orders[self.order])

    def _passes(self, flight: Flight) -> bool:
        first, end = self.hours
        return (
            (self.most_stops is None or flight.stops <= self.most_stops)
            and (self.most_euros is None or flight.cents_in(self.cabin) <= self.most_euros * 100)
            and first * 60 <= flight.departs < end * 60
            and (not self.airlines or flight.airline in self.airlines)
        )


@dataclass(frozen=True, kw_only=True)
class StaySearch:
    """A search for hotels.

    Attributes:
        city: Where.
        check_in: The first night.
        check_out: The day after the last.
        guests: How many sleep there.
        least_stars: Filter; 0 for any.
        euros: Filter: what a night costs at least and at most; None for any.
        amenities: Filter: what it has to offer.
        least_rating: Filter; 0 for any.
        cancellable: Filter: whether it has to be free to cancel.
        order: A key of ``HOTEL_ORDERS``.
    """

    city: Destination
    check_in: date
    check_out: date
    guests: int = 2
    least_stars: int = 0
    euros: tuple[int | None, int | None] = (None, None)
    amenities: tuple[str, ...] = ()
    least_rating: int = 0
    cancellable: bool = False
    order: str = "liking"

    @property
    def nights(self) -> int:
        """How many."""
        return (self.check_out - self.check_in).days

    @property
    def stay_query(self) -> str:
        """When and who, as it stands in the address of a hotel."""
        return urlencode(self._stay())

    @property
    def query(self) -> str:
        """As it stands in an address, without what was left open."""
        pairs = [("place", self.city.code), *self._stay()]
        pairs += [("stars", str(self.least_stars))] if self.least_stars else []
        pairs += [(key, str(value)) for key, value in zip(("min_price", "max_price"), self.euros, strict=True) if value]
        pairs += [("rating", str(self.least_rating))] if self.least_rating else []
        pairs += [("with", amenity) for amenity in self.amenities]
        pairs += [("free_cancellation", "on")] if self.cancellable else []
        pairs += [("sort", self.order)] if self.order != "liking" else []
        return urlencode(pairs)

    def _stay(self) -> list[tuple[str, str]]:
        return [
            ("checkin", self.check_in.isoformat()),
            ("checkout", self.check_out.isoformat()),
            ("guests", str(self.guests)),
        ]

    def found(self, hotels: Iterable[Hotel]) -> list[Hotel]:
        """Return those of the hotels that pass the filters, in the order that was asked for."""
        passed = [hotel for hotel in hotels if self._passes(hotel)]
        orders = {
            "liking": lambda _: 0.0,
            "price": lambda hotel: hotel.cents,
            "rating": lambda hotel: -hotel.rating,
            "stars": lambda hotel: -hotel.stars,
            "distance": lambda hotel: hotel.kilometres,
        }
        return sorted(passed, key=orders[self.order])

    def _passes(self, hotel: Hotel) -> bool:
        least, most = self.euros
        return (
            hotel.stars >= self.least_stars
            and (least is None or hotel.cents >= least * 100)
            and (most is None or hotel.cents <= most * 100)
            and hotel.rating >= self.least_rating
            and set(self.amenities) <= set(hotel.amenities)
            and (hotel.free_cancellation or not self.cancellable)
        )


class _Reader:
    """Reads fields one by one and collects what is wrong."""

    def __init__(self, query: QueryDict, today: date) -> None:
        self.query = query
        self.today = today
        self.problems: dict[str, str] = {}
        self.unclear: dict[str, list[Destination]] = {}

    def place(self, key: str, what: str) -> Destination | None:
        text = self.query.get(key, "").strip()
        found = meant(text)
        if len(found) == 1:
            return found[0]
        if found:
            self.unclear[key] = found
        else:
            self.problems[key] = f"We know no place called “{text}”." if text else f"Please enter {what}."
        return None

    def day(self, key: str, what: str, *, after: date | None = None) -> date | None:
        text = self.query.get(key, "").strip()
        found = read_date(text)
        if found is None:
            self.problems[key] = f"“{text}” is not a date: write it as 2031-05-14." if text else f"Please enter {what}."
        elif not self.today <= found <= last_day(self.today):
            self.problems[key] = f"Trips are sold from {self.today} to {last_day(self.today)}."
        elif after is not None and found < after:
            self.problems[key] = f"That is before {after}."
        else:
            return found
        return None

    def number(self, key: str, *, most: int) -> int | None:
        text = self.query.get(key, "").strip()
        return min(int(text), most) if text.isdecimal() and len(text) < 7 else None

    def choice(self, key: str, choices: Iterable[str]) -> str:
        known = list(choices)
        text = self.query.get(key, "")
        return text if text in known else known[0]

    def several(self, key: str, choices: Iterable[str]) -> tuple[str, ...]:
        wanted = set(self.query.getlist(key))
        return tuple(choice for choice in choices if choice in wanted)


def read_flight_search(query: QueryDict, today: date) -> ReadSearch:
    """Return the search for flights that an address or a form says."""
    reader = _Reader(query, today)
    origin, destination = reader.place("from", "where from"), reader.place("to", "where to")
    depart = reader.day("depart", "the day of departure")
    back = reader.day("return", "the day of return", after=depart) if query.get("return", "").strip() else None
    if origin is not None and origin == destination:
        reader.problems["to"] = "Where from and where to are the same."
    if origin is None or destination is None or depart is None or reader.problems:
        return ReadSearch(None, reader.problems, reader.unclear)
    first = reader.number("leave_from", most=23) or 0
    end = reader.number("leave_before", most=24)
    return ReadSearch(
        FlightSearch(
            origin=origin,
            destination=destination,
            depart=depart,
            back=back,
            adults=max(1, reader.number("adults", most=MOST_PEOPLE) or 1),
            cabin=reader.choice("cabin", CABINS),
            most_stops=reader.number("stops", most=9),
            most_euros=reader.number("max_price", most=99_999),
            hours=(first, 24 if end is None else end),
            airlines=reader.several("airline", AIRLINES),
            order=reader.choice("sort", FLIGHT_ORDERS),
        )
    )


def read_stay_search(query: QueryDict, today: date) -> ReadSearch:
    """Return the search for hotels that an address or a form says."""
    reader = _Reader(query, today)
    city = reader.place("place", "where to")
    check_in, check_out = _nights(reader)
    if city is None or check_in is None or check_out is None or reader.problems:
        return ReadSearch(None, reader.problems, reader.unclear)
    return ReadSearch(
        StaySearch(
            city=city,
            check_in=check_in,
            check_out=check_out,
            guests=max(1, reader.number("guests", most=MOST_PEOPLE) or 2),
            least_stars=reader.number("stars", most=5) or 0,
            euros=(reader.number("min_price", most=99_999), reader.number("max_price", most=99_999)),
            amenities=reader.several("with", AMENITIES),
            least_rating=reader.number("rating", most=10) or 0,
            cancellable=query.get("free_cancellation", "") == "on",
            order=reader.choice("sort", HOTEL_ORDERS),
        )
    )


def _nights(reader: _Reader) -> tuple[date | None, date | None]:
    """Return from when to when a room is wanted; None for what is missing, and the reader holds why."""
    check_in = reader.day("checkin", "the day of arrival")
    check_out = reader.day("checkout", "the day of departure", after=check_in and check_in + timedelta(days=1))
    if check_in and check_out and (check_out - check_in).days > MOST_NIGHTS:
        reader.problems["checkout"] = f"A stay has {MOST_NIGHTS} nights at most."
    return check_in, check_out

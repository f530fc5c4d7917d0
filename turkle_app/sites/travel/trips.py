"""A trip: flights or a room that somebody has booked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Literal

from turkle_app.sites.travel.calendar_clock import clock_text
from turkle_app.sites.travel.destinations import BY_CODE
from turkle_app.sites.travel.flights import Flight, cheaper, flights_of
from turkle_app.sites.travel.hotels import Hotel, cheaper_hotels, hotels_of

TripStatus = Literal["confirmed", "completed", "cancelled"]
CANCEL_REASONS = ("Plans changed", "Illness", "Found another offer", "Booked by mistake", "Other")
CHANGE_FEES = {"basic": 4_500, "standard": 1_500, "flex": 0}
"""Fare -> what it costs to fly on another day, in euro cents a person."""
REFUNDS = {"basic": 0.0, "standard": 0.5, "flex": 1.0}
"""Fare -> the part of the price that is paid back when a flight is cancelled."""


@dataclass
class Trip:
    """A trip that was booked.

    Attributes:
        reference: Under which it was.
        flights: The ways there and back; none for a stay.
        hotel: Of a stay; None for flights.
        room: Of a stay: the kind of room.
        cabin: Of flights.
        check_in: Of a stay: the first night.
        check_out: Of a stay: the day after the last.
        guests: Who travels: ``first_name``, ``last_name`` and, of flights, ``birth_date``.
        contact: ``email`` and ``phone``.
        fare: Of flights: ``basic``, ``standard`` or ``flex``.
        extras: What was booked beside, by name.
        cents: What was paid, in euro cents.
        card: The last four digits of the card.
        status: How it stands.
        changes: How often its date was changed.
        reason: Why it was cancelled.
        refund: What was paid back for that, in euro cents.
    """

    reference: str
    flights: tuple[Flight, ...] = ()
    hotel: Hotel | None = None
    room: str = ""
    cabin: str = "economy"
    check_in: date | None = None
    check_out: date | None = None
    guests: list[dict[str, str]] = field(default_factory=list)
    contact: dict[str, str] = field(default_factory=dict)
    fare: str = ""
    extras: dict[str, Any] = field(default_factory=dict)
    cents: int = 0
    card: str = ""
    status: TripStatus = "confirmed"
    changes: int = 0
    reason: str = ""
    refund: int = 0

    @property
    def kind(self) -> str:
        """``flight`` or ``hotel``."""
        return "hotel" if self.hotel else "flight"

    @property
    def begins(self) -> date:
        """Its first day."""
        return self.flights[0].day if self.flights else self._stay[0]

    @property
    def ends(self) -> date:
        """Its last day."""
        return self.flights[-1].day if self.flights else self._stay[1]

    @property
    def nights(self) -> int:
        """Of a stay."""
        return (self._stay[1] - self._stay[0]).days

    @property
    def title(self) -> str:
        """Where to, in words."""
        if self.hotel:
            return f"{self.hotel.name}, {BY_CODE[self.hotel.city].name}"
        return f"{BY_CODE[self.flights[0].origin].name} to {BY_CODE[self.flights[0].destination].name}"

    @property
    def _stay(self) -> tuple[date, date]:
        if self.check_in is None or self.check_out is None:
            raise ValueError(f"Trip {self.reference} is no stay.")
        return self.check_in, self.check_out

    @property
    def change_fee(self) -> int:
        """What another date costs, in euro cents."""
        return 0 if self.hotel else CHANGE_FEES[self.fare] * len(self.guests)

    @property
    def refund_due(self) -> int:
        """What would be paid back if it were cancelled, in euro cents."""
        if self.hotel:
            return self.cents if self.hotel.free_cancellation else 0
        return round(self.cents * REFUNDS[self.fare])

    def move(self, day: date) -> None:
        """Have it begin on another day, for as long as before, at the same time of day."""
        by = day - self.begins
        if self.check_in and self.check_out:
            self.check_in, self.check_out = self.check_in + by, self.check_out + by
        self.flights = tuple(replace(flight, day=flight.day + by) for flight in self.flights)
        self.cents += self.change_fee
        self.changes += 1

    def cancel(self, reason: str) -> None:
        """Give it back."""
        self.status, self.reason, self.refund = "cancelled", reason, self.refund_due

    def told(self, seed: int) -> dict[str, Any]:
        """Return what there is to know of it, for conditions."""
        return {
            "reference": self.reference,
            "kind": self.kind,
            "status": self.status,
            "flights": [_told_flight(seed, flight) for flight in self.flights],
            "cabin": self.cabin if self.flights else "",
            "hotel": _told_hotel(seed, self.hotel) if self.hotel else None,
            "room": self.room,
            "check_in": self.check_in.isoformat() if self.check_in else "",
            "check_out": self.check_out.isoformat() if self.check_out else "",
            "guests": [dict(guest) for guest in self.guests],
            "contact": dict(self.contact),
            "fare": self.fare,
            "extras": dict(self.extras),
            "cents": self.cents,
            "card": self.card,
            "changes": self.changes,
            "reason": self.reason,
            "refund": self.refund,
        }


def _told_flight(seed: int, flight: Flight) -> dict[str, Any]:
    return {
        "number": flight.number,
        "airline": flight.airline,
        "from": flight.origin,
        "to": flight.destination,
        "date": flight.day.isoformat(),
        "departs": clock_text(flight.departs),
        "part_of_day": flight.part_of_day,
        "stops": flight.stops,
        "cents": flight.cents,
        "cheaper": cheaper(seed, flight),
    }


def _told_hotel(seed: int, hotel: Hotel) -> dict[str, Any]:
    return {
        "slug": hotel.slug,
        "name": hotel.name,
        "city": hotel.city,
        "stars": hotel.stars,
        "amenities": list(hotel.amenities),
        "free_cancellation": hotel.free_cancellation,
        "cents": hotel.cents,
        "cheaper": cheaper_hotels(seed, hotel),
    }


def earlier_trips(seed: int, holder: dict[str, str], contact: dict[str, str]) -> list[Trip]:
    """Return what the account's holder had booked before the episode began: the same trips whatever the seed.

    Args:
        seed: Decides flights, hotels and prices.
        holder: ``first_name``, ``last_name`` and ``birth_date``.
        contact: ``email`` and ``phone``.
    """
    trips = [
        _flown(seed, "DW2041", ("LIS", "DUB", date(2031, 4, 18)), ("DUB", "LIS", date(2031, 4, 22)), fare="flex"),
        _flown(seed, "DW2102", ("LIS", "PRG", date(2031, 6, 2)), fare="basic"),
        _flown(seed, "DW1893", ("LIS", "BCN", date(2031, 1, 17)), fare="standard", status="completed"),
        _stayed(seed, "DW2077", ("VIE", date(2031, 5, 9), 3), cancellable=True),
        _stayed(seed, "DW2115", ("CPH", date(2031, 6, 20), 4), cancellable=False),
        _stayed(seed, "DW1920", ("MAN", date(2031, 2, 6), 2), cancellable=True, status="cancelled"),
    ]
    for trip in trips:
        trip.guests, trip.contact, trip.card = [dict(holder)], dict(contact), "4242"
    return sorted(trips, key=lambda trip: trip.begins)


def _flown(
    seed: int, reference: str, *ways: tuple[str, str, date], fare: str, status: TripStatus = "confirmed"
) -> Trip:
    flights = tuple(flights_of(seed, origin, destination, day)[3] for origin, destination, day in ways)
    extras = {"bags": 1, "seat": "none", "meal": "none", "insurance": False, "priority": False}
    cents = sum(flight.cents for flight in flights) + 3_500
    return Trip(reference, flights, fare=fare, extras=extras, cents=cents, status=status)


def _stayed(
    seed: int, reference: str, stay: tuple[str, date, int], *, cancellable: bool, status: TripStatus = "confirmed"
) -> Trip:
    city, begins, nights = stay
    # Of each city one at least can be cancelled. Where all can be, what was sold is the exception.
    fitting = [hotel for hotel in hotels_of(seed, city) if hotel.free_cancellation == cancellable]
    hotel = fitting[0] if fitting else replace(hotels_of(seed, city)[0], free_cancellation=cancellable)
    return Trip(
        reference,
        hotel=hotel,
        room="Double",
        check_in=begins,
        check_out=begins + timedelta(days=nights),
        extras={"breakfast": False, "parking": False, "late_checkout": False, "protection": False, "arrival": ""},
        cents=hotel.cents_of("Double") * nights,
        status=status,
    )

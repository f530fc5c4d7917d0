"""Prices, flights, trips and fields as pages show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from turkle_app.sites.travel.calendar_clock import clock_text, duration_text
from turkle_app.sites.travel.destinations import BY_CODE
from turkle_app.sites.travel.flights import Flight, colour_of
from turkle_app.sites.travel.hotels import ROOMS, Hotel
from turkle_app.sites.travel.trips import Trip


def euros(cents: int) -> str:
    """Return a price, e.g. ``€1,234.50``; whole euros without cents."""
    return f"€{cents // 100:,}" if cents % 100 == 0 else f"€{cents / 100:,.2f}"


@dataclass(frozen=True, kw_only=True)
class ShownFlight:
    """A flight in a list.

    Attributes:
        flight: The flight.
        origin: Name of the city.
        destination: Name of the city.
        departs: Time of day.
        arrives: Time of day; with a ``+1`` on the next.
        duration: How long it takes.
        stops: How often it stops, and where.
        price: Of a seat.
        mark: Two letters of the airline.
        colour: Of the airline, as CSS writes it.
    """

    flight: Flight
    origin: str
    destination: str
    departs: str
    arrives: str
    duration: str
    stops: str
    price: str
    mark: str
    colour: str


def shown_flight(flight: Flight, cabin: str, *, half_days: bool) -> ShownFlight:
    """Return a flight as a list shows it.

    Args:
        flight: Which.
        cabin: Whose price is shown.
        half_days: Whether times are shown with am and pm.
    """
    days_on = flight.arrives // 1440
    via = ", ".join(BY_CODE[code].name for code in flight.via)
    stops = f"{flight.stops} stop{'s' * (flight.stops > 1)} ({via})" if via else "Non-stop"
    return ShownFlight(
        flight=flight,
        origin=BY_CODE[flight.origin].name,
        destination=BY_CODE[flight.destination].name,
        departs=clock_text(flight.departs, half_days=half_days),
        arrives=clock_text(flight.arrives, half_days=half_days) + (f" +{days_on}" if days_on else ""),
        duration=duration_text(flight.minutes),
        stops=stops,
        price=euros(flight.cents_in(cabin)),
        mark="".join(word[0] for word in flight.airline.replace("& ", "").split())[:2].upper(),
        colour=colour_of(flight.airline),
    )


@dataclass(frozen=True, kw_only=True)
class ShownHotel:
    """A hotel in a list.

    Attributes:
        hotel: The hotel.
        city: With its region.
        price: Of a night in a double.
        total: Of all nights in a double; empty if the days are not known.
        verdict: What the rating means, in a word.
        hue: Of its picture, in degrees.
        shortlisted: Whether it is on the customer's list.
    """

    hotel: Hotel
    city: str
    price: str
    total: str
    verdict: str
    hue: int
    shortlisted: bool


def shown_hotel(hotel: Hotel, nights: int, shortlist: Iterable[str]) -> ShownHotel:
    """Return a hotel as a list shows it.

    Args:
        hotel: Which.
        nights: How many are looked for; 0 if that is not known.
        shortlist: Slugs of the hotels on the customer's list.
    """
    verdicts = ((9.0, "Superb"), (8.0, "Very good"), (7.0, "Good"), (0.0, "Pleasant"))
    return ShownHotel(
        hotel=hotel,
        city=BY_CODE[hotel.city].full_name,
        price=euros(hotel.cents),
        total=euros(hotel.cents * nights) if nights else "",
        verdict=next(word for least, word in verdicts if hotel.rating >= least),
        hue=hotel.cents // 100 * 7 % 360,
        shortlisted=hotel.slug in set(shortlist),
    )


def shown_rooms(hotel: Hotel, nights: int, guests: int) -> list[dict[str, object]]:
    """Return the rooms of a hotel: ``name``, ``holds``, ``price``, ``total``, and whether so many fit in (``fits``)."""
    return [
        {
            "name": name,
            "holds": holds,
            "price": euros(hotel.cents_of(name)),
            "total": euros(hotel.cents_of(name) * nights),
            "fits": holds >= guests,
        }
        for name, (holds, _) in ROOMS.items()
    ]


@dataclass(frozen=True, kw_only=True)
class ShownTrip:
    """A trip in a list or on its own page.

    Attributes:
        trip: The trip.
        city: Where it leads, with its region.
        flights: Its ways.
        price: What was paid.
        refund: What was or would be paid back.
        fee: What another date costs.
        extras: What was booked beside, and how much of it or which.
        open: Whether it can be changed and cancelled still.
    """

    trip: Trip
    city: str
    flights: list[ShownFlight]
    price: str
    refund: str
    fee: str
    extras: list[tuple[str, str]]
    open: bool


def shown_trip(trip: Trip, *, half_days: bool) -> ShownTrip:
    """Return a trip as pages show it.

    Args:
        trip: Which.
        half_days: Whether times are shown with am and pm.
    """
    return ShownTrip(
        trip=trip,
        city=BY_CODE[trip.hotel.city if trip.hotel else trip.flights[0].destination].full_name,
        flights=[shown_flight(flight, trip.cabin, half_days=half_days) for flight in trip.flights],
        price=euros(trip.cents),
        refund=euros(trip.refund if trip.status == "cancelled" else trip.refund_due),
        fee=euros(trip.change_fee),
        extras=[(name.replace("_", " "), _extra(value)) for name, value in trip.extras.items()],
        open=trip.status == "confirmed",
    )


def _extra(value: object) -> str:
    if isinstance(value, bool) or value == "":
        return "yes" if value else "no"
    return str(value)


@dataclass(frozen=True, kw_only=True)
class PortalField:
    """A field of a form.

    Attributes:
        name: Under which it is sent; its id, too, with ``-`` for ``_``.
        label: What it is called.
        value: What it holds.
        problem: What is wrong with that.
        hint: How it is to be filled in.
        kind: Of the ``input``; ``place`` and ``date`` have a list and a calendar of their own, ``select`` has choices.
        choices: Of a ``select``: value -> words.
        complete: What browsers may fill in by themselves, as HTML names it.
    """

    name: str
    label: str
    value: str = ""
    problem: str = ""
    hint: str = ""
    kind: str = "text"
    choices: Mapping[str, str] | None = None
    complete: str = "off"

    @property
    def id(self) -> str:
        """Of its element."""
        return self.name.replace("_", "-")

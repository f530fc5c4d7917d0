"""All that an episode changes on the travel portal."""

from __future__ import annotations

import random
import string
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from turkle_app.sites.travel.account import CookieChoice, Customer, Preferences, Subscriptions
from turkle_app.sites.travel.calendar_clock import today_of
from turkle_app.sites.travel.drafts import Draft, flight_extras, stay_extras
from turkle_app.sites.travel.flights import Flight
from turkle_app.sites.travel.hotels import Hotel, cheaper_hotels, hotel_of
from turkle_app.sites.travel.trips import Trip, earlier_trips

MOST_DRAFTS = 50
MOST_SAVED = 50


@dataclass
class SavedSearch:
    """A search that can be done again.

    Attributes:
        number: Names it in addresses.
        kind: ``flights`` or ``hotels``.
        name: What the customer calls it.
        query: The search as it stands in an address.
        told: The same, field by field.
        alert_below: Euros below which the customer is told; None for never.
    """

    number: int
    kind: str
    name: str
    query: str
    told: dict[str, Any]
    alert_below: int | None = None


@dataclass
class TravelState:
    """An episode's portal.

    Attributes:
        seed: Of flights, hotels and prices.
        variant: Which layout its pages have; empty for the usual one.
        profile: Who the customer is.
        preferences: What they like.
        subscriptions: What they are sent.
        consent: What they said to cookies.
        trips: What they had booked before, by reference.
        bookings: What they have booked since, in order.
        drafts: What they are booking, by number.
        saved: Searches they have saved, in order.
        shortlist: Slugs of the hotels they have put on their list, in order.
        letter_offered: Whether the newsletter was offered to them, and they answered.
    """

    seed: int
    variant: str = ""
    profile: Customer = field(default_factory=Customer)
    preferences: Preferences = field(default_factory=Preferences)
    subscriptions: Subscriptions = field(default_factory=Subscriptions)
    consent: CookieChoice = field(default_factory=CookieChoice)
    trips: dict[str, Trip] = field(default_factory=dict)
    bookings: list[Trip] = field(default_factory=list)
    drafts: dict[int, Draft] = field(default_factory=dict)
    saved: list[SavedSearch] = field(default_factory=list)
    shortlist: list[str] = field(default_factory=list)
    letter_offered: bool = False

    @property
    def today(self) -> date:
        """The day on which the portal's clock stands."""
        return today_of(self.seed)

    @property
    def all_trips(self) -> list[Trip]:
        """What was booked before and since, the earliest first."""
        return sorted([*self.trips.values(), *self.bookings], key=lambda trip: trip.begins)

    def trip(self, reference: str) -> Trip | None:
        """Return a trip by its reference, None if there is none."""
        return next((trip for trip in self.all_trips if trip.reference == reference), None)

    def begin_flight(self, flights: tuple[Flight, ...], people: int, cabin: str) -> Draft:
        """Begin to book flights."""
        extras = flight_extras(self.preferences.seat, self.preferences.meal)
        return self._begin(Draft(self._next_draft, people, flights, cabin, extras=extras))

    def begin_stay(self, hotel: Hotel, room: str, stay: tuple[date, date], people: int) -> Draft:
        """Begin to book a room."""
        draft = Draft(self._next_draft, people, hotel=hotel, room=room, stay=stay, extras=stay_extras())
        return self._begin(draft)

    @property
    def _next_draft(self) -> int:
        return max(self.drafts, default=0) + 1

    def _begin(self, draft: Draft) -> Draft:
        draft.entered |= self.profile.contact
        draft.entered |= {f"{key}_1": value for key, value in self.profile.traveller.items()}
        self.drafts[draft.number] = draft
        if len(self.drafts) > MOST_DRAFTS:
            del self.drafts[min(self.drafts)]
        return draft

    def book(self, draft: Draft, card: str) -> Trip:
        """Make a trip of a draft that is paid.

        Args:
            draft: All of whose steps are done.
            card: The last four digits of the card.
        """
        check_in, check_out = draft.stay or (None, None)
        trip = Trip(
            self._new_reference(),
            draft.flights,
            hotel=draft.hotel,
            room=draft.room,
            cabin=draft.cabin,
            check_in=check_in,
            check_out=check_out,
            guests=draft.guests,
            contact=draft.contact,
            fare=draft.extras.get("fare", ""),
            extras={key: value for key, value in draft.extras.items() if key != "fare"},
            cents=draft.cents,
            card=card,
        )
        self.bookings.append(trip)
        draft.trip = trip.reference
        return trip

    def _new_reference(self) -> str:
        chance = random.Random(f"reference {self.seed} {len(self.bookings)}")  # noqa: S311 - made up, nothing secret
        return "NW" + "".join(chance.choices(string.digits + "ACEFHKLMPRTX", k=4))

    def save_search(self, kind: str, name: str, query: str, told: dict[str, Any], alert_below: int | None) -> None:
        """Keep a search; one of the same name and kind is replaced."""
        kept = [search for search in self.saved if (search.kind, search.name) != (kind, name)]
        number = max((search.number for search in self.saved), default=0) + 1
        self.saved = [*kept, SavedSearch(number, kind, name, query, told, alert_below)][-MOST_SAVED:]

    def shortlisted(self) -> list[Hotel]:
        """Return the hotels that are on the list."""
        return [hotel for slug in self.shortlist if (hotel := hotel_of(self.seed, slug))]

    def told(self) -> dict[str, Any]:
        """Return what conditions may point into."""
        return {
            "today": self.today.isoformat(),
            "bookings": [trip.told(self.seed) for trip in self.bookings],
            "trips": {reference: trip.told(self.seed) for reference, trip in sorted(self.trips.items())},
            "searches": [
                {"kind": search.kind, "name": search.name, **search.told, "alert_below": search.alert_below}
                for search in self.saved
            ],
            "shortlist": [
                {
                    "name": hotel.name,
                    "city": hotel.city,
                    "stars": hotel.stars,
                    "amenities": list(hotel.amenities),
                    "cheaper": cheaper_hotels(self.seed, hotel),
                }
                for hotel in self.shortlisted()
            ],
            "subscriptions": self.subscriptions.told(),
            "consent": asdict(self.consent),
            "settings": {**asdict(self.preferences), **asdict(self.profile)},
        }


def make_state(seed: int, variant: str = "") -> TravelState:
    """Return the portal as an episode finds it."""
    state = TravelState(seed, variant)
    trips = earlier_trips(seed, state.profile.traveller, state.profile.contact)
    state.trips = {trip.reference: trip for trip in trips}
    return state

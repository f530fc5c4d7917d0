"""A booking that is being made: chosen, but neither filled in nor paid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from turkle_app.sites.travel.calendar_clock import read_date
from turkle_app.sites.travel.destinations import BY_CODE
from turkle_app.sites.travel.flights import Flight
from turkle_app.sites.travel.hotels import Hotel

FARES = {"basic": 0, "standard": 2_900, "flex": 5_900}
SEATS = {"none": 0, "window": 900, "aisle": 900, "legroom": 2_400}
MEALS = {"none": 0, "vegetarian": 1_200, "vegan": 1_200, "gluten-free": 1_200}
BAG, INSURANCE, PRIORITY = 3_500, 1_900, 800
BREAKFAST, PARKING, LATE_CHECKOUT, PROTECTION = 1_400, 1_200, 2_000, 1_500
ARRIVALS = ("", "before 15:00", "15:00 to 18:00", "18:00 to 22:00", "after 22:00")
STEPS = ("passengers", "extras", "payment")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_OLDEST_YEAR = 1910


@dataclass
class Draft:
    """What is being booked.

    Attributes:
        number: Names it in addresses.
        people: How many travel.
        flights: The ways there and back; none for a stay.
        cabin: Of flights.
        hotel: Of a stay; None for flights.
        room: Of a stay: the kind of room.
        stay: Of a stay: the first night and the day after the last.
        entered: What was entered so far, field by field, without the card.
        extras: What is booked beside, by name.
        done: The steps that are filled in.
        trip: The reference under which it was booked in the end; empty until then.
    """

    number: int
    people: int
    flights: tuple[Flight, ...] = ()
    cabin: str = "economy"
    hotel: Hotel | None = None
    room: str = ""
    stay: tuple[date, date] | None = None
    entered: dict[str, str] = field(default_factory=dict)
    extras: dict[str, Any] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    trip: str = ""

    @property
    def travellers(self) -> range:
        """The numbers of those whose names are asked for: all that fly, one that stays."""
        return range(1, (self.people if self.flights else 1) + 1)

    @property
    def nights(self) -> int:
        """Of a stay; 0 of flights."""
        return (self.stay[1] - self.stay[0]).days if self.stay else 0

    @property
    def guests(self) -> list[dict[str, str]]:
        """Who travels, once that was entered."""
        keys = ("first_name", "last_name", "birth_date") if self.flights else ("first_name", "last_name")
        return [{key: self.entered.get(f"{key}_{number}", "") for key in keys} for number in self.travellers]

    @property
    def contact(self) -> dict[str, str]:
        """How they are reached, once that was entered."""
        return {key: self.entered.get(key, "") for key in ("email", "phone")}

    @property
    def lines(self) -> list[tuple[str, int]]:
        """What it is made of and what each costs, in euro cents."""
        return self._flight_lines() if self.flights else self._stay_lines()

    @property
    def cents(self) -> int:
        """What all of it costs, in euro cents."""
        return sum(cents for _, cents in self.lines)

    def _flight_lines(self) -> list[tuple[str, int]]:
        each, extras = self.people, self.extras
        lines = [
            (
                f"{BY_CODE[flight.origin].name} to {BY_CODE[flight.destination].name}, {each} × {self.cabin}",
                flight.cents_in(self.cabin) * each,
            )
            for flight in self.flights
        ]
        lines.append((f"Fare {extras['fare'].title()}", FARES[extras["fare"]] * each))
        lines.append((f"Bags to check in: {extras['bags']}", BAG * extras["bags"]))
        lines.append((f"Seat: {extras['seat']}", SEATS[extras["seat"]] * each))
        lines.append((f"Meal: {extras['meal']}", MEALS[extras["meal"]] * each))
        lines.append(("Travel insurance", INSURANCE * each * extras["insurance"]))
        lines.append(("Priority boarding", PRIORITY * each * extras["priority"]))
        return [line for line in lines if line[1]]

    def _stay_lines(self) -> list[tuple[str, int]]:
        if self.hotel is None:
            return []
        extras, nights = self.extras, self.nights
        lines = [
            (f"{self.room} room, {nights} nights", self.hotel.cents_of(self.room) * nights),
            ("Breakfast", BREAKFAST * self.people * nights * extras["breakfast"]),
            ("Parking", PARKING * nights * extras["parking"]),
            ("Late check-out", LATE_CHECKOUT * extras["late_checkout"]),
            ("Room protection", PROTECTION * extras["protection"]),
        ]
        return [line for line in lines if line[1]]

    def enter_people(self, entered: Mapping[str, str], today: date) -> dict[str, str]:
        """Take down who travels.

        Returns:
            What is wrong, by field; the step is done if nothing is.
        """
        problems = {}
        self.entered |= {key: entered.get(key, "").strip() for key in ("email", "phone")}
        for number in self.travellers:
            for key, words in (("first_name", "the first name"), ("last_name", "the last name")):
                name = f"{key}_{number}"
                self.entered[name] = entered.get(name, "").strip()
                if not self.entered[name]:
                    problems[name] = f"Enter {words}."
            if self.flights:
                problems |= self._enter_birth(f"birth_date_{number}", entered, today)
        if not _EMAIL.fullmatch(self.entered["email"]):
            problems["email"] = "Enter an e-mail address, such as name@example.test."
        if len(re.sub(r"[^0-9]", "", self.entered["phone"])) < 6:
            problems["phone"] = "Enter a phone number."
        self._mark("passengers", problems)
        return problems

    def _enter_birth(self, name: str, entered: Mapping[str, str], today: date) -> dict[str, str]:
        born = read_date(entered.get(name, ""))
        self.entered[name] = born.isoformat() if born else entered.get(name, "").strip()
        if born is None or born.year < _OLDEST_YEAR or born > today:
            return {name: "Enter the day of birth, such as 1990-04-30."}
        return {}

    def enter_extras(self, entered: Mapping[str, str]) -> None:
        """Take down what is booked beside; what is not one of the choices leaves the choice as it was."""
        choices: dict[str, tuple[str, ...]] = (
            {"fare": tuple(FARES), "seat": tuple(SEATS), "meal": tuple(MEALS)}
            if self.flights
            else {"arrival": ARRIVALS}
        )
        switches = ("insurance", "priority") if self.flights else tuple(SWITCHES_OF_STAYS)
        self.extras |= {key: entered[key] for key, known in choices.items() if entered.get(key) in known}
        self.extras |= {key: entered.get(key) == "on" for key in switches}
        if self.flights and entered.get("bags") in {"0", "1", "2", "3"}:
            self.extras["bags"] = int(entered["bags"])
        self._mark("extras", {})

    def _mark(self, step: str, problems: Mapping[str, str]) -> None:
        if problems:
            self.done.discard(step)
        else:
            self.done.add(step)


SWITCHES_OF_STAYS = {
    "breakfast": "Breakfast",
    "parking": "Parking",
    "late_checkout": "Late check-out until 14:00",
    "protection": "Room protection",
}


def flight_extras(seat: str, meal: str) -> dict[str, Any]:
    """Return what is chosen before anybody chose: as the account prefers it, and insurance, which has to be refused."""
    return {"fare": "basic", "bags": 0, "seat": seat, "meal": meal, "insurance": True, "priority": False}


def stay_extras() -> dict[str, Any]:
    """Return what is chosen before anybody chose; protection has to be refused."""
    return {"breakfast": False, "parking": False, "late_checkout": False, "protection": True, "arrival": ""}

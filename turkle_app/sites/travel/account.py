"""The account of the portal's one customer: who it is, what they like, and what they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from turkle_app.sites.travel.destinations import meant
from turkle_app.sites.travel.drafts import MEALS, SEATS

FREQUENCIES = ("never", "weekly", "monthly")
TIME_FORMATS = {"24h": "24 hours (18:30)", "12h": "12 hours (6:30 pm)"}
LETTERS = {
    "deals": "Deals of the week by e-mail",
    "price_alerts": "Price alerts of saved searches",
    "trip_reminders": "Reminders before a trip",
    "partner_offers": "Offers of partners",
    "text_messages": "Text messages on the day of travel",
}


@dataclass
class Customer:
    """Who the customer is."""

    first_name: str = "Robin"
    last_name: str = "Ekberg"
    birth_date: str = "1988-11-05"
    email: str = "robin.ekberg@example.test"
    phone: str = "+351 555 014 220"

    @property
    def traveller(self) -> dict[str, str]:
        """As one who travels."""
        return {"first_name": self.first_name, "last_name": self.last_name, "birth_date": self.birth_date}

    @property
    def contact(self) -> dict[str, str]:
        """How they are reached."""
        return {"email": self.email, "phone": self.phone}

    def enter(self, entered: Mapping[str, str]) -> dict[str, str]:
        """Take down what was entered, unless something is wrong; return what is, by field."""
        values = {key: entered.get(key, "").strip() for key in asdict(self)}
        problems = {key: "This cannot be empty." for key, value in values.items() if not value}
        if "email" not in problems and "@" not in values["email"]:
            problems["email"] = "Enter an e-mail address, such as name@example.test."
        if not problems:
            for key, value in values.items():
                setattr(self, key, value)
        return problems


@dataclass
class Preferences:
    """What the customer likes; searches and bookings begin with it.

    Attributes:
        home: Code of the airport that searches begin at.
        seat: A key of ``SEATS``.
        meal: A key of ``MEALS``.
        time_format: A key of ``TIME_FORMATS``.
    """

    home: str = "LIS"
    seat: str = "none"
    meal: str = "none"
    time_format: str = "24h"

    def enter(self, entered: Mapping[str, str]) -> dict[str, str]:
        """Take down what was entered, unless something is wrong; return what is, by field."""
        named = meant(entered.get("home", ""))
        if len(named) > 1:
            choices = " or ".join(place.full_name for place in named)
            return {"home": f"There are several: {choices}. Choose one from the list."}
        if not named:
            return {"home": "We know no airport of this name."}
        self.home = named[0].code
        for key, known in (("seat", SEATS), ("meal", MEALS), ("time_format", TIME_FORMATS)):
            if entered.get(key) in known:
                setattr(self, key, entered[key])
        return {}


@dataclass
class Subscriptions:
    """What the customer is sent.

    Attributes:
        newsletter: How often, of ``FREQUENCIES``.
        letters: Of each of ``LETTERS`` whether it is sent.
    """

    newsletter: str = "never"
    letters: dict[str, bool] = field(
        default_factory=lambda: {name: name in {"trip_reminders", "partner_offers"} for name in LETTERS}
    )

    def enter(self, entered: Mapping[str, str]) -> None:
        """Take down what was entered."""
        if entered.get("newsletter") in FREQUENCIES:
            self.newsletter = entered["newsletter"]
        self.letters = {name: entered.get(name) == "on" for name in LETTERS}

    def told(self) -> dict[str, Any]:
        """Return what there is to know of it, for conditions."""
        return {"newsletter": self.newsletter, **self.letters}


@dataclass
class CookieChoice:
    """What the customer said to cookies.

    Attributes:
        answered: Whether they said anything.
        statistics: Whether visits may be counted.
        marketing: Whether advertisers may know.
    """

    answered: bool = False
    statistics: bool = False
    marketing: bool = False

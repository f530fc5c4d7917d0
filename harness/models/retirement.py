"""When a provider shuts a model down, and what is said of it before a run asks that model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from harness.kit.errors.user import UserError

WARNED_DAYS = 90
"""Days before a model is shut down from which on its users are told."""


class ModelRetired(UserError):
    """The model is asked no more by its provider's users; the message names one that is, and the ways to go on."""


def today() -> date:
    """The day that prices and retirements are looked at by; tests put another in its place."""
    return date.today()


@dataclass(frozen=True)
class Retirement:
    """What a provider has announced of a model.

    Attributes:
        model: The provider's name of the model.
        on: The day on which the provider shuts it down, or did.
        instead: A model of the same provider that is served today and can be asked in its place.
    """

    model: str
    on: date
    instead: str

    def is_over(self, day: date) -> bool:
        """Whether the model is gone on a day."""
        return day >= self.on

    def words(self, day: date) -> str:
        """What is to be said of it on a day; empty if it is more than ``WARNED_DAYS`` ahead."""
        left = (self.on - day).days
        if left <= 0:
            return f"{self.model} was shut down by its provider on {self.on}"
        if left > WARNED_DAYS:
            return ""
        days = "tomorrow" if left == 1 else f"in {left} days"
        return f"{self.model} is shut down by its provider on {self.on}, {days}; {self.instead} is served beyond that"

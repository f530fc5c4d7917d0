"""A tab of a website's episode, as solvers are told of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OpenTab:
    """A tab that is open.

    Attributes:
        number: As ``switch_tab`` takes it; from 0, in the order in which tabs were opened.
        url: The address that it shows.
        title: The title of that page.
        shown: Whether it is the one that is acted on.
    """

    number: int
    url: str
    title: str
    shown: bool

    def __str__(self) -> str:
        return f"{self.number}: {self.title or '(no title)'}, {self.url}{' (shown)' if self.shown else ''}"

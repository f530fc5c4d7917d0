"""What a solver may use on one page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a solver may use on one page.

    Attributes:
        max_steps: Actions.
        max_seconds: Seconds from the opened page, those not counted in which it waits for a model's provider.
    """

    max_steps: int = 1000
    max_seconds: float = 300.0


class LimitReached(Exception):
    """A limit of the episode is used up; what the page holds is scored.

    Attributes:
        which: ``steps``, ``time``, ``cost``, ``tokens``, or ``repeats`` of the same actions on the same page.
    """

    def __init__(self, which: str) -> None:
        super().__init__(f"the episode's limit of {which} is reached")
        self.which = which

"""What a solver is told when a limit of its episode is used up."""

from __future__ import annotations


class LimitReached(Exception):
    """A limit of the episode is used up; what the page holds is scored.

    Attributes:
        which: ``steps``, ``time``, ``cost``, ``tokens``, or ``repeats`` of the same actions on the same page.
    """

    def __init__(self, which: str) -> None:
        super().__init__(f"the episode's limit of {which} is reached")
        self.which = which

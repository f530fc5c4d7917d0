"""What changes the fields of one page, whichever way it reaches them, and what it says of a field afterwards."""

from __future__ import annotations

from typing import Protocol

from harness.actions.result import ErrorCode
from harness.catalog.labels import clean
from harness.episode.refusal import ActionRefused, short

MAX_PRESSES = 400
"""Arrow keys that one slider may take."""


class Editor(Protocol):
    """Changes fields with trusted input, as far as there is any, and checks that each holds what was asked.

    Every method that changes a field gives a sentence about what the page holds now, or raises ``ActionRefused`` with
    the reason why it does not hold what was asked.

    Attributes:
        submitted: Whether a change made the page submit itself.
    """

    submitted: bool

    def write(self, name: str, text: str) -> str:
        """Put ``text`` into a text field, in place of what it holds."""

    def choose_radio(self, name: str, value: str) -> str:
        """Choose the option of ``value``, or of that text."""

    def tick(self, name: str, values: list[str]) -> str:
        """Tick the boxes of ``values`` and no other box of the name."""

    def choose_in_list(self, name: str, values: list[str]) -> str:
        """Choose one option of a drop-down list, or exactly ``values`` in a list that takes several."""

    def slide(self, name: str, value: str) -> str:
        """Move a slider."""

    def bring_into_view(self, name: str) -> dict[str, float]:
        """Scroll a field to the middle of the screen; gives its ``left``, ``top``, ``width`` and ``height`` there."""


def held(name: str, values: list[str], *, already: bool = False) -> str:
    """What is said of a field that holds what was asked."""
    return f"{name!r} {'already ' if already else ''}holds {', '.join(map(short, values)) or 'nothing'}"


def not_held(
    name: str,
    values: list[str] | None,
    wanted: list[str],
    code: ErrorCode = ErrorCode.NOT_TAKEN,
    reason: str = "the page does not take it",
) -> ActionRefused:
    """What is said of a field that holds something else, or is gone.

    Args:
        name: The field's name.
        values: What it holds; None if there is no such field any more.
        wanted: What was asked.
        code: Why it does not hold it.
        reason: The same in words.
    """
    if values is None:
        return ActionRefused(ErrorCode.FIELD_REMOVED, f"the page removed {name!r} when it was changed")
    shown, asked = (", ".join(map(short, each)) or "nothing" for each in (values, wanted))
    return ActionRefused(code, f"{name!r} holds {shown}, not {asked}: {reason}")


def are_equal(values: list[str] | None, wanted: list[str]) -> bool:
    """Whether a field holds what was asked, whatever white space is around it."""
    return values is not None and set(map(clean, values)) == set(map(clean, wanted))

"""What an action gives back to its solver, and the record of it in the trajectory."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from harness.actions.call import ActionCall
from harness.actions.error_code import ErrorCode


@dataclass(frozen=True)
class ActionResult:
    """The outcome of one action; an impossible request is a result, never an exception.

    Attributes:
        ok: Whether the page now holds what was asked, or the picture or text was got.
        message: One sentence: what the page holds, or why not and what would be possible.
        text: HTML, for ``get_html``.
        image: PNG, for ``capture_screen``.
        ms: Milliseconds that the action took.
        code: What kept it from being done; None if ``ok``.

    Raises:
        ValueError: a result that is not ``ok`` has no code, or one that is has a code.
    """

    ok: bool
    message: str
    text: str = ""
    image: bytes = field(default=b"", repr=False)
    ms: float = 0.0
    code: ErrorCode | None = None

    def __post_init__(self) -> None:
        if self.ok == (self.code is not None):
            raise ValueError(f"a result has a code if it is not ok, and only then: {self.message}")


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One action of an episode, as the run directory keeps it; what is empty or False is left out there.

    Attributes:
        action: Action text; parsed and run again it does the same.
        ok: Whether the page then held what was asked, or the picture or text was got.
        message: One sentence: what the page held, or why not and what would have been possible.
        ms: Milliseconds that it took.
        image: SHA-256 of the picture's bytes in hexadecimal digits, empty if there is none.
        looked: Whether the page had been looked at since the step before, so that what can be pressed got its number
            then: to do the same again, ``click_element`` needs the same numbers.
        rehearsed: Whether the page's submit handlers had been run since the step before, without sending anything: they
            may have changed what the page shows.
        code: What kept it from being done; None if it was done, and for an action that failed before codes were
            recorded.
    """

    action: str
    ok: bool
    message: str
    ms: float
    image: str = ""
    looked: bool = False
    rehearsed: bool = False
    code: ErrorCode | None = None

    @classmethod
    def of(
        cls,
        call: ActionCall,
        result: ActionResult,
        image: str = "",
        *,
        looked: bool = False,
        rehearsed: bool = False,
    ) -> Step:
        """The record of ``call`` and its ``result``."""
        return cls(str(call), result.ok, result.message, round(result.ms, 2), image, looked, rehearsed, result.code)

"""What an action gives back to its solver, and the record of it in the trajectory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
    image: bytes = b""
    ms: float = 0.0
    code: ErrorCode | None = None

    def __post_init__(self) -> None:
        if self.ok == (self.code is not None):
            raise ValueError(f"a result has a code if it is not ok, and only then: {self.message}")


@dataclass(frozen=True)
class Step:
    """One action of an episode, as the run directory keeps it.

    Attributes:
        action: Action text; parsed and run again it does the same.
        ok: As in ``ActionResult``.
        message: As in ``ActionResult``.
        ms: As in ``ActionResult``.
        image: SHA-256 of the picture's bytes in hexadecimal digits, empty if there is none.
        looked: Whether the page had been looked at since the step before, so that what can be pressed got its number
            then: to do the same again, ``click_element`` needs the same numbers.
        rehearsed: Whether the page's submit handlers had been run since the step before, without sending anything: they
            may have changed what the page shows.
        code: As in ``ActionResult``; None also for an action that failed before codes were recorded.
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

    def to_json(self) -> dict[str, Any]:
        """A JSON object that ``from_json`` reads back."""
        record = {"action": self.action, "ok": self.ok, "message": self.message, "ms": self.ms}
        more = {"image": self.image, "looked": self.looked, "rehearsed": self.rehearsed, "code": self.code}
        return {**record, **{name: value for name, value in more.items() if value}}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Step:
        """From ``to_json``.

        Raises:
            ValueError: the code is none of ``ErrorCode``.
        """
        more = (record.get("image", ""), record.get("looked", False), record.get("rehearsed", False))
        code = ErrorCode(record["code"]) if "code" in record else None
        return cls(record["action"], record["ok"], record["message"], record["ms"], *more, code)

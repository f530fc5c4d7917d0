"""What an action gives back to its solver, and the record of it in the trajectory."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from harness.actions.call import ActionCall


class ErrorCode(StrEnum):
    """What kept an action from being done.

    A code is given where the error arises, by the in-page scripts too, and is what programs decide by; the message of
    the result is for reading only.
    """

    ALREADY_SUBMITTED = "already_submitted"
    """The work was submitted or ended before."""
    NO_SUCH_FIELD = "no_such_field"
    """The page has no field of this name now."""
    NO_SUCH_OPTION = "no_such_option"
    """The field has no such option, or none that can be chosen."""
    NO_SUCH_ELEMENT = "no_such_element"
    """No observation has shown an element of this number."""
    NO_SUCH_TEXT = "no_such_text"
    """The page does not show these words so often."""
    NO_SUCH_CLIP = "no_such_clip"
    """The page has no sound or film of this number."""
    ELEMENT_GONE = "element_gone"
    """The element has left the page since it was shown."""
    ANOTHER_KIND = "another_kind"
    """Another action is meant for what this field is."""
    HIDDEN_FIELD = "hidden_field"
    """Only the page's own script writes the field."""
    NOT_VISIBLE = "not_visible"
    """The field or its option is not shown now."""
    COVERED = "covered"
    """Something else lies over it."""
    OUT_OF_VIEW = "out_of_view"
    """It cannot be brought into view."""
    DISABLED = "disabled"
    """The field or element is disabled."""
    OPTION_DISABLED = "option_disabled"
    """The option is disabled."""
    READ_ONLY = "read_only"
    """The field's text cannot be edited."""
    TAKES_FILE = "takes_file"
    """The field takes a file; no action gives one."""
    NOT_TAKEN = "not_taken"
    """After the action the field holds something else."""
    TOO_LONG = "too_long"
    """The text is too long for the field."""
    BOX_NOT_KEPT = "box_not_kept"
    """A box does not stay as it was pressed."""
    FIELD_REMOVED = "field_removed"
    """The page removed the field when it was changed."""
    OFF_SCREEN = "off_screen"
    """The point is outside the screen."""
    NOT_A_NUMBER = "not_a_number"
    """The argument must be a number."""
    OUT_OF_RANGE = "out_of_range"
    """The number is too small or too large."""
    OFF_STEP = "off_step"
    """The number lies between two steps of the slider."""
    ONE_OPTION_ONLY = "one_option_only"
    """The list takes exactly one option."""
    NO_SUCH_KEY = "no_such_key"
    """The keyboard has no such key."""
    NOT_ALLOWED = "not_allowed"
    """Nobody may do this with an episode's page."""
    BROWSER_SHORTCUT = "browser_shortcut"
    """The keys are a shortcut of browser or desktop."""
    WRONG_ARGUMENT = "wrong_argument"
    """An argument is missing, too large, of another type, or no date, time or colour where the field takes one."""
    NO_SUCH_TAB = "no_such_tab"
    """No such tab is open, or it cannot be opened or closed."""
    NO_HISTORY = "no_history"
    """The tab has no page before, or after, this one."""
    NOT_OPENED = "not_opened"
    """The address cannot be opened."""


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
        action: Action text on one line; run again, it does the same.
        ok: Whether it worked.
        message: What the page then held, or why it failed and what would be possible.
        ms: Milliseconds.
        image: Screenshot: its name in ``images/`` without ``.png``.
        looked: Whether the solver looked since the step before, which numbers what ``click_element`` presses.
        rehearsed: Whether the oracle ran the page's submit handlers since the step before, without sending.
        code: Why it failed; absent if it worked.
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

"""Why an action failed: the closed set of codes that its result carries beside the words for its solver."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """What kept an action from being done.

    A code is given where the error arises, by the in-page scripts too, and is what programs decide by; the message of
    the result is for reading only.
    """

    ALREADY_SUBMITTED = "already_submitted"
    """The form was submitted before."""
    NO_SUCH_FIELD = "no_such_field"
    """The page has no field of this name now."""
    NO_SUCH_OPTION = "no_such_option"
    """The field has no such option, or none that can be chosen."""
    NO_SUCH_ELEMENT = "no_such_element"
    """No observation has shown an element of this number."""
    ELEMENT_GONE = "element_gone"
    """The element has left the page since it was shown."""
    ANOTHER_KIND = "another_kind"
    """Another action is meant for what this field is."""
    HIDDEN_FIELD = "hidden_field"
    """Only the page's own script writes the field."""
    NOT_VISIBLE = "not_visible"
    """The field or its option is not shown now."""
    COVERED = "covered"
    """Something else lies over every point that would activate it."""
    OUT_OF_VIEW = "out_of_view"
    """No part of it can be brought into view."""
    DISABLED = "disabled"
    """The field or element is disabled."""
    OPTION_DISABLED = "option_disabled"
    """The one option that would have to be pressed is disabled."""
    READ_ONLY = "read_only"
    """The field shows a text that cannot be edited."""
    TAKES_FILE = "takes_file"
    """The field takes a file, which no action gives it."""
    NOT_TAKEN = "not_taken"
    """After the action the field holds something else."""
    TOO_LONG = "too_long"
    """The text has more characters than the field takes."""
    BOX_NOT_KEPT = "box_not_kept"
    """A box does not stay as it was pressed."""
    FIELD_REMOVED = "field_removed"
    """The page removed the field when it was changed."""
    OFF_SCREEN = "off_screen"
    """The point is outside the screen."""
    NOT_A_NUMBER = "not_a_number"
    """A number is needed, and the argument is none."""
    OUT_OF_RANGE = "out_of_range"
    """The number lies outside what is possible."""
    OFF_STEP = "off_step"
    """The number lies between two steps of the slider."""
    ONE_OPTION_ONLY = "one_option_only"
    """A list that takes one option was not given exactly one."""
    NO_SUCH_KEY = "no_such_key"
    """The keyboard has no such key."""
    WRONG_ARGUMENT = "wrong_argument"
    """An argument is missing, too large, or not of the kind that the action takes."""

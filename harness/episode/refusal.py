"""What was meant by an option, and what to say when an action cannot be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.actions.result import ErrorCode
from harness.catalog.kinds import SETTERS
from harness.catalog.labels import match_option, ticked
from harness.catalog.template.wrapping import listed

LISTED_OPTIONS = 40


class ActionRefused(Exception):
    """An action cannot be done; code and message become its result.

    Attributes:
        code: What keeps it from being done.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


def expect(name: str, answer: dict[str, Any]) -> dict[str, Any]:
    """The page's answer about a field.

    Raises:
        ActionRefused: the answer is an error; says what is possible instead.
        ValueError: it is an error with a code that is none of ``ErrorCode``.
    """
    error = answer.get("error")
    if not error:
        return answer
    message = f"{name!r}: {error}"
    if kind := answer.get("kind"):
        message += f"; use {SETTERS[kind]}"
    if "options" in answer:
        message += f"; its options are {listing(answer['options'])}"
    if "names" in answer:
        message += f"; the fields are {listed(answer['names'])}"
    raise ActionRefused(ErrorCode(answer["code"]), message)


def option_value(name: str, asked: str, options: Sequence[Mapping[str, Any]]) -> str:
    """The value of the option that is meant: by value as labels are matched, else by the text that is shown.

    Raises:
        ActionRefused: no option is meant; lists them.
    """
    value = match_option(asked, [option["value"] for option in options])
    if value is not None:
        return value
    ordered = sorted(options, key=lambda option: not option["visible"])
    text = match_option(asked, [option["text"] for option in ordered])
    if text is not None and asked.strip():
        return str(next(option["value"] for option in ordered if option["text"] == text))
    raise ActionRefused(
        ErrorCode.NO_SUCH_OPTION, f"{name!r} has no option {asked!r}; its options are {listing(options)}"
    )


def box_values(name: str, asked: Sequence[str], options: Sequence[Mapping[str, Any]]) -> list[str]:
    """The values of the boxes that are meant, where ``|`` parts several.

    Raises:
        ActionRefused: one of them is no box of the name; lists them.
    """
    values = [option["value"] for option in options]
    wanted = {value for each in asked for value in ticked(each, values)}
    return [option_value(name, each, options) for each in sorted(wanted)]


def open_values(name: str, asked: Sequence[str], options: Sequence[Mapping[str, Any]]) -> tuple[list[str], str]:
    """The values of the boxes that are meant, and what goes into the text box beside them; empty for nothing.

    Raises:
        ActionRefused: more than one value is no box of the name.
    """
    values = [option["value"] for option in options]
    wanted = list(dict.fromkeys(value for each in asked for value in sorted(ticked(each, values))))
    other = [value for value in wanted if match_option(value, values) is None]
    if len(other) > 1:
        box_values(name, other, options)
    return [value for value in wanted if value not in other], "".join(other)


def one_value(name: str, asked: str, options: Sequence[Mapping[str, Any]], other: str | None) -> tuple[str, str]:
    """The value of the radio button that is meant, and what goes into the text box beside it; empty for nothing.

    Args:
        name: The field's name.
        asked: An option, by value or by the text that is shown; a text; or both, parted by ``|``.
        options: The radio buttons.
        other: The value of the one that goes with a text alone; None where there is no text box.

    Raises:
        ActionRefused: no option, or more than one, is meant.
    """
    values = [option["value"] for option in options]
    parts = [part for part in asked.split("|") if part.strip()]
    chosen = [match_option(part, values) for part in parts]
    texts = [part for part, value in zip(parts, chosen, strict=True) if value is None]
    found = [value for value in chosen if value is not None]
    try:
        return option_value(name, asked, options), ""
    except ActionRefused:
        if other is None or not texts or len(found) > 1:
            raise
    return "".join(found) or other, "|".join(texts)


def number(what: str, value: object) -> float:
    """The number that an argument is.

    Raises:
        ActionRefused: it is none.
    """
    if not isinstance(value, int | float):
        raise ActionRefused(ErrorCode.NOT_A_NUMBER, f"{what} must be a number, not {value!r}")
    return value


def short(text: str) -> str:
    """A value in quotes, shortened for a message."""
    return repr(text if len(text) <= 80 else text[:77] + "...")


def listing(options: Sequence[Mapping[str, Any]]) -> str:
    """Options for a message: value, and the text beside it where that differs."""
    shown = []
    for option in options[:LISTED_OPTIONS]:
        text = option["text"][:40]
        shown.append(repr(option["value"]) + (f" ({text})" if text and text != option["value"] else ""))
    more = len(options) - LISTED_OPTIONS
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")

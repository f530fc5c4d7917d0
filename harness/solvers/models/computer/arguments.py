"""Values in the arguments of a call, which anything may have written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class WrongArgument(ValueError):
    """An argument that is missing or no such value; the message says so to the model."""


def number(arguments: Mapping[str, Any], *names: str, default: float | None = None) -> float:
    """A number by the first of some names that is there.

    Raises:
        WrongArgument: there is none, or it is no number.
    """
    name = next((name for name in names if arguments.get(name) is not None), None)
    if name is None:
        if default is None:
            raise WrongArgument(f"{names[0]} is missing")
        return default
    return as_number(arguments[name], name)


def as_number(value: Any, name: str) -> float:
    """A value as a number, also where it is the text of one.

    Raises:
        WrongArgument: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise WrongArgument(f"{name}: {value!r} is no number")
    try:
        return float(value)
    except ValueError:
        raise WrongArgument(f"{name}: {value!r} is no number") from None


def numbers(arguments: Mapping[str, Any], name: str, count: int) -> tuple[float, ...]:
    """A list of so many numbers.

    Raises:
        WrongArgument: it is missing, or none.
    """
    value = arguments.get(name)
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != count:
        raise WrongArgument(f"{name}: {value!r} is no list of {count} numbers")
    return tuple(as_number(each, name) for each in value)


def text(arguments: Mapping[str, Any], *names: str, default: str | None = None) -> str:
    """A text by the first of some names that is there.

    Raises:
        WrongArgument: there is none.
    """
    value = next((arguments[name] for name in names if arguments.get(name) is not None), default)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise WrongArgument(f"{names[0]} is missing" if value is None else f"{names[0]}: {value!r} is no text")
    return str(value)


def texts(arguments: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts; a lone text is a list of one, and what is missing one of none.

    Raises:
        WrongArgument: it is something else.
    """
    value = arguments.get(name)
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, Sequence) and all(isinstance(each, str | int) for each in value):
        return [str(each) for each in value]
    raise WrongArgument(f"{name}: {value!r} is no list of texts")

"""What an action takes: its parameters, and how the arguments of a call are bound to them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from harness.actions.call import ActionCall, Literal, literal
from harness.kit.text import closest_name, counted, shorten

SCALARS = ("str", "bool", "int", "float", "None")
KINDS = (*SCALARS, *(f"list[{scalar}]" for scalar in SCALARS))

_NUMBER = re.compile(r"[+-]?(?:(?P<float>[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+(?:\.?[eE][+-]?[0-9]+|\.))|[0-9]+)")
_MAX_DIGITS = 40


class _MismatchError(Exception):
    """A value that a type cannot take, however kindly it is read."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of an action.

    Attributes:
        name: Its name.
        type: One of ``KINDS``, or several joined by `` | ``. An int is a float too; a bool is no number.
        doc: What it means, in one paragraph.
        required: Whether a call must give it.
        default: The value if a call does not give it.
        choices: The only texts that it takes; empty if it takes any.

    Raises:
        ValueError: If the type is not known or the default is no literal of that type.
    """

    name: str
    type: str
    doc: str = ""
    required: bool = True
    default: Literal = None
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise ValueError(f"parameter {self.name!r}: the type {kind!r} is none of {', '.join(KINDS)}")
        if not self.required and not any(_fits(self.default, kind) for kind in self.kinds):
            raise ValueError(f"parameter {self.name!r}: the default {self.default!r} is no {self.type}")

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + ("" if self.required else f" = {self.default!r}")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The types that the parameter takes, one by one."""
        return tuple(part.strip() for part in self.type.split("|"))

    def accept(self, value: Literal) -> Literal:
        """The value as this parameter takes it.

        A value of one of the types stays as it is. Else what can be meant in one way only is converted: a
        number or bool to the shortest text (3 to ``"3"``, 2.0 to ``"2"``, True to ``"True"``), a numeric text
        to a number, ``"true"`` to True, one value to a list of one.

        Args:
            value: The argument of a call.

        Returns:
            The value to call the action with.

        Raises:
            ValueError: If the value does not fit.
        """
        if self.choices and value not in self.choices:
            raise ValueError(
                f"the argument {self.name!r} must be one of {', '.join(self.choices)}, not {_described(value)}"
            )
        if any(_fits(value, kind) for kind in self.kinds):
            return value
        for kind in self.kinds:
            with suppress(_MismatchError):
                return _converted(value, kind)
        raise ValueError(f"the argument {self.name!r} must be {self.type}, not {_described(value)}")


@dataclass(frozen=True)
class ActionSpec:
    """An action as a model is told of it.

    Attributes:
        name: Its name.
        parameters: In the order of the signature.
        doc: What it does: a line, then perhaps paragraphs.
        returns: What comes back, if the action says so.
        examples: Calls in action text.
    """

    name: str
    parameters: tuple[Parameter, ...]
    doc: str
    returns: str = ""
    examples: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The action with its parameters, types and defaults: ``scroll(dx: float = 0, dy: float = 0)``."""
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    def bind(self, positional: Sequence[object] = (), keywords: Mapping[str, object] | None = None) -> ActionCall:
        """A call of this action with these arguments.

        Args:
            positional: The arguments given by position.
            keywords: The arguments given by name; the input of a model's tool call fits here.

        Returns:
            The call with all parameters, defaults filled in.

        Raises:
            ValueError: If the arguments do not fit the signature; the message is for whoever wrote the call.
        """
        names = [parameter.name for parameter in self.parameters]
        if len(positional) > len(names):
            raise ValueError(
                f"{counted(len(positional), 'argument was', 'arguments were')} given, at most {len(names)} are taken"
            )
        given = dict(zip(names, positional, strict=False))
        for name, value in (keywords or {}).items():
            if name not in names:
                raise ValueError(f"there is no argument {shorten(name, 60)!r}{did_you_mean(name, names)}")
            if name in given:
                raise ValueError(f"the argument {name!r} is given twice")
            given[name] = value
        missing = [
            parameter.name for parameter in self.parameters if parameter.required and parameter.name not in given
        ]
        if missing:
            raise ValueError(f"missing: {', '.join(map(repr, missing))}")
        args: dict[str, Literal] = {}
        for parameter in self.parameters:
            args[parameter.name] = (
                parameter.accept(_literal(parameter.name, given[parameter.name]))
                if parameter.name in given
                else parameter.default
            )
        return ActionCall(self.name, args)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A remark that gives the closest known name, empty if none is close."""
    close = closest_name(name[:60], known, cutoff=0.5)
    return f" (did you mean {close}?)" if close else ""


def _literal(name: str, value: object) -> Literal:
    try:
        return literal(value)
    except ValueError as error:
        raise ValueError(f"the argument {name!r}: {error}") from None


def _fits(value: Literal, kind: str) -> bool:
    match kind, value:
        case ("str", str()) | ("bool", bool()) | ("None", None):
            return True
        case ("int" | "float", bool()):
            return False
        case ("int", int()) | ("float", int() | float()):
            return True
        case (_, list()) if kind.startswith("list["):
            return all(_fits(item, kind[5:-1]) for item in value)
    return False


def _converted(value: Literal, kind: str) -> Literal:
    """The value as one type, where it can be meant in one way only; raises ``_MismatchError`` elsewhere."""
    if _fits(value, kind):
        return value
    match kind, value:
        case (_, list()) if kind.startswith("list["):
            return [_converted(item, kind[5:-1]) for item in value]
        case (_, str() | bool() | int() | float()) if kind.startswith("list["):
            return [_converted(value, kind[5:-1])]
        case "str", bool():
            return str(value)
        case "str", int() | float():
            return _shortest(value)
        case "bool", str() if value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        case "int", float() if value.is_integer():
            return int(value)
        case (("int" | "float"), str()):
            return _converted(_number(value), kind)
    raise _MismatchError


def _shortest(number: float) -> str:
    """The text of a number as a person would write it: 2.0 is ``2``."""
    return str(int(number)) if abs(number) < 1e16 and number == int(number) else repr(number)


def _number(text: str) -> int | float:
    match = _NUMBER.fullmatch(text.strip())
    if match is None or len(match[0]) > _MAX_DIGITS:
        raise _MismatchError
    number = float(match[0]) if match["float"] else int(match[0])
    if not math.isfinite(number):
        raise _MismatchError
    return number


def _described(value: Literal) -> str:
    match value:
        case None:
            return "None"
        case list():
            return "a list"
    return f"{type(value).__name__} {shorten(repr(value), 60)}"

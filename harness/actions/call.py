"""A call of an action, and what to say when a model's text holds none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from harness.kit.text import joined_surrogates, shorten

Literal: TypeAlias = "str | int | float | bool | list[Literal] | None"

MAX_ARGUMENT = 100_000
"""The most that one argument can hold: the characters of its texts plus the items of its lists."""

MAX_NESTING = 20
"""How deep lists and brackets can stand inside each other."""

MAX_INTEGER = 2**63 - 1
"""The largest integer, up or down, so that every JSON reader can hold it."""

MAX_EXCERPT = 200
MAX_REASON = 2_000


@dataclass(frozen=True)
class ActionCall:
    """One call of an action with literal arguments.

    The arguments are bound to parameter names, all of them in the order of the signature, as
    ``ActionSpec.bind`` makes them: that is why the canonical text can give them by position. Tuples
    become lists. A surrogate pair becomes the character that it stands for and a lone surrogate U+FFFD, so
    that every call can be written as UTF-8.

    Attributes:
        name: The action's name.
        args: Parameter name to value.

    Raises:
        ValueError: If a name is no identifier or a value is not a literal within the bounds of this module.
    """

    name: str
    args: Mapping[str, Literal]

    def __post_init__(self) -> None:
        for name in (self.name, *self.args):
            if not name.isidentifier():
                raise ValueError(f"{shorten(name, 60)!r} is not an identifier")
        object.__setattr__(self, "args", {name: literal(value) for name, value in self.args.items()})

    def __str__(self) -> str:
        """The canonical action text, on one line: parsed again, it gives an equal call."""
        return f"{self.name}({', '.join(repr(value) for value in self.args.values())})"

    def to_json(self) -> dict[str, object]:
        """The call as ``{"name": ..., "args": {parameter: value}}``, ready for ``json.dumps``."""
        return {"name": self.name, "args": dict(self.args)}

    @classmethod
    def from_json(cls, data: object) -> ActionCall:
        """The call that ``to_json`` wrote.

        Args:
            data: What ``json.loads`` gives.

        Returns:
            The call, its arguments checked as in the constructor.

        Raises:
            ValueError: If the data has another shape.
        """
        match data:
            case {"name": str(name), "args": dict(args), **rest} if not rest and all(
                isinstance(key, str) for key in args
            ):
                return cls(name, args)
        raise ValueError('an action call in JSON is {"name": text, "args": {parameter: value}}')


@dataclass(frozen=True)
class ActionError:
    """A piece of a model's text that is not a call that can be run.

    Attributes:
        text: The piece, shortened to 200 characters.
        reason: What is wrong and what is allowed, for a model to read and mend.
    """

    text: str
    reason: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", shorten(joined_surrogates(self.text), MAX_EXCERPT))
        object.__setattr__(self, "reason", shorten(joined_surrogates(self.reason), MAX_REASON))

    def __str__(self) -> str:
        return f"{self.text}: {self.reason}"


def literal(value: object) -> Literal:
    """A value as a literal that JSON and action text can both hold.

    Args:
        value: Text, number, bool, None, or a list or tuple of these.

    Returns:
        The same value, copied; tuples as lists, surrogates joined or replaced.

    Raises:
        ValueError: If the value is of another type, too large, nested too deep, or not a finite number.
    """
    result = _literal(value, depth=0)
    size = _size(result)
    if size > MAX_ARGUMENT:
        raise ValueError(f"a value of {size:,} characters is too long: at most {MAX_ARGUMENT:,} are allowed")
    return result


def _literal(value: object, depth: int) -> Literal:
    match value:
        case None | bool():
            return value
        case str():
            return joined_surrogates(value)
        case int():
            if abs(value) > MAX_INTEGER:
                raise ValueError(f"an integer beyond {MAX_INTEGER} is too large")
            return int(value)
        case float():
            if not math.isfinite(value):
                raise ValueError("a number must be finite")
            return float(value)
        case list() | tuple():
            if depth >= MAX_NESTING:
                raise ValueError(f"lists are nested more than {MAX_NESTING} deep")
            return [_literal(item, depth + 1) for item in value]
    raise ValueError(f"{type(value).__name__} is not text, a number, True, False, None or a list of these")


def _size(value: Literal) -> int:
    match value:
        case str():
            return len(value)
        case list():
            return len(value) + sum(_size(item) for item in value)
    return 0

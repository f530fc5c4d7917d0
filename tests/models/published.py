"""Whether JSON is of the shape that a provider has published: the types of its own library.

The libraries do not check what they send. Their types are ``TypedDict``s, which are walked here; what they do not name
is reported, too, since servers refuse it.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints

import typing_extensions

_OPTIONAL = (NotRequired, typing_extensions.NotRequired)
_NEEDED = (Required, typing_extensions.Required)


def problems(value: Any, kind: Any, place: str = "") -> list[str]:
    """What is wrong with a JSON value, each with its place; empty if it is of a type.

    Args:
        value: The value.
        kind: The type.
        place: Where it stands.
    """
    origin = get_origin(kind)
    if kind is Any or kind is object:
        return []
    if origin in (Annotated, *_OPTIONAL, *_NEEDED):
        return problems(value, get_args(kind)[0], place)
    if origin in (Union, types.UnionType):
        tried = [problems(value, each, place) for each in get_args(kind)]
        return min(tried, key=lambda found: (len(found), _depth(found)))
    if origin in (Literal, typing_extensions.Literal):
        return [] if value in get_args(kind) else [f"{place}: {value!r} is none of {get_args(kind)}"]
    if typing_extensions.is_typeddict(kind):
        return _of_record(value, kind, place)
    if kind is None or kind is type(None):
        return [] if value is None else [f"{place}: {value!r} is not null"]
    named = origin or kind
    if isinstance(named, type) and issubclass(named, Mapping):
        items = get_args(kind)[1] if get_args(kind) else Any
        if not isinstance(value, Mapping):
            return [f"{place}: no object"]
        return [each for key, item in value.items() for each in problems(item, items, f"{place}.{key}")]
    if named is not str and isinstance(named, type) and (_is_list(named)):
        if not isinstance(value, Sequence) or isinstance(value, str):
            return [f"{place}: no list"]
        items = get_args(kind)[0] if get_args(kind) else Any
        return [each for number, item in enumerate(value) for each in problems(item, items, f"{place}[{number}]")]
    numbers = {float: (int, float), int: (int,), str: (str,), bool: (bool,)}
    if named in numbers:
        is_right = isinstance(value, numbers[named]) and (named is bool or not isinstance(value, bool))
        return [] if is_right else [f"{place}: {value!r} is no {named.__name__}"]
    return [f"{place}: {value!r} is no {kind}"]


def _is_list(kind: type) -> bool:
    return issubclass(kind, Iterable) or kind.__name__ in ("SequenceNotStr", "Sequence")


def _depth(found: list[str]) -> int:
    """The deeper the first problem, the nearer the value was to the type; a wrong ``type`` is far off."""
    return 99 if any(".type:" in each for each in found) else -max((each.count(".") for each in found), default=0)


def _of_record(value: Any, kind: Any, place: str) -> list[str]:
    if not isinstance(value, Mapping):
        return [f"{place}: no object"]
    hints = get_type_hints(kind, include_extras=True, localns=vars(typing))
    found = [f"{place}.{name}: not named by {kind.__name__}" for name in value if name not in hints]
    for name, hint in hints.items():
        if name in value:
            found += problems(value[name], hint, f"{place}.{name}")
        elif get_origin(hint) in _NEEDED or (kind.__total__ and get_origin(hint) not in _OPTIONAL):
            found.append(f"{place}.{name}: missing")
    return found

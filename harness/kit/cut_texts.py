"""What pages show of strangers' texts: a page, a model or a program may have written millions of characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from msgspec import Struct, structs

MOST_SHOWN = 100_000
"""Characters of a text that a page shows."""

T = TypeVar("T")


def cut_text(text: str) -> str:
    """As much of a text as a page shows; it ends with how long the whole is, if that is longer."""
    if len(text) <= MOST_SHOWN:
        return text
    return f"{text[:MOST_SHOWN]}… [cut here: the first {MOST_SHOWN:,} of {len(text):,} characters]"


def cut_texts(record: T) -> T:
    """A record with every text in it cut as by ``cut_text``; the very record if none is too long.

    Args:
        record: A dataclass, a ``Struct``, a mapping, a list, a tuple or a text, nested as may be. What else it holds
            stays as it is.
    """
    return _cut(record)  # type: ignore[no-any-return]


def _cut(value: Any) -> Any:
    match value:
        case str():
            return cut_text(value)
        case list() | tuple():
            items = [_cut(item) for item in value]
            if all(new is old for new, old in zip(items, value, strict=True)):
                return value
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        case Mapping():
            pairs = [(_cut(name), _cut(item)) for name, item in value.items()]
            same = all(name is old and item is value[old] for (name, item), old in zip(pairs, value, strict=True))
            return value if same else dict(pairs)
        case Struct():
            changed = _changed(structs.asdict(value))
            return structs.replace(value, **changed) if changed else value
    if is_dataclass(value) and not isinstance(value, type):
        changed = _changed({each.name: getattr(value, each.name) for each in fields(value)})
        return replace(value, **changed) if changed else value
    return value


def _changed(values: Mapping[str, Any]) -> dict[str, Any]:
    cut = {name: _cut(value) for name, value in values.items()}
    return {name: value for name, value in cut.items() if value is not values[name]}

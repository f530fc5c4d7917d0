"""Typed records described for others: JSON Schema (2020-12), with the words of the records' docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

_SECTION = re.compile(r"^Attributes:$", re.MULTILINE)
_IN_JSON = {"None": "null", "True": "true", "False": "false"}
_ENTRY = re.compile(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


def json_schema(kind: type) -> dict[str, Any]:
    """The JSON Schema of a record as it is written.

    Args:
        kind: A dataclass, all of whose attributes are written, or a ``msgspec.Struct``; what they hold may be either.

    Returns:
        A JSON object. Each record in it is described by the first paragraph of its docstring, and each attribute by
        its entry under ``Attributes:``, be it of a class that it is derived from.
    """
    made = msgspec.json.schema(kind, schema_hook=_of_path)
    for schema in made["$defs"].values():
        schema["description"] = _plain(inspect.cleandoc(schema.get("description", "")).partition("\n\n")[0])
    for each in {each.__name__: each for each in _records(kind)}.values():
        _describe(made["$defs"][each.__name__], each)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _records(kind: Any) -> Iterator[type]:
    """The records that a type holds, itself among them."""
    if dataclasses.is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        assert isinstance(kind, type)  # noqa: S101 - no instance comes here
        yield kind
        for hint in get_type_hints(kind).values():
            yield from _records(hint)
    for argument in get_args(kind):
        yield from _records(argument)


def _describe(schema: dict[str, Any], kind: type) -> None:
    words = [inspect.cleandoc(each.__doc__ or "") for each in reversed(kind.__mro__)]
    about = {name: " ".join(text.split()) for doc in words for name, text in _ENTRY.findall(_attributes(doc))}
    properties = schema["properties"]
    if dataclasses.is_dataclass(kind):
        schema["required"] = [each.name for each in dataclasses.fields(kind)]
        properties = {name: properties[name] for name in schema["required"]}
        for each in properties.values():
            each.pop("default", None)
    schema["properties"] = {
        name: {**each, **({"description": _plain(about[name])} if name in about else {})}
        for name, each in properties.items()
    }


def _attributes(doc: str) -> str:
    found = _SECTION.split(doc)
    return found[1].partition("\n\n")[0] if len(found) > 1 else ""


def _plain(text: str) -> str:
    """Words of a docstring for readers who know JSON and not Python."""
    text = re.sub(r"\b(?:None|True|False)\b", lambda word: _IN_JSON[word[0]], text.replace("``", "`"))
    return " ".join(text.split())


def _of_path(kind: type) -> dict[str, Any]:
    if kind is Path:
        return {"type": "string"}
    raise NotImplementedError  # so msgspec asks for it of a type that has no schema; it names the type then

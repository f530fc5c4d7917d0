"""Typed records as JSON: dataclasses and ``msgspec.Struct`` in, plain values out, and back; and their JSON Schema."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec

from harness.kit.files.inside import MOST, read_inside

T = TypeVar("T")

JsonObject: TypeAlias = Mapping[str, Any]
"""An object with any names and any JSON values: what a solver tells of itself, and its options."""


_MISSING = re.compile(r"Object missing required field (.+)")


Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A whole number from 0 that every reader of JSON can hold."""


class Malformed(ValueError):
    """A JSON text or value is not the record that was asked for; says where, and what was expected there."""


def plain(record: object) -> Any:
    """A record, or a list or mapping of records, as what ``json.dumps`` takes.

    Args:
        record: Paths in it become texts, and tuples stay tuples.
    """
    return msgspec.to_builtins(record, enc_hook=_plain)


def line(record: object) -> bytes:
    """A record as one line of JSON in UTF-8, for a file that is written line by line.

    Args:
        record: A lone surrogate in it, which UTF-8 cannot hold, is escaped.
    """
    return json.dumps(plain(record), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def typed(value: object, kind: type[T]) -> T:
    """A plain JSON value as a record.

    Args:
        value: What ``json.loads`` gives, or ``plain``.
        kind: The record's class.

    Raises:
        Malformed: it is none.
    """
    try:
        return msgspec.convert(value, kind, dec_hook=_from_plain)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        raise Malformed(_words(error)) from error


def decode(text: bytes, kind: type[T]) -> T:
    """JSON in UTF-8 as a record.

    Args:
        text: The JSON.
        kind: The record's class.

    Raises:
        Malformed: it is no JSON, or no such record.
    """
    try:
        return _decoder(kind).decode(text)  # type: ignore[no-any-return, arg-type]
    except (msgspec.ValidationError, RecursionError) as error:
        raise Malformed(_words(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Half of a surrogate pair and Infinity, which a page or a model can send, are no JSON to msgspec; and json says
        # where a text breaks off.
        return typed(_loads(text), kind)


def read(file: Path, kind: type[T]) -> T:
    """The record in a JSON file, which somebody else may have written.

    Raises:
        Malformed: it holds no JSON, or no such record.
        OSError: it cannot be read; it is no regular file of its folder, or larger than any record.
    """
    return decode(read_inside(file.parent, file.name, MOST), kind)


@cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, dec_hook=_from_plain)


def _loads(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(_words(error)) from error


def _plain(value: object) -> Any:
    match value:
        case Path():
            return str(value)
        case Mapping():
            return dict(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def _from_plain(kind: type, value: object) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise TypeError(f"Expected a text for a {kind.__name__}, got {value!r}")


def _words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    words, _, place = str(error).replace("`", "").partition(" - at ")
    if missing := _MISSING.match(words):
        return f"{place or 'it'} lacks {missing[1]}"
    return f"{place}: {words}" if place else words


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
        schema["description"] = _plain_words(inspect.cleandoc(schema.get("description", "")).partition("\n\n")[0])
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
        name: {**each, **({"description": _plain_words(about[name])} if name in about else {})}
        for name, each in properties.items()
    }


def _attributes(doc: str) -> str:
    found = _SECTION.split(doc)
    return found[1].partition("\n\n")[0] if len(found) > 1 else ""


def _plain_words(text: str) -> str:
    """Words of a docstring for readers who know JSON and not Python."""
    text = re.sub(r"\b(?:None|True|False)\b", lambda word: _IN_JSON[word[0]], text.replace("``", "`"))
    return " ".join(text.split())


def _of_path(kind: type) -> dict[str, Any]:
    if kind is Path:
        return {"type": "string"}
    raise NotImplementedError  # so msgspec asks for it of a type that has no schema; it names the type then

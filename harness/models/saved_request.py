"""Requests read back from a run directory, to be asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from harness.kit.errors import UserError
from harness.models.messages import Image, Message, Part, Reasoning, Request, Text, ToolCall, ToolResult


class NotARequest(UserError):
    """What a run directory has of a request cannot be asked again; the message says why."""


def request_of(record: Any, picture: Callable[[str], bytes]) -> Request:
    """The request whose ``to_json`` a record is.

    Args:
        record: A JSON value, which anybody may have written.
        picture: Gives the bytes of a picture by its SHA-256.

    Raises:
        NotARequest: it is none.
        UserError: as ``picture`` raises it.
    """
    try:
        return Request(
            model=_typed(record["model"], str),
            messages=tuple(_message(message, picture) for message in _typed(record["messages"], list[dict[str, Any]])),
            tools=tuple(_typed(record.get("tools", []), list[dict[str, Any]])),
            stop=tuple(_typed(record.get("stop", []), list[str])),
            temperature=_typed(record.get("temperature"), float | None),
            likelihoods=_typed(record.get("likelihoods", False), bool),
            seed=_typed(record.get("seed"), int | None),
            max_tokens=_typed(record["max_tokens"], int),
            grammar=_typed(record.get("grammar"), str | None),
            more=_typed(record.get("more", {}), dict[str, Any]),
        )
    except (KeyError, TypeError, ValueError) as error:  # msgspec's error is one of value
        raise NotARequest(f"it is no request to a model: {error}") from error


def _message(record: Mapping[str, Any], picture: Callable[[str], bytes]) -> Message:
    parts = tuple(_part(part, picture) for part in record["parts"])
    return Message(record["role"], parts, tuple(_typed(record.get("native", []), list[Any])))


def _part(record: Any, picture: Callable[[str], bytes]) -> Part:
    match record:
        case {"type": "text", "text": str(text)}:
            return Text(text)
        case {"type": "image"}:
            return _image(record, picture)
        case {"type": "tool_call"}:
            call: ToolCall = _typed(record, ToolCall)
            return call
        case {"type": "tool_result", "id": str(name), "text": str(text)}:
            return ToolResult(name, text, tuple(_image(image, picture) for image in record.get("images", ())))
        case {"type": "reasoning"}:
            return Reasoning(tuple(_typed(record["pieces"], list[dict[str, Any]])))
    raise ValueError("a message holds what is no part of one")


def _image(record: Any, picture: Callable[[str], bytes]) -> Image:
    return Image(picture(_typed(record["sha256"], str)), _typed(record.get("media_type", "image/png"), str))


def _typed(value: Any, kind: Any) -> Any:
    return msgspec.convert(value, kind)
